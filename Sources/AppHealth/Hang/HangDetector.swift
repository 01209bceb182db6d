/// Decides whether the main thread hangs, from the passes of its run loop.
///
/// A pass is what the run loop does between two waits for work. The watchdog checks it from time to time. Times are
/// nanoseconds on a monotonic clock.
///
/// Periods in which the watchdog itself did not run, because the process was stopped or the device slept, are excluded
/// from all durations. Its own sleep ends with the begin of a pass, from when on it should run. Periods in which it
/// waited for a busy CPU count. If the system does not report that waiting time, short stops look the same and are not
/// excluded. A hang therefore also requires that the watchdog ran for half of the threshold, because the main thread
/// could have run then too.
///
/// A pass that was under way when detection began is not a hang: it is part of an app start, which has its own span.
struct HangDetector: Equatable, Sendable {
    /// The observations of one check.
    struct Observation: Equatable, Sendable {
        var now: UInt64
        /// When the pass under way began; 0 while the main thread waits for work.
        var pass: UInt64 = 0
        /// When the last pass that was at least as long as the threshold began and ended; 0 if there was none.
        var longPass: UInt64 = 0
        var longPassEnd: UInt64 = 0
        /// Nanoseconds that the watchdog has waited for a CPU since the previous check, if the system reports it.
        var waited: UInt64 = 0
        /// True while hangs are detected: not in the background, before the app was active, or under a debugger.
        var isDetecting = true
    }

    enum Action: Equatable, Sendable {
        case none
        /// A hang has begun; its duration so far in nanoseconds.
        case begin(UInt64)
        /// The hang continues; its duration so far in nanoseconds.
        case ongoing(UInt64)
        /// The pass has ended; the duration of the hang in nanoseconds.
        case end(UInt64)
        /// Detection stopped during the hang; its duration so far in nanoseconds.
        case stop(UInt64)
    }

    /// A pass that is observed.
    private struct Pass: Equatable {
        var began: UInt64
        /// Nanoseconds since its begin that are excluded, in all and up to the previous check.
        var lost: UInt64 = 0
        var lostBefore: UInt64 = 0
        /// Nanoseconds since its begin in which the process was certainly running: for each check, an interval plus the
        /// watchdog's waiting time.
        var evidence: UInt64 = 0
        var isHang = false

        func duration(until time: UInt64, without lost: UInt64) -> UInt64 {
            let duration = time - min(began, time)
            return duration - min(lost, duration)
        }
    }

    /// Nanoseconds between two checks while the main thread works.
    let interval: UInt64
    /// Nanoseconds from which a pass is a hang.
    let threshold: UInt64
    private var pass: Pass?
    private var lastCheck: UInt64?
    /// When detection last began; `nil` while it is off.
    private var detectingSince: UInt64?
    /// The end of the last long pass that was considered.
    private var seenEnd: UInt64 = 0

    /// The number of intervals without a check after which the watchdog counts as not running.
    private static let missedCheckLimit: UInt64 = 3

    init(interval: UInt64 = 50_000_000, threshold: UInt64) {
        self.interval = interval
        self.threshold = threshold
    }

    /// True if a hang is under way.
    var isHanging: Bool { pass?.isHang == true }

    /// The watchdog has slept on purpose, while the main thread waited for work.
    ///
    /// - Parameter time: When it should run again: the begin of the pass that woke it. What follows is a gap like any
    ///   other, in which the process may have been stopped.
    mutating func resume(at time: UInt64) { lastCheck = max(lastCheck ?? time, time) }

    /// - Returns: In their order: the end of a hang, another one that began and ended since, and the begin of a third.
    mutating func process(_ observation: Observation) -> [Action] {
        let now = observation.now
        let previous = min(lastCheck ?? now, now)
        lastCheck = now
        let gap = now - previous
        let explained = min(observation.waited, gap)
        let unexplained = gap - explained
        let lost = unexplained > interval * Self.missedCheckLimit ? unexplained - interval : 0
        let evidence = min(unexplained, interval) + explained
        count(lost: lost, evidence: evidence)
        guard observation.isDetecting else { return [stop(observation, previous: previous)] }
        let since = detectingSince ?? now
        detectingSince = since
        var actions: [Action] = []
        if let ended = endOfHang(observation, previous: previous) { actions.append(ended) }
        if let ended = endOfLongPass(
            observation, previous: previous, since: since, lost: lost, evidence: evidence)
        {
            actions.append(ended)
        }
        if observation.pass == 0 || observation.pass < since {
            pass = nil
        } else if pass?.began != observation.pass {
            let age = now - min(observation.pass, now)
            pass = Pass(began: observation.pass, lost: min(lost, age), evidence: min(evidence, age))
        }
        if let action = continuedPass(at: now) { actions.append(action) }
        return actions
    }

    private mutating func count(lost: UInt64, evidence: UInt64) {
        guard var current = pass else { return }
        current.lostBefore = current.lost
        current.lost += lost
        current.evidence += evidence
        pass = current
    }

    private mutating func continuedPass(at now: UInt64) -> Action? {
        guard var current = pass else { return nil }
        let duration = current.duration(until: now, without: current.lost)
        if current.isHang { return .ongoing(duration) }
        guard duration >= threshold, current.evidence >= threshold / 2 else { return nil }
        current.isHang = true
        pass = current
        return .begin(duration)
    }

    /// The end of the hang that was under way at the previous check.
    private mutating func endOfHang(_ observation: Observation, previous: UInt64) -> Action? {
        guard let ended = pass, ended.isHang, ended.began != observation.pass else { return nil }
        pass = nil
        guard observation.longPass == ended.began, observation.longPassEnd > 0 else {
            // Another long pass has followed since.
            return .end(ended.duration(until: previous, without: ended.lostBefore))
        }
        seenEnd = observation.longPassEnd
        return .end(duration(of: ended, until: observation.longPassEnd, previous: previous))
    }

    /// A hang that was not under way at the previous check, or too short by then.
    private mutating func endOfLongPass(
        _ observation: Observation, previous: UInt64, since: UInt64, lost: UInt64, evidence: UInt64,
    ) -> Action? {
        let (began, end) = (observation.longPass, observation.longPassEnd)
        guard end > 0, end != seenEnd else { return nil }
        seenEnd = end
        guard began >= since else { return nil }
        var ended = Pass(began: began, lost: lost, evidence: evidence)
        if let pass, pass.began == began { ended = pass }
        let duration = duration(of: ended, until: end, previous: previous)
        return duration >= threshold && ended.evidence >= threshold / 2 ? .end(duration) : nil
    }

    /// The duration of a pass that has ended.
    ///
    /// Within a period without checks it is unknown when the process ran. An end early in it counts as before the stop,
    /// any other as after it.
    private func duration(of pass: Pass, until end: UInt64, previous: UInt64) -> UInt64 {
        pass.duration(until: end, without: end - min(previous, end) <= interval ? pass.lostBefore : pass.lost)
    }

    private mutating func stop(_ observation: Observation, previous: UInt64) -> Action {
        let ended = endOfHang(observation, previous: previous)
        defer { (pass, detectingSince, seenEnd) = (nil, nil, observation.longPassEnd) }
        if let ended { return ended }
        guard let pass, pass.isHang else { return .none }
        return .stop(pass.duration(until: observation.now, without: pass.lost))
    }
}
