import Astrolabe
import Dispatch
import Foundation

/// Occupies the main thread on purpose, goes into the background and comes back, and keeps account of it.
struct HangScript {
    let telemetry: Telemetry
    /// Leaves a text for the test under a name.
    let leave: @Sendable (_ name: String, _ text: String) -> Void
    /// Called after the last act.
    let finish: @Sendable () -> Void

    /// Does hangs of 0.3 s, with pauses of 0.1 to 0.25 s, until so many were done.
    ///
    /// - Parameter isRetrying: Whether a hang does not count if the machine did not run every thread at once. The
    ///   script then ends after 55 s at the latest.
    func hangAgain(_ count: Int, isRetrying: Bool) {
        let limit: UInt64 = isRetrying ? 55 : 240
        hangAgain(count, isRetrying, until: Self.now.steady + limit * 1_000_000_000, truth: [])
    }

    private func hangAgain(_ count: Int, _ isRetrying: Bool, until end: UInt64, truth: [String]) {
        guard count > 0, Self.now.steady < end else {
            leave("hangs", truth.joined(separator: "\n"))
            return after(milliseconds: 300, finish)
        }
        let (asked, lateBefore) = (Self.now.steady, Heartbeat.shared.lateness)
        let pause = Chance.number(in: 100...250)
        after(milliseconds: pause) {
            let due = asked + UInt64(pause) * 1_000_000
            let late = Self.now.steady - min(due, Self.now.steady)
            let hang = Self.hang(for: 0.3, isAsleep: truth.count.isMultiple(of: 2))
            let over = Self.now.steady
            DispatchQueue.main.async {
                let slack = max(late, Self.now.steady - over)
                let disturbance = Heartbeat.shared.lateness - lateBefore + (slack > Heartbeat.tolerance ? slack : 0)
                let left = disturbance > 0 && isRetrying ? count : count - 1
                hangAgain(left, isRetrying, until: end, truth: truth + ["\(hang) \(late) \(disturbance)"])
            }
        }
    }

    /// Goes from the foreground to the background and back at random moments, and hangs in the background.
    ///
    /// - Parameter isHanging: Whether it hangs once in the foreground, too, in the middle.
    func flicker(for seconds: Double, isHanging: Bool) {
        let end = Self.now.steady + UInt64(seconds * 0.5e9)
        flicker(isActive: true, until: end) {
            guard isHanging else { return flicker(for: seconds, then: finish) }
            telemetry.moveLifecycle(to: .active)
            leave("truce", "begins")
            let due = Self.now.steady + 100_000_000
            after(milliseconds: 100) {
                Self.hang(for: 0.6, due: due) { leave("hangs", $0) }
                after(milliseconds: 500) {
                    leave("truce", "ends")
                    flicker(for: seconds, then: finish)
                }
            }
        }
    }

    private func flicker(for seconds: Double, then done: @escaping @Sendable () -> Void) {
        flicker(isActive: true, until: Self.now.steady + UInt64(seconds * 0.5e9), then: done)
    }

    private func flicker(isActive: Bool, until end: UInt64, then done: @escaping @Sendable () -> Void) {
        guard Self.now.steady < end else { return done() }
        telemetry.moveLifecycle(to: isActive ? .active : .background)
        after(milliseconds: Chance.number(in: 50...700)) {
            if !isActive, Chance.coin() { _ = Self.hang(for: 0.4, isAsleep: Chance.coin()) }
            flicker(isActive: !isActive, until: end, then: done)
        }
    }

    private func after(milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: body)
    }

    /// Hangs, and reports the truth: the start in nanoseconds since 1970, the duration, the delays, and by how much
    /// another thread was late meanwhile. The delays are the times before and after it when the busy machine did not
    /// run the main thread. The last is known only when the main queue is served again, so the truth is reported twice.
    ///
    /// - Parameters:
    ///   - due: When the hang was to begin.
    ///   - isOver: Must hold at its end, however long that takes.
    static func hang(
        for seconds: Double, due: UInt64? = nil, until isOver: () -> Bool = { true },
        report: @escaping @Sendable (String) -> Void,
    ) {
        let lateBefore = Heartbeat.shared.lateness
        let start = now.steady
        let late = start - min(due ?? start, start)
        let hang = hang(for: seconds, isAsleep: false, until: isOver)
        let over = now.steady
        report("\(hang) \(late) \(Heartbeat.shared.lateness - lateBefore)")
        DispatchQueue.main.async {
            report("\(hang) \(late + now.steady - over) \(Heartbeat.shared.lateness - lateBefore)")
        }
    }

    /// Hangs, and gives the truth: when it began, in nanoseconds since 1970, and for how many it was.
    static func hang(for seconds: Double, isAsleep: Bool, until isOver: () -> Bool = { true }) -> String {
        let (wall, start) = now
        let end = start + UInt64(seconds * 1e9)
        while now.steady < end || !isOver() {
            // Signals end it.
            if isAsleep { poll(nil, 0, Int32((end - min(now.steady, end)) / 1_000_000 + 1)) }
        }
        return "\(wall) \(now.steady - start)"
    }

    /// Nanoseconds since 1970 and since boot.
    static var now: (wall: UInt64, steady: UInt64) { (time(CLOCK_REALTIME), time(steadyClock)) }

    #if canImport(Darwin)
    private static let steadyClock = CLOCK_MONOTONIC_RAW
    #else
    private static let steadyClock = CLOCK_BOOTTIME
    #endif

    private static func time(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
