# Building and running the benchmarks, for ./astrolabe.
# shellcheck shell=sh disable=SC2154,SC2034 # the front door sets $root and reads $configuration

# Builds the benchmarks in release mode, with the console and the app that the sections measure, then replaces this
# process with them. Those of the query engine are another program: `bench query [--without-engines] [--spans 1000000]`.
run_benchmarks() {
    need_to_build
    configuration=release
    if [ "${1:-}" = query ]; then
        shift
        if [ "${1:-}" = --without-engines ]; then shift; else need_query_engines; fi
        build "the query benchmarks in release" build --product query-benchmarks
        exec "$root/.build/release/query-benchmarks" "$@"
    fi
    need_phone
    sections=
    for argument in "$@"; do
        case $argument in
        --list) sections=list ;;
        # An option, or the number after it.
        -* | *[0-9]*) ;;
        *) sections="$sections $argument" ;;
        esac
    done
    case "$sections " in
    " " | *" trips "* | *" console "* | *" fairness "* | *" live "* | *" soak "*)
        build "astrolabe in release" build --product astrolabe
        ;;
    esac
    case "$sections " in
    " " | *" trips "*) build "the app in release" build --product astronomy-shop ;;
    esac
    export ASTROLABE_EXECUTABLE="$root/.build/release/astrolabe"
    build "the benchmarks in release" build --product benchmarks
    exec "$root/.build/release/benchmarks" "$@"
}
