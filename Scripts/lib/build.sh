# Fetching dependencies and building, for ./astrolabe. Uses $root, $state and $configuration.

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
    elif grep -Eq "missing required module 'COpenCombineHelpers'" "$1"; then
        say "astrolabe: the build folder is older than a new dependency; remove it (rm -rf .build) and try again"
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
    mkdir -p "$state"
    set -- "$@" --configuration "$configuration"
    [ -d "$root/.build/$configuration" ] ||
        say "Building $title. The first build compiles the dependencies and takes several minutes."
    started=$(date +%s)
    compile "$@"
    elapsed=$(($(date +%s) - started))
    [ "$elapsed" -lt 5 ] || say "Built $title in $elapsed s."
}

# Runs a SwiftPM command, shows its progress, and writes its output to a log. Prints the errors if it fails.
#
# SwiftPM 6.3 passes Hummingbird's traits to the compiler in the random order of a set. About every second build would
# therefore compile Hummingbird and its dependents again. Deterministic hashing keeps the order.
compile() {
    log=$state/build.log
    rm -f "$state/build.failed"
    { swiftpm "$@" </dev/null 2>&1 || touch "$state/build.failed"; } |
        tee "$log" | show_progress
    [ -f "$state/build.failed" ] || return 0
    rm -f "$state/build.failed"
    { grep -E 'error:' "$log" || tail -n 20 "$log"; } | awk '!seen[$0]++' | head -n 20 >&2
    explain "$log"
    die "the build failed; see .astrolabe/build.log"
}

# Shows the current step on a terminal. Otherwise prints one line per 10 % for builds of 100 steps or more. Both say how
# long the rest will take, if it goes on as before.
show_progress() {
    shown=0
    left=
    started=$(date +%s)
    while IFS= read -r line; do
        step=${line#\[}
        step=${step%%\]*}
        case $line:$step in
        *:*[!0-9/]* | *:/* | *:*/ | [!\[]*) continue ;;
        esac
        percent=$((100 * ${step%/*} / ${step#*/}))
        if [ -t 2 ]; then
            [ "$percent" -eq "$shown" ] || left=$(time_left "$started" "$percent")
            shown=$percent
            printf '\r\033[K%.79s' "${left:+$left, }$line" >&2
        elif [ "${step#*/}" -ge 100 ] && [ $((percent / 10)) -gt "$shown" ]; then
            shown=$((percent / 10))
            left=$(time_left "$started" "$percent")
            what=${line#*\] }
            rest=${what#* }
            say "  ${shown}0 %${left:+, $left}: ${what%% *} ${rest%% *}"
        fi
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

# Prints how long a build that started at a time will still take, by the part of its steps that is done. Prints nothing
# while that part says little.
time_left() {
    elapsed=$(($(date +%s) - $1))
    if [ "$elapsed" -lt 10 ] || [ "$2" -lt 5 ]; then return 0; fi
    seconds=$((elapsed * (100 - $2) / $2))
    if [ "$seconds" -ge 90 ]; then echo "about $(((seconds + 30) / 60)) min left"; else echo "about $seconds s left"; fi
}
