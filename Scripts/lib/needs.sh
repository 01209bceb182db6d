# The requirements of the commands of ./astrolabe: how to find each and how to install it.
# Uses say, die and logged from build.sh.
# shellcheck shell=sh disable=SC2154 # the front door sets $root and $state

swift_site=https://swift.org/install

# Prints Swift's version as "major.minor", or nothing if Swift is not installed.
swift_version() {
    swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1
}

# Succeeds if a version is 6.2 or later, which Package.swift and Hummingbird require.
is_new_enough() {
    [ "${1%%.*}" -gt 6 ] || { [ "${1%%.*}" -eq 6 ] && [ "${1#*.}" -ge 2 ]; }
}

need_swift() {
    version=$(swift_version)
    [ -n "$version" ] || die "Swift 6.2 or later is required, but Swift was not found; install it from $swift_site"
    is_new_enough "$version" ||
        die "Swift 6.2 or later is required, found $version at $(command -v swift); install it from $swift_site"
}

# Prints the C++ compiler. Tries PATH first, then the Swift toolchain.
cxx() {
    for candidate in clang++ "$(dirname "$(follow "$(command -v swift)")")/clang++" c++ g++; do
        if command -v "$candidate" >/dev/null 2>&1; then
            printf '%s\n' "$candidate"
            return 0
        fi
    done
    return 1
}

# Succeeds if a C++ source that includes these headers compiles.
includes() {
    compiler=$(cxx) || return 1
    printf '#include <%s>\n' "$@" | "$compiler" -x c++ -fsyntax-only - >/dev/null 2>&1
}

# Succeeds if a requirement, given by its short name, is installed.
has() {
    case $1 in
    git) command -v git ;;
    cxx) includes string ;;
    sqlite) includes sqlite3.h ;;
    zlib) includes zlib.h ;;
    zstd) includes zstd.h ;;
    python) python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' ;;
    venv) python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' ;;
    chromium) [ -n "$(find_chromium)" ] ;;
    chromedriver) [ -n "$(find_chromedriver)" ] ;;
    firefox) [ -n "$(find_firefox)" ] ;;
    javascript) command -v node && command -v tsc && command -v eslint ;;
    android) command -v java && command -v kotlinc && has_jars okhttp okio sqlite-jdbc junit4 hamcrest ;;
    esac >/dev/null 2>&1
}

# Succeeds if all of these libraries are where Debian's packages put them.
has_jars() {
    for name in "$@"; do
        [ -f "/usr/share/java/$name.jar" ] || return 1
    done
}

# Prints the full name of a requirement.
describe() {
    case $1 in
    git) echo "git" ;;
    cxx) echo "a C++ compiler with its standard library" ;;
    sqlite) echo "the SQLite headers" ;;
    zlib) echo "the zlib headers" ;;
    zstd) echo "the zstd headers" ;;
    python) echo "Python 3.9 or later" ;;
    venv) echo "Python 3.10 or later with venv" ;;
    chromium) echo "Chromium or Chrome" ;;
    chromedriver) echo "ChromeDriver" ;;
    firefox) echo "Firefox" ;;
    javascript) echo "Node with TypeScript and eslint" ;;
    android) echo "Kotlin with OkHttp, SQLite's JDBC driver and JUnit" ;;
    esac
}

# Prints the package that provides a requirement, in the names of a package manager.
package_for() {
    case $1:$2 in
    *:git) echo git ;;
    apt-get:cxx) echo g++ ;;
    apt-get:sqlite) echo libsqlite3-dev ;;
    apt-get:zlib) echo zlib1g-dev ;;
    apt-get:zstd) echo libzstd-dev ;;
    apt-get:venv) echo python3-venv ;;
    apt-get:chromium) echo chromium ;;
    apt-get:chromedriver) echo chromium-driver ;;
    apt-get:firefox) echo firefox-esr ;;
    apt-get:javascript) echo nodejs node-typescript eslint ;;
    apt-get:android) echo default-jre-headless kotlin libokhttp-java libxerial-sqlite-jdbc-java junit4 ;;
    apt-get:python | dnf:python | dnf:venv) echo python3 ;;
    dnf:cxx) echo gcc-c++ ;;
    dnf:sqlite) echo sqlite-devel ;;
    dnf:zlib) echo zlib-devel ;;
    dnf:zstd) echo libzstd-devel ;;
    dnf:chromium) echo chromium ;;
    dnf:chromedriver) echo chromedriver ;;
    pacman:cxx) echo gcc ;;
    pacman:sqlite) echo sqlite ;;
    pacman:zlib) echo zlib ;;
    pacman:zstd) echo zstd ;;
    pacman:python | pacman:venv | brew:python | brew:venv) echo python ;;
    pacman:chromium | pacman:chromedriver) echo chromium ;;
    brew:chromium) echo google-chrome ;;
    brew:chromedriver) echo chromedriver ;;
    dnf:firefox | pacman:firefox | brew:firefox) echo firefox ;;
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

# Prints the command that installs packages with a package manager, without prompts.
installation() {
    case $1 in
    apt-get) echo "apt-get install --yes --no-install-recommends" ;;
    dnf) echo "dnf install --assumeyes" ;;
    pacman) echo "pacman --sync --needed --noconfirm" ;;
    brew) echo "brew install" ;;
    esac
}

# Prints the prefix with which this user can install packages: nothing or "sudo -n". Fails if the user cannot install.
privilege() {
    if [ "$1" = brew ] || [ "$(id -u)" -eq 0 ]; then
        return 0
    fi
    command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null && echo "sudo -n"
}

# Installs the missing requirements, or explains how to install them.
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
    [ -n "$manager" ] || die "required but not found: $what; install with your system's package manager"

    by_hand="$(installation "$manager")$packages"
    [ "$manager" = brew ] || by_hand="sudo $by_hand"
    if [ "${ASTROLABE_INSTALL-}" = never ] || ! before=$(privilege "$manager"); then
        die "required but not found: $what; run: $by_hand"
    fi
    say "Installing$packages with $manager, because these were not found: $what."
    install_with "$manager" "$before" "$packages" ||
        die "$manager failed; see .astrolabe/install.log, or run: $by_hand"
    for word in $missing; do
        has "$word" || die "still not found after '$by_hand': $(describe "$word")"
    done
}

# Installs packages. Updates apt's package lists and retries if the first attempt fails.
install_with() {
    # shellcheck disable=SC2046,SC2086 # each word of $2 and $3 is one argument
    set -- "$1" "$2" env DEBIAN_FRONTEND=noninteractive $(installation "$1") $3
    manager=$1
    before=$2
    shift 2
    # shellcheck disable=SC2086 # $before is nothing or sudo
    if [ "$manager" = apt-get ]; then
        logged install $before "$@" 2>/dev/null && return 0
        logged install $before apt-get update || return 1
    fi
    # shellcheck disable=SC2086 # $before is nothing or sudo
    logged install $before "$@"
}

# Checks what every build requires. On macOS, Xcode or its command line tools provide it.
need_to_build() {
    need_swift
    [ "$(uname -s)" = Darwin ] || { command -v git >/dev/null && includes string sqlite3.h zlib.h zstd.h; } ||
        need git cxx sqlite zlib zstd
}

# Installs the Python packages of a list, in a virtual environment of .astrolabe, and prints its interpreter.
install_python_packages() {
    need venv >&2
    list=$1
    environment=$2
    stamp=$state/$environment/installed
    wanted=$(python3 -V && cat "$root/Scripts/$list")
    if [ ! -f "$stamp" ] || [ "$wanted" != "$(cat "$stamp")" ]; then
        say "Installing the Python packages of Scripts/$list into .astrolabe/$environment."
        rm -rf "${state:?}/$environment"
        logged "$environment" python3 -m venv "$state/$environment" >&2 ||
            die "could not create the Python environment; see .astrolabe/$environment.log"
        set -- --disable-pip-version-check --requirement "$root/Scripts/$list"
        logged "$environment" "$state/$environment/bin/python" -m pip install "$@" >&2 ||
            die "could not install the Python packages; check the network connection and the proxy settings"
        printf '%s\n' "$wanted" >"$stamp"
    fi
    printf '%s\n' "$state/$environment/bin/python"
}

# Installs all Python packages of the tests side by side, by the choices in $clients and $clickhouse. What fails here is
# tried again, and reported, by the function that needs the packages.
install_test_packages() {
    [ -n "${ASTROLABE_PYTHON-}" ] || install_python_packages requirements.txt venv &
    if [ "$clients" = yes ]; then
        [ -n "${ASTROLABE_OTLP_CLIENTS-}" ] || install_python_packages requirements-clients.txt venv-clients &
        [ -n "${ASTROLABE_INDEPENDENT_CLIENT-}" ] ||
            install_python_packages requirements-independent.txt venv-independent &
    fi
    if [ "$clickhouse" = yes ]; then
        [ -n "${ASTROLABE_CLICKHOUSE-}" ] || install_python_packages requirements-engines.txt venv-engines &
    fi
    wait
} >/dev/null

# Installs the official Python libraries that some tests compare with.
need_python_packages() {
    [ -z "${ASTROLABE_PYTHON-}" ] || return 0
    ASTROLABE_PYTHON=$(install_python_packages requirements.txt venv) || exit
    export ASTROLABE_PYTHON
}

# Says that tests are skipped. Continuous integration fails instead: nobody reads there what was skipped.
skip() {
    [ -z "${CI-}" ] || die "$*"
    say "$*"
}

# Installs the clients that export to the console in tests. Without them these tests are skipped.
need_otlp_clients() {
    need_otlp_client ASTROLABE_OTLP_CLIENTS requirements-clients.txt venv-clients
    need_otlp_client ASTROLABE_INDEPENDENT_CLIENT requirements-independent.txt venv-independent
}

# Sets a variable to the Python of an environment that has a list of packages.
need_otlp_client() {
    eval "[ -z \"\${$1-}\" ]" || return 0
    if python=$(install_python_packages "$2" "$3"); then
        export "$1=$python"
    else
        unset "$1"
        skip "Skipping the tests that need the packages of Scripts/$2, because these could not be installed."
    fi
}

# Installs the engines that the query engine is compared with.
need_query_engines() {
    [ -z "${ASTROLABE_ENGINES-}" ] || return 0
    python=$(install_python_packages requirements-engines.txt venv-engines) || exit
    export ASTROLABE_ENGINES="$python $root/Scripts/query-engines"
}

# Installs ClickHouse, embedded, for the tests of the console's ClickHouse store. They are skipped without it.
need_clickhouse() {
    [ -z "${ASTROLABE_CLICKHOUSE-}" ] || return 0
    if python=$(install_python_packages requirements-engines.txt venv-engines); then
        export ASTROLABE_CLICKHOUSE="$python -B $root/Scripts/clickhouse"
    else
        skip "Skipping the tests that need ClickHouse: chdb could not be installed, see .astrolabe/venv-engines.log."
    fi
}

# Installs Kotlin and the libraries of the tests in Android/, from the packages of Debian and Ubuntu. They are skipped
# without them.
need_android() {
    [ -z "${ASTROLABE_KOTLIN-}" ] || return 0
    if [ -n "$(package_for "$(package_manager)" android)" ] && (need android); then
        export ASTROLABE_KOTLIN=yes
    else
        unset ASTROLABE_KOTLIN
        skip "Skipping the tests of Android/: $(describe android) could not be installed."
    fi
}

# Prints the path of the first of these programs that is installed. Skips Ubuntu's placeholder scripts, which only tell
# the user to install a snap.
find_program() {
    for candidate in "$@"; do
        found=$(command -v "$candidate") || continue
        if head -c 2048 "$found" | grep -q 'snap install'; then continue; fi
        printf '%s\n' "$found"
        return 0
    done
}

find_chromium() {
    find_program ${ASTROLABE_CHROMIUM:+"$ASTROLABE_CHROMIUM"} chromium chromium-browser google-chrome \
        google-chrome-stable "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
        /Applications/Chromium.app/Contents/MacOS/Chromium
}

find_chromedriver() {
    find_program ${ASTROLABE_CHROMEDRIVER:+"$ASTROLABE_CHROMEDRIVER"} chromedriver chromium.chromedriver
}

# The Firefox of a snap cannot read the profile that a test makes.
find_firefox() {
    if [ -n "${ASTROLABE_FIREFOX-}" ]; then
        find_program "$ASTROLABE_FIREFOX"
    elif ! is_ubuntu; then
        find_program firefox-esr firefox /Applications/Firefox.app/Contents/MacOS/firefox
    fi
}

is_ubuntu() { [ -f /etc/os-release ] && grep -q '^ID=ubuntu$' /etc/os-release; }

need_browser() {
    if is_ubuntu && ! { has chromium && has chromedriver; }; then
        die "required but not found: Chromium and ChromeDriver; run: sudo snap install chromium," \
            "or skip the tests that need them: ./astrolabe test --without-browser"
    fi
    need chromium chromedriver
    ASTROLABE_CHROMIUM=$(find_chromium)
    ASTROLABE_CHROMEDRIVER=$(find_chromedriver)
    export ASTROLABE_CHROMIUM ASTROLABE_CHROMEDRIVER
}

# Installs Firefox, in which each page of the console is opened, too. The test is skipped without it.
need_firefox() {
    if has firefox || { ! is_ubuntu && (need firefox); }; then
        ASTROLABE_FIREFOX=$(find_firefox)
        export ASTROLABE_FIREFOX
    else
        unset ASTROLABE_FIREFOX
        skip "Skipping the test that opens the pages in Firefox, because it could not be installed."
    fi
}

# Prints one line of the doctor: the requirement, what was found, and what needs it. Sets `ill` if it is missing.
row() {
    if [ -n "$2" ]; then
        printf '  %-42s %s\n' "$1" "$2"
    else
        printf '  %-42s missing; required for %s\n' "$1" "$3"
        ill=yes
    fi
}

# Lists the requirements and what is installed. Changes nothing.
doctor() {
    ill=
    version=$(swift_version)
    if [ -n "$version" ] && ! is_new_enough "$version"; then
        row "Swift 6.2 or later" "" "everything; found $version; install from $swift_site"
    else
        row "Swift 6.2 or later" "${version:+$version at $(command -v swift)}" "everything; install from $swift_site"
    fi
    row "git" "$(command -v git || true)" "fetching dependencies"
    if [ "$(uname -s)" != Darwin ] && [ -n "$version" ]; then
        for word in cxx sqlite zlib zstd; do
            row "$(describe "$word")" "$(if has "$word"; then echo found; fi)" "building"
        done
    fi
    row "$(describe venv)" "$(if has venv; then python3 -V; fi)" "check and test"
    row "$(describe chromium)" "$(find_chromium)" "test (or: test --without-browser)"
    row "$(describe chromedriver)" "$(find_chromedriver)" "test (or: test --without-browser)"
    row "$(describe firefox)" "$(if has firefox; then find_firefox; else echo "not installed; only test"; fi)" ""
    row "$(describe javascript)" "$(if has javascript; then echo found; else echo "not installed; only check"; fi)" ""
    row "$(describe android)" "$(if has android; then echo found; else echo "not installed; only test android"; fi)" ""
    fetched="not fetched yet; the first build fetches them"
    [ ! -f "$root/.build/workspace-state.json" ] || fetched="fetched"
    row "dependencies" "$fetched" ""
    author=$(git config user.name 2>/dev/null && git config user.email 2>/dev/null) || author=
    [ -n "$author" ] || author="not set; only commits need it: git config --global user.name and user.email"
    row "git identity" "$(printf '%s' "$author" | tr '\n' ' ')" ""
    if [ -n "$ill" ]; then
        say "Commands install missing requirements when they need them, or print how to install them."
        exit 1
    fi
}
