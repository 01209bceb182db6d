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
    /// Nanoseconds since 1970 on the wall clock, which users and the network may adjust.
    package static var wall: UInt64 { read(CLOCK_REALTIME) }

    /// Nanoseconds since boot on a monotonic clock that includes sleep.
    package static var sinceBoot: UInt64 { read(steadyClock) }

    #if canImport(Darwin)
    private static let steadyClock = CLOCK_MONOTONIC_RAW

    /// Changes with every boot of the system; empty if the system does not report it.
    package static let bootID: String = {
        var size = 0
        guard sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0) == 0, size > 0 else { return "" }
        var bytes = [UInt8](repeating: 0, count: size)
        guard sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 else { return "" }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }()
    #else
    private static let steadyClock = CLOCK_BOOTTIME

    /// Changes with every boot of the system; empty if the system does not report it.
    package static let bootID = KernelFile.firstLine(of: "/proc/sys/kernel/random/boot_id")
    #endif

    static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return 0 }
        // A wall clock set to before 1970 counts as 1970.
        return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
    }
}

/// The source of timestamps, injected so that tests control the time.
package struct TelemetryClock: Sendable {
    /// Added to the monotonic clock, unless `read` is set.
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

    /// The offset to add to `SystemTime.sinceBoot`; `nil` if the time has another source.
    package var offsetFromBoot: UInt64? { read == nil ? offset : nil }

    /// Returns a clock that starts at the current wall time and advances with the monotonic clock.
    ///
    /// A span's duration is therefore correct even if the wall clock is adjusted during it, and a child never starts
    /// before its parent.
    package static func anchored() -> TelemetryClock {
        TelemetryClock(offset: SystemTime.wall &- SystemTime.sinceBoot)
    }
}
