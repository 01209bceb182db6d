import Atomics

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
///
/// Time advances with a monotonic clock that includes sleep. The wall clock is read at the start and with each
/// ``reanchor()``, which notices a clock that was set. In between, readings are always in order.
package struct TelemetryClock: Sendable {
    /// Added to the monotonic clock. All copies of a clock share it.
    private let anchor: UnsafeAtomic<UInt64>
    private let wallClock: (@Sendable () -> UInt64)?
    private let steadyClock: (@Sendable () -> UInt64)?
    private let boot: (@Sendable () -> String)?

    /// The process has one wall clock, so its clocks have one anchor. It is never freed.
    private static let systemAnchor = UnsafeAtomic<UInt64>.create(0)
    private static let noAnchor = UnsafeAtomic<UInt64>.create(0)

    /// Creates a clock that is never anchored: `read` returns nanoseconds since 1970.
    package init(_ read: @escaping @Sendable () -> UInt64) {
        anchor = Self.noAnchor
        wallClock = nil
        steadyClock = read
        boot = nil
    }

    /// Creates a clock from two others, for tests and simulations. Its anchor is never freed.
    package init(
        wall: @escaping @Sendable () -> UInt64, steady: @escaping @Sendable () -> UInt64,
        boot: @escaping @Sendable () -> String,
    ) {
        anchor = .create(wall() &- steady())
        wallClock = wall
        steadyClock = steady
        self.boot = boot
    }

    private init(systemAnchor: UnsafeAtomic<UInt64>) {
        anchor = systemAnchor
        wallClock = nil
        steadyClock = nil
        boot = nil
    }

    /// Returns the system's clock, anchored to the current wall time.
    package static func anchored() -> TelemetryClock {
        let clock = TelemetryClock(systemAnchor: systemAnchor)
        clock.reanchor()
        return clock
    }

    /// Nanoseconds since 1970.
    package var now: UInt64 { steady &+ offset }

    /// Nanoseconds on the monotonic clock.
    package var steady: UInt64 { if let steadyClock { steadyClock() } else { SystemTime.sinceBoot } }

    /// Changes with every boot, which resets the monotonic clock; empty if that is not known.
    package var bootID: String { if let boot { boot() } else { steadyClock == nil ? SystemTime.bootID : "" } }

    /// The current offset to add to the monotonic clock.
    package var offset: UInt64 { anchor.load(ordering: .relaxed) }

    /// Nanoseconds since 1970 by an earlier ``offset``. The times of one trace are in order although the wall clock was
    /// set in between.
    package func time(offset: UInt64) -> UInt64 { steady &+ offset }

    /// The offset to add to `SystemTime.sinceBoot`; `nil` if the time has another source.
    package var offsetFromBoot: UInt64? { steadyClock == nil ? offset : nil }

    /// Reads the wall clock again. A difference of less than a millisecond changes nothing.
    package func reanchor() {
        let wall: UInt64
        if steadyClock == nil {
            wall = SystemTime.wall
        } else {
            guard let wallClock else { return }
            wall = wallClock()
        }
        let fresh = wall &- steady
        guard Int64(bitPattern: fresh &- offset).magnitude >= 1_000_000 else { return }
        anchor.store(fresh, ordering: .relaxed)
    }
}
