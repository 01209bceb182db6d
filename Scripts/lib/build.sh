# Fetching dependencies and building, for ./astrolabe. Uses $root, $state and $configuration.

# Messages go to the standard error: the standard output is the program's.
say() { printf '%s\n' "$*" >&2; }

die() {
    say "astrolabe: $*"
    exit 1
}

# Runs a command with its output in a log, of which the end is shown where the command fails.
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

# What a log that ends in failure says in one line, where it is a known trouble.
explain() {
    if grep -Eqi 'could not resolve host|unable to access|failed to clone|failed to connect|timed out' "$1"; then
        say "astrolabe: the dependencies could not be fetched; is the network there, or a proxy needed?"
    elif grep -Eq "missing required module 'COpenCombineHelpers'" "$1"; then
        say "astrolabe: the build folder is from before a new dependency; remove it (rm -rf .build) and run this again"
    elif grep -Eq 'No space left on device' "$1"; then
        say "astrolabe: the disk is full"
    elif grep -Eq 'signal 9|Killed' "$1"; then
        say "astrolabe: the compiler was killed, most often for want of memory; close other programs and run this again"
    fi
}

# SwiftPM on all packages of the repository at once, which Astrolabe.xcworkspace lists: one resolution and one build folder,
# so that no source is compiled twice. The option is hidden and warns about that on every run.
swiftpm() {
    command=$1
    shift
    env SWIFT_DETERMINISTIC_HASHING=1 swift "$command" "$@" --multiroot-data-file "$root/Astrolabe.xcworkspace" \
        --scratch-path "$root/.build"
}

# Fetches the dependencies where that was never done; later changes are SwiftPM's to notice.
fetch() {
    [ ! -f "$root/.build/workspace-state.json" ] || return 0
    say "Fetching the dependencies."
    if ! logged fetch swiftpm package resolve; then
        explain "$state/fetch.log"
        die "no dependencies; the log is .astrolabe/fetch.log"
    fi
}

# Builds with a command of SwiftPM's. Every command of ours builds with the same flags, so that one build serves all.
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

# Runs a command of SwiftPM's with its progress shown and all it says in a log; shows the errors where it fails.
#
# SwiftPM 6.3 passes the traits of Hummingbird to the compiler in the order of a set, so that by chance every other plan
# compiles Hummingbird and all that imports it again. Hashing without a seed keeps the order.
compile() {
    log=$state/build.log
    rm -f "$state/build.failed"
    { swiftpm "$@" </dev/null 2>&1 || touch "$state/build.failed"; } |
        tee "$log" | show_progress
    [ -f "$state/build.failed" ] || return 0
    rm -f "$state/build.failed"
    { grep -E 'error:' "$log" || tail -n 20 "$log"; } | awk '!seen[$0]++' | head -n 20 >&2
    explain "$log"
    die "the build failed; the log is .astrolabe/build.log"
}

# Shows the last step on a terminal, and elsewhere one line for each tenth of a build of a hundred steps or more.
show_progress() {
    shown=0
    while IFS= read -r line; do
        step=${line#\[}
        step=${step%%\]*}
        case $line:$step in
        *:*[!0-9/]* | *:/* | *:*/ | [!\[]*) continue ;;
        esac
        if [ -t 2 ]; then
            printf '\r\033[K%.79s' "$line" >&2
        elif [ "${step#*/}" -ge 100 ] && [ $((10 * ${step%/*} / ${step#*/})) -gt "$shown" ]; then
            shown=$((10 * ${step%/*} / ${step#*/}))
            say "  ${shown}0 %"
        fi
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
}
