# What the commands of ./astrolabe need of the machine: how each is found, and how it is installed.
# Uses $root and $state, and say, die and logged of build.sh.

swift_site=https://swift.org/install

# Swift's version as "major.minor", empty where there is no Swift.
swift_version() {
    swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1
}

# Whether a version is 6.2 or later, the first that Package.swift and Hummingbird can be built with.
is_new_enough() {
    [ "${1%%.*}" -gt 6 ] || { [ "${1%%.*}" -eq 6 ] && [ "${1#*.}" -ge 2 ]; }
}

need_swift() {
    version=$(swift_version)
    [ -n "$version" ] || die "Swift 6.2 or later is needed and none was found: $swift_site"
    is_new_enough "$version" ||
        die "Swift 6.2 or later is needed and $version was found at $(command -v swift): $swift_site"
}

# The C++ compiler: the toolchain's own where it is not on the path.
cxx() {
    for candidate in clang++ "$(dirname "$(follow "$(command -v swift)")")/clang++" c++ g++; do
        if command -v "$candidate" >/dev/null 2>&1; then
            printf '%s\n' "$candidate"
            return 0
        fi
    done
    return 1
}

# Whether a C++ source that includes these headers compiles.
includes() {
    compiler=$(cxx) || return 1
    printf '#include <%s>\n' "$@" | "$compiler" -x c++ -fsyntax-only - >/dev/null 2>&1
}

# Whether the machine has what a word stands for.
has() {
    case $1 in
    git) command -v git ;;
    cxx) includes string ;;
    sqlite) includes sqlite3.h ;;
    zlib) includes zlib.h ;;
    python) python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' ;;
    venv) python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' ;;
    chromium) [ -n "$(find_chromium)" ] ;;
    chromedriver) [ -n "$(find_chromedriver)" ] ;;
    esac >/dev/null 2>&1
}

# A word in a person's language.
describe() {
    case $1 in
    git) echo "git" ;;
    cxx) echo "a C++ compiler with its standard library" ;;
    sqlite) echo "the headers of SQLite" ;;
    zlib) echo "the headers of zlib" ;;
    python) echo "Python 3.9 or later" ;;
    venv) echo "Python 3.10 or later with venv" ;;
    chromium) echo "Chromium or Chrome" ;;
    chromedriver) echo "ChromeDriver" ;;
    esac
}

# The package that brings it, by the manager's name.
package_for() {
    case $1:$2 in
    *:git) echo git ;;
    apt-get:cxx) echo g++ ;;
    apt-get:sqlite) echo libsqlite3-dev ;;
    apt-get:zlib) echo zlib1g-dev ;;
    apt-get:venv) echo python3-venv ;;
    apt-get:chromium) echo chromium ;;
    apt-get:chromedriver) echo chromium-driver ;;
    apt-get:python | dnf:python | dnf:venv) echo python3 ;;
    dnf:cxx) echo gcc-c++ ;;
    dnf:sqlite) echo sqlite-devel ;;
    dnf:zlib) echo zlib-devel ;;
    dnf:chromium) echo chromium ;;
    dnf:chromedriver) echo chromedriver ;;
    pacman:cxx) echo gcc ;;
    pacman:sqlite) echo sqlite ;;
    pacman:zlib) echo zlib ;;
    pacman:python | pacman:venv | brew:python | brew:venv) echo python ;;
    pacman:chromium | pacman:chromedriver) echo chromium ;;
    brew:chromium) echo google-chrome ;;
    brew:chromedriver) echo chromedriver ;;
    esac
}

package_manager() {
    for candidate in apt-get dnf pacman brew; do
        if command -v "$candidate" >/dev/null 2>&1; then
            echo "$candidate"
            return 0
        fi
    done
}

# The command that installs packages with a manager, without questions.
installation() {
    case $1 in
    apt-get) echo "apt-get install --yes --no-install-recommends" ;;
    dnf) echo "dnf install --assumeyes" ;;
    pacman) echo "pacman --sync --needed --noconfirm" ;;
    brew) echo "brew install" ;;
    esac
}

# How this user may install with a manager: nothing to put before it, "sudo -n", or no way, which is a status of 1.
privilege() {
    if [ "$1" = brew ] || [ "$(id -u)" -eq 0 ]; then
        return 0
    fi
    command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null && echo "sudo -n"
}

# Finds the words that the machine lacks, and installs them or says how.
need() {
    missing=
    for word in "$@"; do
        has "$word" || missing="$missing $word"
    done
    [ -n "$missing" ] || return 0

    what=
    packages=
    manager=$(package_manager)
    for word in $missing; do
        what="$what, $(describe "$word")"
        packages="$packages $(package_for "$manager" "$word")"
    done
    what=${what#, }
    [ -n "$manager" ] || die "$what: needed and not found; install it with your system's package manager"

    by_hand="$(installation "$manager")$packages"
    [ "$manager" = brew ] || by_hand="sudo $by_hand"
    if [ "${ASTROLABE_INSTALL-}" = never ] || ! before=$(privilege "$manager"); then
        die "$what: needed and not found; run: $by_hand"
    fi
    say "Installing$packages with $manager, for want of $what."
    install_with "$manager" "$before" "$packages" ||
        die "$manager failed; its log is .astrolabe/install.log; run: $by_hand"
    for word in $missing; do
        has "$word" || die "$(describe "$word"): still not found after: $by_hand"
    done
}

# Installs packages; refreshes apt's lists where it does not know a package or where to get it.
install_with() {
    # The words of $2 and $3 are arguments each.
    # shellcheck disable=SC2046,SC2086
    set -- "$1" "$2" env DEBIAN_FRONTEND=noninteractive $(installation "$1") $3
    manager=$1
    before=$2
    shift 2
    # shellcheck disable=SC2086
    if [ "$manager" = apt-get ]; then
        logged install $before "$@" 2>/dev/null && return 0
        logged install $before apt-get update || return 1
    fi
    # shellcheck disable=SC2086
    logged install $before "$@"
}

# What every build needs. On macOS it comes with Xcode or its command line tools.
need_to_build() {
    need_swift
    [ "$(uname -s)" = Darwin ] || { command -v git >/dev/null && includes string sqlite3.h zlib.h; } ||
        need git cxx sqlite zlib
}

# The official libraries that some tests compare with, in an environment of their own.
need_python_packages() {
    [ -z "${ASTROLABE_PYTHON-}" ] || return 0
    need venv
    environment=$state/venv
    stamp=$environment/installed
    wanted=$(python3 -V && cat "$root/Scripts/requirements.txt")
    if [ ! -f "$stamp" ] || [ "$wanted" != "$(cat "$stamp")" ]; then
        say "Installing the Python packages of Scripts/requirements.txt into .astrolabe/venv."
        rm -rf "$environment"
        logged venv python3 -m venv "$environment" ||
            die "the Python environment could not be made; the log is .astrolabe/venv.log"
        set -- --disable-pip-version-check --requirement "$root/Scripts/requirements.txt"
        logged venv "$environment/bin/python" -m pip install "$@" ||
            die "the Python packages could not be installed; is the network there, or a proxy needed?"
        printf '%s\n' "$wanted" >"$stamp"
    fi
    export ASTROLABE_PYTHON="$environment/bin/python"
}

# Chromium, but not the script that stands in for it on Ubuntu and only says to install a snap.
find_chromium() {
    for candidate in ${ASTROLABE_CHROMIUM:+"$ASTROLABE_CHROMIUM"} chromium chromium-browser google-chrome \
        google-chrome-stable "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
        /Applications/Chromium.app/Contents/MacOS/Chromium; do
        found=$(command -v "$candidate") || continue
        if head -c 2048 "$found" | grep -q 'snap install'; then continue; fi
        printf '%s\n' "$found"
        return 0
    done
}

find_chromedriver() {
    for candidate in ${ASTROLABE_CHROMEDRIVER:+"$ASTROLABE_CHROMEDRIVER"} chromedriver chromium.chromedriver; do
        found=$(command -v "$candidate") || continue
        if head -c 2048 "$found" | grep -q 'snap install'; then continue; fi
        printf '%s\n' "$found"
        return 0
    done
}

is_ubuntu() { [ -f /etc/os-release ] && grep -q '^ID=ubuntu$' /etc/os-release; }

need_browser() {
    if is_ubuntu && ! { has chromium && has chromedriver; }; then
        die "Chromium and ChromeDriver: needed and not found; run: sudo snap install chromium," \
            "or leave out what needs them: ./astrolabe test --without-browser"
    fi
    need chromium chromedriver
    ASTROLABE_CHROMIUM=$(find_chromium)
    ASTROLABE_CHROMEDRIVER=$(find_chromedriver)
    export ASTROLABE_CHROMIUM ASTROLABE_CHROMEDRIVER
}

# One line of the doctor's: what, what was found, and what for. Remembers what is missing.
row() {
    if [ -n "$2" ]; then
        printf '  %-42s %s\n' "$1" "$2"
    else
        printf '  %-42s missing; for %s\n' "$1" "$3"
        ill=yes
    fi
}

# Says what is needed and what was found; changes nothing.
doctor() {
    ill=
    version=$(swift_version)
    if [ -n "$version" ] && ! is_new_enough "$version"; then
        row "Swift 6.2 or later" "" "everything; $version was found: $swift_site"
    else
        row "Swift 6.2 or later" "${version:+$version at $(command -v swift)}" "everything: $swift_site"
    fi
    row "git" "$(command -v git || true)" "fetching dependencies"
    if [ "$(uname -s)" != Darwin ] && [ -n "$version" ]; then
        for word in cxx sqlite zlib; do
            row "$(describe "$word")" "$(if has "$word"; then echo found; fi)" "building"
        done
    fi
    row "$(describe venv)" "$(if has venv; then python3 -V; fi)" "check and test"
    row "$(describe chromium)" "$(find_chromium)" "test (or: test --without-browser)"
    row "$(describe chromedriver)" "$(find_chromedriver)" "test (or: test --without-browser)"
    fetched="not yet; the first build fetches them"
    [ ! -f "$root/.build/workspace-state.json" ] || fetched="fetched"
    row "dependencies" "$fetched" ""
    author=$(git config user.name 2>/dev/null && git config user.email 2>/dev/null) || author=
    [ -n "$author" ] || author="not set, which only a commit needs: git config --global user.name and user.email"
    row "git identity" "$(printf '%s' "$author" | tr '\n' ' ')" ""
    if [ -n "$ill" ]; then
        say "What is missing is installed when it is needed, or you are told how."
        exit 1
    fi
}
