/// Decides whether the main thread hangs, from the observations of a watchdog.
///
/// At every check the watchdog sends the main thread a ping, unless a response is still pending. Times are nanoseconds
/// on a monotonic clock.
///
/// Periods in which the watchdog itself did not run, because the process was stopped or the device slept, are excluded
/// from all durations. Periods in which it waited for a busy CPU count. If the system does not report that waiting
/// time, short stops look the same and are not excluded. A hang therefore also requires that the watchdog ran for half
/// of the threshold, because the main thread could have run then too.
struct HangDetector: Hashable, Sendable {
    /// The observations of one check.
    struct Observation: Hashable, Sendable {
        var now: UInt64
        /// The number of the last ping that received a response, and the time of the response; 0 if there is none.
        var lastResponse: UInt64 = 0
        var respondedAt: UInt64 = 0
        /// Nanoseconds that the watchdog has waited for a CPU since the previous check, if the system reports it.
        var waited: UInt64 = 0
        /// Whether hangs are detected: false in the background and under a debugger.
        var isDetecting = true
        /// Whether the main thread is known to serve its queue although it has not responded yet, because the app has
        /// been active.
        var isServing = false
    }

    enum Action: Hashable, Sendable {
        case none
        /// Send this ping to the main thread.
        case ping(UInt64)
        /// A hang has begun; its duration so far in nanoseconds.
        case begin(UInt64)
        /// The hang continues; its duration so far in nanoseconds.
        case ongoing(UInt64)
        /// The main thread has responded; the duration of the hang in nanoseconds.
        case end(UInt64)
        /// Detection stopped during the hang; its duration so far in nanoseconds.
        case stop(UInt64)
    }

    private enum State: Hashable {
        case idle
        case pinged(UInt64)
        case hanging(UInt64)
    }

    /// Nanoseconds between two checks.
    let interval: UInt64
    /// Nanoseconds from which an unresponsive main thread is a hang.
    let threshold: UInt64
    private var state = State.idle
    private var ping: UInt64 = 0
    private var lastCheck: UInt64?
    /// Nanoseconds excluded so far, now and at the previous check.
    private var lost: UInt64 = 0
    private var lostBefore: UInt64 = 0
    /// Nanoseconds since the ping in which the process was certainly running: for each check, an interval plus the
    /// watchdog's waiting time.
    private var evidence: UInt64 = 0
    /// When the main thread last responded. A program without a main queue never responds.
    private var lastResponseTime: UInt64?

    /// The number of intervals without a check after which the watchdog counts as not running.
    private static let missedCheckLimit: UInt64 = 3

    init(interval: UInt64 = 50_000_000, threshold: UInt64) {
        self.interval = interval
        self.threshold = threshold
    }

    /// Whether the main thread has not responded for longer than the threshold.
    var isHanging: Bool { if case .hanging = state { true } else { false } }

    mutating func process(_ observation: Observation) -> Action {
        let previous = min(lastCheck ?? observation.now, observation.now)
        lostBefore = lost
        let gap = observation.now - previous
        let unexplained = gap - min(observation.waited, gap)
        if unexplained > interval * Self.missedCheckLimit { lost += unexplained - interval }
        evidence += min(unexplained, interval) + (gap - unexplained)
        lastCheck = observation.now
        let now = observation.now - lost
        guard observation.isDetecting else {
            defer { state = .idle }
            guard case .hanging(let since) = state else { return .none }
            guard observation.lastResponse == ping else { return .stop(now - since) }
            let time = steady(observation.respondedAt, after: previous, now: now)
            lastResponseTime = time
            return .end(time - min(since, time))
        }
        switch state {
        case .idle: return sendPing(at: now)
        case .pinged(let since), .hanging(let since):
            if observation.lastResponse == ping {
                return respond(at: steady(observation.respondedAt, after: previous, now: now), now: now, since: since)
            }
            guard lastResponseTime != nil || observation.isServing else { return .none }
            if case .hanging = state { return .ongoing(now - since) }
            guard isHang(now - since) else { return .none }
            state = .hanging(since)
            return .begin(now - since)
        }
    }

    /// Returns the time of a response without the excluded periods.
    ///
    /// Within a period without checks it is unknown when the process ran. A response early in it counts as before the
    /// stop, any other as after it.
    private func steady(_ time: UInt64, after previous: UInt64, now: UInt64) -> UInt64 {
        let lost = time - min(previous, time) <= interval ? lostBefore : lost
        return min(time - min(lost, time), now)
    }

    private mutating func sendPing(at now: UInt64) -> Action {
        ping += 1
        evidence = 0
        // A hang would have begun between the last response and now: assume the middle.
        let unseen = min(now - min(lastResponseTime ?? now, now), interval * Self.missedCheckLimit)
        state = .pinged(now - unseen / 2)
        return .ping(ping)
    }

    private mutating func respond(at time: UInt64, now: UInt64, since: UInt64) -> Action {
        lastResponseTime = time
        let duration = time - min(since, time)
        guard isHanging || isHang(duration) else { return sendPing(at: now) }
        state = .idle
        return .end(duration)
    }

    private func isHang(_ duration: UInt64) -> Bool { duration >= threshold && evidence >= threshold / 2 }
}
