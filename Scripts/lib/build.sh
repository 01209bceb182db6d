# Fetching dependencies and building, for ./astrolabe.
# shellcheck shell=sh disable=SC2154 # the front door sets $root, $state and $configuration

# Messages go to standard error. Standard output belongs to the program.
say() { printf '%s\n' "$*" >&2; }

die() {
    say "astrolabe: $*"
    exit 1
}

# Runs a command and writes its output to a log. Prints the end of the log if the command fails.
logged() {
    log=$state/$1.log
    shift
    mkdir -p "$state"
    if "$@" >"$log" 2>&1 </dev/null; then
        return 0
    fi
    tail -n 20 "$log" >&2
    return 1
}

# Prints a one-line explanation if the log of a failed command shows a known problem.
explain() {
    if grep -Eqi 'could not resolve host|unable to access|failed to clone|failed to connect|timed out' "$1"; then
        say "astrolabe: could not fetch the dependencies; check the network connection and the proxy settings"
    elif grep -Eq 'No space left on device' "$1"; then
        say "astrolabe: the disk is full"
    elif grep -Eq 'signal 9|Killed' "$1"; then
        say "astrolabe: the compiler was killed, probably because memory ran out; close other programs and try again"
    fi
}

# Runs SwiftPM on all packages that Astrolabe.xcworkspace lists, with one resolution and one build folder, so that no
# source is compiled twice. SwiftPM hides the option and prints a warning about it on every run.
swiftpm() {
    command=$1
    shift
    env SWIFT_DETERMINISTIC_HASHING=1 swift "$command" "$@" --multiroot-data-file "$root/Astrolabe.xcworkspace" \
        --scratch-path "$root/.build"
}

# Fetches the dependencies the first time. SwiftPM notices later changes.
fetch() {
    [ ! -f "$root/.build/workspace-state.json" ] || return 0
    say "Fetching the dependencies."
    if ! logged fetch swiftpm package resolve; then
        explain "$state/fetch.log"
        die "fetching the dependencies failed; see .astrolabe/fetch.log"
    fi
}

# Builds with a SwiftPM command. All commands build with the same flags, so that they share one build.
build() {
    title=$1
    shift
    fetch
    built_by=$(follow "$(command -v swift)")
    last=
    if [ "$1 $2" = "build --product" ]; then
        last=$state/built/$configuration-$3
        if is_current "$last" "$root/.build/$configuration/$3"; then return; fi
    fi
    mkdir -p "$state/built"
    [ -z "$last" ] || printf '%s\n' "$built_by" >"$last.new"
    set -- "$@" --configuration "$configuration"
    expected=
    if [ ! -d "$root/.build/$configuration" ]; then
        seconds=$([ "$configuration" = release ] || first_build_seconds "$@")
        [ -z "$seconds" ] || expected=" of about $seconds s"
        say "Building $title. The first build compiles the dependencies and takes several minutes."
    fi
    started=$(date +%s)
    compile "$@"
    [ -z "$last" ] || mv "$last.new" "$last"
    elapsed=$(($(date +%s) - started))
    [ "$elapsed" -lt 5 ] || say "Built $title in $elapsed s."
}

# Whether a product is as the last build left it. SwiftPM takes seconds to find that nothing is to be done.
#
# That build had the same compiler, and no file or folder of the checkout has changed since it began.
#
# $1: the record of the build. $2: the product.
is_current() {
    [ -f "$1" ] && [ -x "$2" ] && [ "$(cat "$1")" = "$built_by" ] || return 1
    set -- \( -name '.*' -o -name __pycache__ \) -prune -o -cnewer "$1" -print
    [ -z "$(find "$root"/* "$built_by" "$@" | head -n 1)" ]
}

# Runs a SwiftPM command until nothing is left to compile, shows its progress, and writes its output to a log. Prints
# the errors if it fails.
#
# SwiftPM 6.3 passes Hummingbird's traits to the compiler in the random order of a set. About every second build would
# therefore compile Hummingbird and its dependents again. Deterministic hashing keeps the order.
#
# GRDB and Yams ask `canImport(Combine)` and do not compile over the stand-in, so it is built after them. If they are
# compiled again, by a new compiler or in a new version, the module of the last build is in their way. It is removed,
# and the build goes on.
compile() {
    log=$state/build.log
    : >"$log"
    if ! compile_once "$@"; then
        grep -q "missing required module 'COpenCombineHelpers'" "$log" || build_failed
        rm -f "$root/.build/$configuration/Modules/Combine.swiftmodule"
        compile_once "$@" || build_failed
    fi
    grep -q '\] Compiling ' "$log" || return 0
    while mark_stale; do compile_once "$@" || build_failed; done
}

compile_once() {
    rm -f "$state/build.failed"
    { swiftpm "$@" </dev/null 2>&1 || touch "$state/build.failed"; } | tee -a "$log" | show_progress "$expected"
    [ ! -f "$state/build.failed" ] || {
        rm -f "$state/build.failed"
        return 1
    }
}

build_failed() {
    { grep -E 'error:' "$log" || tail -n 20 "$log"; } | awk '!seen[$0]++' | head -n 20 >&2
    explain "$log"
    die "the build failed; see .astrolabe/build.log"
}

# Has the next build look at each module again that was compiled before a module that it uses. Fails if there is none.
#
# SwiftPM 6.3 looks at a module again if one changes that it depends on directly. But it also holds values whose layout
# is in modules behind that one, and then reads and writes them at the wrong places.
mark_stale() {
    modules=$root/.build/$configuration/Modules
    marked=
    for record in "$root/.build/$configuration"/*.build/*.emit-module.d; do
        own=${record##*/}
        own=${own%.emit-module.d}
        [ -f "$modules/$own.swiftmodule" ] || continue
        newer=$(grep -o '/Modules/[A-Za-z0-9_]*\.swiftmodule' "$record" | sort -u | while read -r used; do
            [ "$modules/${used##*/}" -nt "$record" ] && [ "$used" != "/Modules/$own.swiftmodule" ] && echo "$used"
        done)
        [ -n "$newer" ] || continue
        # An output that is not as it was left.
        for object in "${record%/*}"/*.swift.o; do
            touch "$object" "$record"
            break
        done
        marked=yes
    done
    [ -n "$marked" ]
}

# Shows what is being compiled and how long the build has taken: on a terminal in one line, otherwise every 20 s.
# SwiftPM's own count of steps is no measure: it grows while it builds.
#
# $1: how long the build will take, such as " of about 180 s"; empty if that is not known.
show_progress() {
    started=$(date +%s)
    now=$started
    shown=$started
    count=0
    while IFS= read -r line; do
        step=${line#\[}
        step=${step%%\]*}
        case $line:$step in
        *:*[!0-9/]* | *:/* | *:*/ | [!\[]*) continue ;;
        esac
        count=$((count + 1))
        [ $((count % 10)) -ne 0 ] || now=$(date +%s)
        what=${line#*\] }
        if [ -t 2 ]; then
            printf '\r\033[K%.79s' "$((now - started)) s$1: $what" >&2
        elif [ $((now - shown)) -ge 20 ]; then
            shown=$now
            rest=${what#* }
            say "  $((now - started)) s$1: ${what%% *} ${rest%% *}"
        fi
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

# Prints the seconds that the first build of a product takes on two cores, in round numbers. Prints nothing for products
# that were not measured.
first_build_seconds() {
    case " $* " in
    *" astrolabe-local "*) echo 180 ;;
    *" astrolabe "*) echo 300 ;;
    *" --build-tests "*) echo 560 ;;
    esac
}
