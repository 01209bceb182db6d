package import TelemetryQuery

/// A query whose value must not cross a threshold.
package struct AlertRule: Hashable, Sendable {
    package enum Threshold: Hashable, Sendable {
        case above(Double)
        case below(Double)

        package func isCrossed(by value: Double) -> Bool {
            switch self {
            case .above(let limit): value > limit
            case .below(let limit): value < limit
            }
        }
    }

    /// The time in which someone should look.
    package enum Severity: String, Codable, Hashable, Sendable {
        /// At once.
        case critical
        /// In the next days.
        case warning
    }

    package var name: String
    package var note: String?
    /// A query of one calculation. With groups, each of them is compared.
    package var query: BoardQuery
    package var threshold: Threshold
    /// The threshold as it was written, such as `500ms`.
    package var thresholdText: String
    /// The time until now that the query covers, in nanoseconds.
    package var window: Int64
    /// The time between two evaluations, in nanoseconds. The default is one minute.
    package var interval: Int64 = 60_000_000_000
    /// The number of times in a row that the threshold must be crossed until the alert fires. The default is 1.
    package var times = 1
    package var webhook: Webhook?
    /// A shorter time until now in which the threshold must be crossed, too, in nanoseconds. Windows of the past are
    /// not confirmed, because their cause is over.
    package var confirmation: Int64?
    package var severity = Severity.critical

    /// The query to ask: the newest window, the groups that are nearest to crossing first.
    package var question: Query { question(over: window) }

    private func question(over time: Int64) -> Query {
        var question = query.query
        question.time = .last(nanoseconds: time)
        question.granularity = .total
        question.comparison = nil
        if let calculation = question.calculations.first, !question.groups.isEmpty {
            let isAbove = if case .above = threshold { true } else { false }
            question.order = [OrderTerm(.calculation(calculation), isDescending: isAbove)]
        }
        return question
    }

    /// The query for the shorter window; `nil` without one. It asks for all groups that the present window may have.
    package var confirmingQuestion: Query? {
        guard let confirmation else { return nil }
        var question = question(over: confirmation)
        question.limit = QueryLimits.resultGroups
        return question
    }

    /// Returns the groups of both windows, each with the value that is the further from crossing. So a value crosses if
    /// both windows do.
    package func confirmed(_ present: [AlertReading], by shorter: [AlertReading]) -> [AlertReading] {
        let values = Dictionary(grouping: shorter, by: \.group).compactMapValues { reading(of: $0)?.value }
        return present.compactMap { reading in
            guard let value = values[reading.group] else { return nil }
            var reading = reading
            switch threshold {
            case .above: reading.value = min(reading.value, value)
            case .below: reading.value = max(reading.value, value)
            }
            return reading
        }
    }

    /// The value of the group that crosses the threshold the most, or is the nearest to it.
    ///
    /// - Parameter rows: The answer to ``question`` without the rest of the groups.
    package func reading(of rows: [AlertReading]) -> AlertReading? {
        switch threshold {
        case .above: rows.max { $0.value < $1.value }
        case .below: rows.min { $0.value < $1.value }
        }
    }

    /// The value of the group that crosses the threshold the most. The present comes before the past.
    ///
    /// - Parameters:
    ///   - present: The groups of the present window.
    ///   - late: The groups with news of past windows, which cross the threshold.
    package func reading(of present: [AlertReading], late: [AlertReading]) -> AlertReading? {
        let worst = reading(of: present)
        if let worst, threshold.isCrossed(by: worst.value) { return worst }
        return reading(of: late) ?? worst
    }
}

/// The value of a group.
package struct AlertReading: Codable, Hashable, Sendable {
    package var value: Double
    /// The values of the group's fields; empty for a query without groups.
    package var group: String
    /// The time of the group's newest record, in nanoseconds since 1970; `nil` if it is not known.
    package var happened: Int64?

    package init(value: Double, group: String = "", happened: Int64? = nil) {
        self.value = value
        self.group = group
        self.happened = happened
    }
}
