import TelemetryQuery

/// The current records of some datasets as columns, and the engine that evaluates queries over them.
struct QueryColumns: Sendable {
    private let segments: [Dataset: [Segment]]
    /// It has the limits and the turns of the query, and looks up the related fields that were asked for.
    let engine: QueryEngine
    /// The turns in which work that the engine does not do is done.
    let turns: ScheduledTurns
    /// What the reader must know of the numbers.
    let warnings: [String]

    init(
        segments: [Dataset: [Segment]], limits: QueryEngine.Limits, related: RelatedFields?, turns: ScheduledTurns,
        warnings: [String],
    ) {
        self.segments = segments
        engine = QueryEngine(limits: limits, related: related, turns: turns)
        self.turns = turns
        self.warnings = warnings
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

    /// Returns the warnings, and those of the names in a plan that can mean two things.
    func warnings(of plan: QueryPlan) -> [String] {
        warnings + plan.ambiguities(in: segments(of: plan.query.dataset))
    }
}
