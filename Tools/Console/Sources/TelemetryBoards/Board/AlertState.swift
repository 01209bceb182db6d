/// The state of an alert over its evaluations, with one of its own for each group that crosses the threshold.
package struct AlertState: Codable, Hashable, Sendable {
    package enum Phase: String, Codable, Hashable, Sendable {
        /// Not evaluated yet.
        case waiting
        case ok
        /// A group crosses the threshold, but none often enough in a row.
        case pending
        /// At least one group fires.
        case firing
        /// It could not be evaluated, or not from all records.
        case unknown
    }

    package enum Change: String, Codable, Hashable, Sendable {
        case fired
        /// The end of ``fired``.
        case recovered
        case unknown
        /// The end of ``unknown``.
        case known
    }

    /// A change that readers must know of, of one group or of the alert as a whole.
    package struct Event: Hashable, Sendable {
        package var change: Change
        /// The group that fired or recovered; empty for a query without groups, and for an alert as a whole.
        package var group = ""
        /// The group's value; `nil` if there is none.
        package var value: Double?
        /// The time of the evaluation, which is when the console learned of it, in nanoseconds since 1970.
        package var time: Int64
        /// The time of the newest record of a group that fired; `nil` if it is not known.
        package var happened: Int64?
        /// Why the alert is unknown.
        package var failure: String?
    }

    private struct Group: Codable, Hashable {
        var crossings = 0
        var isFiring = false
    }

    /// A group whose threshold a past window crosses, because records arrived late.
    private struct News: Codable, Hashable {
        var reading: AlertReading
        /// The end of the time in which the news counts: a window after the evaluation that found it.
        var end: Int64
    }

    package private(set) var phase = Phase.waiting
    /// When the phase began, in nanoseconds since 1970.
    package private(set) var since: Int64?
    package private(set) var evaluated: Int64?
    /// The group that crosses the threshold the most, or is the nearest to it.
    package private(set) var reading: AlertReading?
    /// Why the last evaluation failed.
    package private(set) var failure: String?
    /// When the last evaluation that succeeded asked, in nanoseconds since 1970. What arrived later is news.
    package private(set) var heard: Int64?
    /// The groups that cross the threshold.
    private var groups: [String: Group] = [:]
    /// By group.
    private var news: [String: News] = [:]

    /// Creates a state from what readers know, so that they get the end of it.
    ///
    /// - Parameters:
    ///   - firing: The groups that fire, with the times at which they began to, in nanoseconds since 1970.
    ///   - unknownSince: The time since which the alert is unknown; `nil` if it is not.
    package init(firing: [String: Int64] = [:], unknownSince: Int64? = nil) {
        groups = firing.mapValues { _ in Group(isFiring: true) }
        if let unknownSince {
            phase = .unknown
            since = unknownSince
        } else if let first = firing.values.min() {
            phase = .firing
            since = first
        }
    }

    /// Returns the state after a restart. It is evaluated at once, with what arrived since the last evaluation.
    ///
    /// - Parameter known: The state of which receivers of notices know; `nil` if there is none.
    package func resumed(knowing known: AlertState?) -> AlertState {
        var state = known ?? self
        state.heard = heard
        state.news = news
        state.evaluated = nil
        return state
    }

    /// Takes the result of an evaluation. Each group fires and recovers by itself.
    ///
    /// - Parameters:
    ///   - readings: The values of the groups that are the nearest to crossing. If there are none, nothing is crossed.
    ///   - areAll: Whether there are no more groups than these.
    ///   - late: The groups whose threshold a past window crosses since records arrived late. They cross it for the
    ///     length of a window from now on.
    ///   - asked: The time for which the values were asked.
    /// - Returns: The changes, ends before beginnings.
    package mutating func take(
        _ readings: [AlertReading], areAll: Bool = true, late: [AlertReading] = [], of rule: AlertRule, at time: Int64,
        asked: Int64? = nil,
    ) -> [Event] {
        // An end further away was noted before the clock was set back.
        news = news.filter { $0.value.end > time && $0.value.end - time <= rule.window }
        for reading in late { news[reading.group] = News(reading: reading, end: time + rule.window) }
        reading = rule.reading(of: readings, late: news.values.map(\.reading))
        evaluated = time
        heard = asked ?? heard
        failure = nil
        var events: [Event] = []
        if phase == .unknown { events.append(Event(change: .known, time: time)) }
        let present = Dictionary(grouping: readings, by: \.group).compactMapValues { rule.reading(of: $0) }
        let values = present.merging(news.mapValues(\.reading)) { now, past in
            rule.threshold.isCrossed(by: now.value) ? now : past
        }
        let crossing = values.filter { rule.threshold.isCrossed(by: $0.value.value) }
        // Groups that were left out are further from the threshold than those that were not.
        let maybeMore = !areAll && crossing.count == values.count
        for (group, known) in groups.sorted(by: { $0.key < $1.key }) where crossing[group] == nil {
            if known.isFiring, maybeMore { continue }
            groups[group] = nil
            guard known.isFiring else { continue }
            events.append(Event(change: .recovered, group: group, value: values[group]?.value, time: time))
        }
        for (group, reading) in crossing.sorted(by: { $0.key < $1.key }) {
            var state = groups[group] ?? Group()
            guard !state.isFiring else { continue }
            state.crossings += 1
            state.isFiring = state.crossings >= rule.times
            groups[group] = state
            guard state.isFiring else { continue }
            events.append(
                Event(
                    change: .fired, group: group, value: reading.value, time: time, happened: reading.happened))
        }
        let fires = groups.values.contains { $0.isFiring }
        begin(fires ? .firing : groups.isEmpty ? .ok : .pending, at: time)
        return events
    }

    /// Takes the failure of an evaluation. No one knows then whether the threshold is crossed. A group that fires goes
    /// on to do so.
    ///
    /// - Returns: The change, at the first failure in a row.
    package mutating func fail(_ message: String, at time: Int64) -> [Event] {
        failure = message
        evaluated = time
        groups = groups.filter { $0.value.isFiring }
        guard phase != .unknown else { return [] }
        begin(.unknown, at: time)
        return [Event(change: .unknown, time: time, failure: message)]
    }

    private mutating func begin(_ next: Phase, at time: Int64) {
        guard next != phase else { return }
        phase = next
        since = time
    }

    /// Returns true if the next evaluation is due.
    package func isDue(_ rule: AlertRule, at time: Int64) -> Bool {
        evaluated.map { time - $0 >= rule.interval || time < $0 } ?? true
    }
}
