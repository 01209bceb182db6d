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

    static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return 0 }
        // A wall clock that is set to before 1970 counts as 1970.
        return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
    }
}

/// Where timestamps come from, injected so that tests can turn the time by hand.
package struct TelemetryClock: Sendable {
    /// Added to the steady clock, unless there is something else to read.
    private let offset: UInt64
    private let read: (@Sendable () -> UInt64)?

    package init(_ read: @escaping @Sendable () -> UInt64) {
        offset = 0
        self.read = read
    }

    private init(offset: UInt64) {
        self.offset = offset
        read = nil
    }

    /// Nanoseconds since 1970.
    package var now: UInt64 {
        if let read { read() } else { SystemTime.sinceBoot &+ offset }
    }

    /// What to add to `SystemTime.sinceBoot`; `nil` where the time is read from something else.
    package var offsetFromBoot: UInt64? { read == nil ? offset : nil }

    /// The wall clock of the moment this was made, carried on by the steady clock, so that a span's duration is right
    /// even where somebody sets the clock during it, and a child never starts before its parent.
    package static func anchored() -> TelemetryClock {
        TelemetryClock(offset: SystemTime.wall &- SystemTime.sinceBoot)
    }
}
