package import AstrolabeTelemetryModel
package import TelemetryQuery

/// The way to get answers to queries from a store.
///
///     switch store.queryBackend {
///     case .arrivals(let source): …
///     case .evaluator(let evaluator): …
///     }
package enum QueryBackend: Sendable {
    /// The console makes columns from the records, and evaluates queries over them.
    case arrivals(any ArrivalSource)
    /// The store evaluates queries.
    case evaluator(any QueryEvaluator)
}

extension TelemetryStore {
    /// The records in the order of arrival; `nil` if the store evaluates queries itself.
    package var arrivals: (any ArrivalSource)? {
        if case .arrivals(let source) = queryBackend { source } else { nil }
    }
}

/// A store whose records have sequence numbers, in the order of arrival. The columns of queries are made from them.
package protocol ArrivalSource: Sendable {
    var configuration: StoreConfiguration { get }

    func spans(arrivedIn range: ClosedRange<Int64>, limit: Int) async throws(StoreError) -> Arrivals<SpanRecord>
    func events(arrivedIn range: ClosedRange<Int64>, limit: Int) async throws(StoreError) -> Arrivals<EventRecord>
    func points(arrivedIn range: ClosedRange<Int64>, limit: Int) async throws(StoreError) -> Arrivals<StoredPoint>
    /// Returns the number of records of a dataset with these sequence numbers.
    func recordCount(of dataset: String, arrivedIn range: ClosedRange<Int64>) async throws(StoreError) -> Int
    func sessionsOfTraces(
        changedAfter sequence: Int64, limit: Int,
    ) async throws(StoreError) -> (sessions: [(trace: TraceID, session: String)], through: Int64)
    func sessionBlocks() async throws(StoreError) -> [RowBlock]
    func storedSessions(
        in range: ClosedRange<Int64>
    ) async throws(StoreError) -> (sessions: [StoredSession], origins: [Int64: Origin])
    func issueEventBlocks() async throws(StoreError) -> [RowBlock]
    func storedIssueEvents(
        in range: ClosedRange<Int64>
    ) async throws(StoreError) -> (issueEvents: [StoredIssueEvent], origins: [Int64: Origin])
    func sealedRanges(of dataset: String) async throws(StoreError) -> (ranges: [SealedRange], trimmedThrough: Int64)
    func addSealedRange(_ range: SealedRange) async throws(StoreError)
    /// Returns the sequence number of the record that arrived last.
    func lastSequence() async throws(StoreError) -> Int64
    /// Returns when the records with some sequence numbers arrived.
    func arrivalTimes(of sequences: [Int64]) async throws(StoreError) -> ArrivalTimes
    /// Returns the start of the minute in which the last record arrived, in nanoseconds since 1970; `nil` without one.
    func lastArrival() async throws(StoreError) -> Int64?
}

/// A store that evaluates queries.
package protocol QueryEvaluator: Sendable {
    /// Evaluates a query.
    ///
    /// - Throws: `QueryError` for what the store cannot do, `StoreError` or `CancellationError`.
    func evaluate(_ plan: QueryPlan) async throws -> QueryResult

    /// Returns the first `limit` records that fulfil the plan's condition in its window.
    ///
    /// - Throws: What ``evaluate(_:)`` throws.
    func records(_ plan: QueryPlan, order: RecordOrder, limit: Int) async throws -> RecordsResult

    /// Returns the newest records that fulfil the plan's condition in its window.
    ///
    /// - Parameter fields: The fields that are read; `nil` for all.
    /// - Throws: What ``evaluate(_:)`` throws.
    func columns(_ plan: QueryPlan, fields: Set<String>?) async throws -> NewestColumns

    /// Returns the records of a dataset that may be related to those of a window: up to one day before and after it.
    ///
    /// - Throws: What ``evaluate(_:)`` throws.
    func relatedColumns(
        of dataset: Dataset, around window: TimeWindow, fields: Set<String>,
    ) async throws -> NewestColumns

    /// Returns the sessions of the traces that have a record in a window, or up to one day before or after it.
    func sessionsOfTraces(around window: TimeWindow) async throws(StoreError) -> [TraceID: String]
}
