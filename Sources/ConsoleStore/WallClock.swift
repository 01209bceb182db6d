import Foundation

/// The system's idea of the time.
package enum WallClock {
    /// Nanoseconds since 1970; 0 where the clock is set before it.
    @Sendable
    package static func unixNanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(max(time.tv_sec, 0)) * 1_000_000_000 + UInt64(max(time.tv_nsec, 0))
    }
}
