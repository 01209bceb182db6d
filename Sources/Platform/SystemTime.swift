#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The system's clocks in nanoseconds, read without a system call (through the vDSO or the commpage).
package enum SystemTime {
    /// Nanoseconds since 1970 by the wall clock, which people and the network may set.
    package static var wall: UInt64 { read(CLOCK_REALTIME) }

    /// Nanoseconds since boot by a clock that never goes back and that counts the time asleep.
    package static var sinceBoot: UInt64 { read(steadyClock) }

    #if canImport(Darwin)
    private static let steadyClock = CLOCK_MONOTONIC_RAW
    #else
    private static let steadyClock = CLOCK_BOOTTIME
    #endif

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return 0 }
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}

/// Where timestamps come from, injected so that tests can turn the time by hand.
package struct TelemetryClock: Sendable {
    private let read: @Sendable () -> UInt64

    package init(_ read: @escaping @Sendable () -> UInt64) {
        self.read = read
    }

    /// Nanoseconds since 1970.
    @inline(__always)
    package var now: UInt64 { read() }

    /// The wall clock of the moment this was made, carried on by the steady clock, so that a span's duration is right
    /// even where somebody sets the clock during it, and a child never starts before its parent.
    package static func anchored() -> TelemetryClock {
        let offset = SystemTime.wall &- SystemTime.sinceBoot
        return TelemetryClock { SystemTime.sinceBoot &+ offset }
    }
}
