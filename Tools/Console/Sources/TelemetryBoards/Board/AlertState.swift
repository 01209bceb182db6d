/// The state of an alert over its evaluations.
package struct AlertState: Hashable, Sendable {
    package enum Phase: String, Hashable, Sendable {
        /// Not evaluated yet.
        case waiting
        case ok
        /// The threshold is crossed, but not often enough in a row.
        case pending
        case firing
        /// It could not be evaluated, or not from all records.
        case unknown
    }

    package enum Change: String, Hashable, Sendable {
        case fired
        case recovered
        case unknown
    }

    package private(set) var phase = Phase.waiting
    /// When the phase began, in nanoseconds since 1970.
    package private(set) var since: Int64?
    package private(set) var evaluated: Int64?
    package private(set) var reading: AlertReading?
    /// Why the last evaluation failed.
    package private(set) var failure: String?
    private var crossings = 0

    package init() {}

    /// Takes the result of an evaluation.
    ///
    /// - Parameter reading: `nil` if there was nothing to compute from. Then nothing is crossed.
    /// - Returns: The change that readers must know of.
    package mutating func take(_ reading: AlertReading?, of rule: AlertRule, at time: Int64) -> Change? {
        self.reading = reading
        evaluated = time
        failure = nil
        crossings = reading.map { rule.threshold.isCrossed(by: $0.value) } == true ? crossings + 1 : 0
        let before = phase
        let now: Phase = crossings == 0 ? .ok : crossings >= rule.times ? .firing : .pending
        if now != before {
            phase = now
            since = time
        }
        if now == .firing, before != .firing { return .fired }
        return [.firing, .unknown].contains(before) && now != .firing ? .recovered : nil
    }

    /// Takes the failure of an evaluation. No one knows then whether the threshold is crossed.
    ///
    /// - Returns: The change that readers must know of.
    package mutating func fail(_ message: String, at time: Int64) -> Change? {
        failure = message
        evaluated = time
        guard phase != .unknown else { return nil }
        phase = .unknown
        since = time
        crossings = 0
        return .unknown
    }

    /// Whether the next evaluation is due.
    package func isDue(_ rule: AlertRule, at time: Int64) -> Bool {
        evaluated.map { time - $0 >= rule.interval || time < $0 } ?? true
    }
}
