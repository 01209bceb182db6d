import TelemetryQuery

/// The current records of some datasets as columns, and the engine that evaluates queries over them.
struct QueryColumns: Sendable {
    private let segments: [Dataset: [Segment]]
    /// It has the limits of queries, and looks up the related fields that were asked for.
    let engine: QueryEngine
    /// What the reader must know of the numbers.
    let warnings: [String]

    init(segments: [Dataset: [Segment]], engine: QueryEngine, warnings: [String]) {
        self.segments = segments
        self.engine = engine
        self.warnings = warnings
    }

    /// Returns the segments of a dataset that was asked for, the oldest first.
    func segments(of dataset: Dataset) -> [Segment] { segments[dataset] ?? [] }
}
