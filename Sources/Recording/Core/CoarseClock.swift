import AstrolabePlatform

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The time of the system's last tick, for events whose time is seldom read. It is a few milliseconds old at most, and
/// several times cheaper to read than a clock.
enum CoarseClock {
    /// Nanoseconds of a clock that never goes back and that, except on Apple's systems, stands still during sleep.
    @inline(__always)
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000 &+ UInt64(truncatingIfNeeded: time.tv_nsec)
    }

    /// Nanoseconds of `SystemTime.sinceBoot`, to the millisecond, for what `now` was.
    static func sinceBoot(_ time: UInt64) -> UInt64 {
        #if canImport(Darwin)
        time
        #else
        // The one clock counts the time asleep and the other does not.
        var awake = timespec()
        clock_gettime(CLOCK_MONOTONIC, &awake)
        let monotonic = UInt64(clamping: awake.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: awake.tv_nsec)
        let asleep = (SystemTime.sinceBoot &- monotonic &+ 500_000) / 1_000_000 &* 1_000_000
        return time &+ asleep
        #endif
    }

    #if canImport(Darwin)
    private static var clock: clockid_t { CLOCK_MONOTONIC_RAW_APPROX }
    #else
    private static var clock: clockid_t { CLOCK_MONOTONIC_COARSE }
    #endif
}
