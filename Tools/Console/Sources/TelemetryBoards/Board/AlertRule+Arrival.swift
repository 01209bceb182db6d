package import TelemetryQuery

/// One group of the answer to a question of an alert, without the rest of the groups.
package struct AlertRow: Sendable {
    /// The values of the group's fields; empty for a query without groups.
    package var group: String
    /// The number that the first of these fields has; `nil` without one.
    package var firstKey: Double?
    /// The results of the calculations; `nil` where there was nothing to compute from.
    package var values: [Double?]

    package init(group: String, firstKey: Double?, values: [Double?]) {
        self.group = group
        self.firstKey = firstKey
        self.values = values
    }
}

/// The news of records that arrived when the window in which they happened was past.
///
/// A phone reports a crash at its next launch, hours or days later. Windows of the past begin at multiples of their
/// length. One that got records is opened again. A group has news if the window crosses the threshold with these
/// records and did not without them.
extension AlertRule {
    /// The greatest age of a record that is heard, in nanoseconds: 30 days.
    package static let reach: Int64 = 2_592_000_000_000_000
    /// The largest number of windows that one evaluation opens again, the newest.
    package static let pastWindows = 200

    private static let minute: Int64 = 60_000_000_000

    /// The question about the present window: ``question``, and the time of the newest record of each group.
    package var presentQuestion: Query { question.dated }

    /// Returns the groups with a value, of an answer to ``presentQuestion``.
    package func readings(of rows: [AlertRow]) -> [AlertReading] {
        rows.compactMap { row in
            guard let value = row.values.first ?? nil else { return nil }
            let newest = row.values.last ?? nil
            return AlertReading(
                value: value, group: row.group,
                happened: newest.flatMap { Int64(exactly: $0.rounded(.towardZero)) })
        }
    }

    /// Returns the groups with news, each with the value of the window that crosses the threshold the most.
    ///
    /// - Parameters:
    ///   - heard: The time of the last evaluation, in nanoseconds since 1970. Records are news if they arrived in that
    ///     minute or later. `nil` takes what arrived in the last window.
    ///   - now: Nanoseconds since 1970.
    ///   - ask: Answers a question.
    /// - Throws: What `ask` throws.
    package func news(
        since heard: Int64?, at now: Int64, isolation: isolated (any Actor)? = #isolation,
        ask: (Query) async throws -> [AlertRow],
    ) async throws -> [AlertReading] {
        // Such a query counts what arrived in the window, whenever it happened.
        guard query.query.clock == .event, window < Self.reach else { return [] }
        let first = min(heard ?? now - window, now)
        let since = first - (first % Self.minute + Self.minute) % Self.minute
        var found: [AlertReading] = []
        for key in try await ask(windows(withRecordsSince: since, at: now)).compactMap(\.firstKey) {
            guard let number = Int64(exactly: (key / Double(window)).rounded()) else { continue }
            let past = TimeRange.between(from: number * window, to: (number + 1) * window)
            let present = crossing(try await ask(pastQuestion(past)))
            guard !present.isEmpty else { continue }
            let known = crossing(try await ask(pastQuestion(past, knownBefore: since)))
            found += present.filter { reading in !known.contains { $0.group == reading.group } }
        }
        return Dictionary(grouping: found, by: \.group).values.compactMap { reading(of: $0) }
    }

    private func crossing(_ rows: [AlertRow]) -> [AlertReading] {
        readings(of: rows).filter { threshold.isCrossed(by: $0.value) }
    }

    /// The question for the past windows in which records are that arrived late, by their starts.
    private func windows(withRecordsSince since: Int64, at now: Int64) -> Query {
        var windows = query.query.ofRecords()
        windows.groups = [.bucket(.field("time"), Literal(.int(window)))]
        windows.order = [OrderTerm(.group(windows.groups[0]), isDescending: true)]
        windows.limit = Self.pastWindows
        // What did not arrive lately is left out first, because it is the most.
        windows.condition = Self.all([isLate(since), query.query.condition])
        windows.time = .between(from: now - Self.reach, to: now + 1 - window)
        return windows
    }

    private func pastQuestion(_ window: TimeRange, knownBefore since: Int64? = nil) -> Query {
        var question = presentQuestion
        question.time = window
        if let since {
            question.condition = Self.all([question.condition, .not(isLate(since))])
        }
        return question
    }

    /// Returns the conditions as one that has a text form.
    private static func all(_ conditions: [Condition?]) -> Condition {
        let conditions = conditions.compactMap(\.self)
        return conditions.count == 1 ? conditions[0] : .all(conditions)
    }

    /// A session that goes on has new records all the time. Only one that had ended has late ones.
    private func isLate(_ since: Int64) -> Condition {
        let hasArrived = Condition.leaf(Term(.field(FieldNames.arrived), .greaterOrEqual, [Literal(.int(since))]))
        guard query.query.dataset == .sessions else { return hasArrived }
        return .all([
            hasArrived, .leaf(Term(.field(FieldNames.delay), .greaterOrEqual, [Literal(.int(window))])),
        ])
    }
}

extension Query {
    /// The query with the time of the newest record as its last calculation.
    fileprivate var dated: Query {
        var dated = self
        dated.calculations.append(Calculation(.max, of: .field("time")))
        return dated
    }
}
