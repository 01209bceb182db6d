/// A question about ordered steps: how many come from one to the next, and how long that takes.
///
///     FunnelQuery(steps: [FunnelStep("Cart", try Condition(text: "app.screen.name = Cart")), …])
///
/// A step is any record that fulfils its condition, a span or an event. The records of one value of `key` are one
/// journey, and each journey counts once. An attempt begins at a record of the first step and goes on with the first
/// later record of each next step. The first of the attempts that come furthest counts.
package struct FunnelQuery: Hashable, Sendable {
    package static let stepLimit = 12
    /// The groups in the result. All others are one more.
    package static let groupLimit = 10
    /// One hour in nanoseconds.
    package static let defaultBound: Int64 = 3_600_000_000_000

    package var steps: [FunnelStep]
    /// The value that links the records of a journey. A record without it takes no part.
    package var key = Expression.installation
    /// The longest time from the first step to any other, in nanoseconds.
    package var bound = FunnelQuery.defaultBound
    /// A condition on the records of all steps.
    package var condition: Condition?
    /// Divides the journeys by a value of the record of the first step.
    package var group: Expression?
    /// The default is the last 24 hours. The funnel of a board has none, because the board has one.
    package var time: TimeRange?

    package init(steps: [FunnelStep]) {
        self.steps = steps
    }

    /// - Parameter now: Nanoseconds since 1970, the end of "last 1h".
    /// - Throws: `QueryError` if the query has too few or too many steps, or a bound that is not valid.
    package func window(now: Int64) throws(QueryError) -> TimeWindow {
        guard (2...Self.stepLimit).contains(steps.count) else {
            throw QueryError("Expected 2 to \(Self.stepLimit) steps, found \(steps.count).", at: .path("steps"))
        }
        guard bound > 0, bound <= QueryLimits.timeRange else {
            throw QueryError("Expected a time of more than 0, and ten years at most.", at: .path("within"))
        }
        for (index, step) in steps.enumerated() where step.dataset.map({ !Self.datasets.contains($0) }) ?? false {
            throw QueryError("Expected spans or events.", at: .path("steps[\(index)].of"))
        }
        return try TimeWindow(time ?? .last(nanoseconds: 86_400_000_000_000), .total, now: now)
    }

    /// The datasets that steps may be in.
    static let datasets: [Dataset] = [.spans, .events]
}

package struct FunnelStep: Hashable, Sendable {
    package var name: String
    /// The only dataset of the step, spans or events; `nil` for both.
    package var dataset: Dataset?
    package var condition: Condition

    package init(_ name: String, _ condition: Condition, in dataset: Dataset? = nil) {
        self.name = name
        self.dataset = dataset
        self.condition = condition
    }
}

/// The number of journeys that reach each step of a funnel.
package struct FunnelResult: Hashable, Sendable {
    package var window: TimeWindow
    package var steps: [FunnelStepResult]
    /// With a field to group by: the largest at the first step first, the rest as the last.
    package var groups: [FunnelGroup]
    /// Journeys for each step, the newest first.
    package var examples: [FunnelExamples]
    /// Records that fulfil a step, but have no key.
    package var unlinkedRecords: Int

    package init(
        window: TimeWindow, steps: [FunnelStepResult], groups: [FunnelGroup], examples: [FunnelExamples],
        unlinkedRecords: Int,
    ) {
        self.window = window
        self.steps = steps
        self.groups = groups
        self.examples = examples
        self.unlinkedRecords = unlinkedRecords
    }
}

package struct FunnelStepResult: Hashable, Sendable {
    /// The journeys that reach the step.
    package var reached = 0
    /// The time from the step before in nanoseconds, at or below which this share of them lies; `nil` for the first.
    package var p50: Int64?
    package var p90: Int64?

    package init() {}

    /// - Parameter times: Ascending.
    init(reached: Int, times: [Int64]) {
        self.reached = reached
        func quantile(_ share: Double) -> Int64? {
            times.isEmpty ? nil : times[max(0, Int((share * Double(times.count)).rounded(.up)) - 1)]
        }
        p50 = quantile(0.5)
        p90 = quantile(0.9)
    }
}

package struct FunnelGroup: Hashable, Sendable {
    package var value: QueryValue
    package var isOther: Bool
    package var steps: [FunnelStepResult]

    package init(value: QueryValue, isOther: Bool, steps: [FunnelStepResult]) {
        self.value = value
        self.isOther = isOther
        self.steps = steps
    }
}

package struct FunnelExamples: Hashable, Sendable {
    /// The number of examples of each kind.
    package static let limit = 20

    package var reached: [JourneyExample] = []
    /// Journeys that do not reach the next step.
    package var dropped: [JourneyExample] = []

    package init(reached: [JourneyExample] = [], dropped: [JourneyExample] = []) {
        self.reached = reached
        self.dropped = dropped
    }
}

/// A record of a journey, to be opened.
package struct JourneyExample: Hashable, Sendable {
    package var key: QueryValue
    package var session: String?
    package var trace: String?
    /// Nanoseconds since 1970.
    package var time: Int64

    package init(key: QueryValue, session: String?, trace: String?, time: Int64) {
        self.key = key
        self.session = session
        self.trace = trace
        self.time = time
    }
}
