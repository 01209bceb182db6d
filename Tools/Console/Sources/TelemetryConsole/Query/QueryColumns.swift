import TelemetryQuery

/// The current records of some datasets as columns, and the engine that evaluates queries over them.
struct QueryColumns: Sendable {
    private let segments: [Dataset: [Segment]]
    /// It has the limits and the turns of the query, and looks up the related fields that were asked for.
    let engine: QueryEngine
    /// The turns in which work that the engine does not do is done.
    let turns: ScheduledAdmission
    /// Warnings about the numbers, whatever the time.
    private let general: [String]
    /// Of the datasets that the query reads, also for fields of related records.
    private let leftOut: [LeftOutRows]

    init(
        segments: [Dataset: [Segment]], limits: QueryEngine.Limits, related: RelatedFields?, turns: ScheduledAdmission,
        warnings: [String], leftOut: [LeftOutRows] = [],
    ) {
        self.segments = segments
        engine = QueryEngine(limits: limits, related: related, turns: turns)
        self.turns = turns
        general = warnings
        self.leftOut = leftOut
    }

    /// Returns the segments of a dataset that was asked for, the oldest first.
    func segments(of dataset: Dataset) -> [Segment] { segments[dataset] ?? [] }

    /// Returns the segments of a plan's dataset, the oldest first.
    ///
    /// - Throws: `QueryError` if a value that the plan reads was left out.
    func segments(for plan: QueryPlan) throws(QueryError) -> [Segment] {
        let segments = segments(of: plan.query.dataset)
        try plan.checkOmissions(in: segments)
        return segments
    }

    /// Says which rows are left out of an answer about the time from `start` on; empty if it is complete.
    func omissions(from start: Int64) -> [String] { leftOut.compactMap { $0.sentence(from: start) } }

    /// Says which rows are left out of the answer to a plan; empty if it is complete.
    func omissions(of plan: QueryPlan) -> [String] {
        omissions(from: min(plan.window.start, plan.comparisonWindow?.start ?? .max))
    }

    /// Returns the warnings about the numbers of an answer for the time from `start` on.
    func warnings(from start: Int64) -> [String] { general + omissions(from: start) }

    /// Returns the warnings, and those of the names in a plan that can mean two things.
    func warnings(of plan: QueryPlan) -> [String] {
        general + omissions(of: plan) + plan.ambiguities(in: segments(of: plan.query.dataset))
    }
}
