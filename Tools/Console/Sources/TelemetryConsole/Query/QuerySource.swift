import ConsoleStore
import TelemetryQuery

/// Answers queries over the spans and events of the store.
///
///     let answer = try await source.answer(Query(text: "count by name last 24h"))
///
/// Before each answer it reads what arrived since the last one, so a record is in the next query after its export was
/// answered. Reads do not hold the store's writer. Updates follow each other; evaluations run at the same time.
actor QuerySource {
    struct Answer: Sendable {
        var query: Query
        var result: QueryResult
        /// What the reader must know of the numbers.
        var warnings: [String]
    }

    /// Too many queries run already.
    struct Busy: Error {}

    /// The largest number of queries that are answered at the same time.
    static let queriesAtOnce = 4

    private let store: TelemetryStore
    private let limits: RecordColumns.Limits
    private let engineLimits: QueryEngine.Limits
    private var columns: [Dataset: RecordColumns] = [:]
    private var running = 0
    /// The last update that was started. The next one waits for it.
    private var lastUpdate: Task<[Segment], any Error>?

    init(
        _ store: TelemetryStore, limits: RecordColumns.Limits = RecordColumns.Limits(),
        engineLimits: QueryEngine.Limits = QueryEngine.Limits(),
    ) {
        self.store = store
        self.limits = limits
        self.engineLimits = engineLimits
    }

    /// - Throws: `QueryError`, `Busy`, `StoreError` or `CancellationError`.
    func answer(_ query: Query) async throws -> Answer {
        guard query.dataset == .spans || query.dataset == .events else {
            throw QueryError("Expected the dataset spans or events. The console has no columns of the others yet.")
        }
        let fields = query.relatedFields
        if let relation = fields.keys.filter({ $0 != .session }).map(\.rawValue).min() {
            throw QueryError(
                "Expected fields of the record or of session. The console does not look up \(relation) yet.")
        }
        guard running < Self.queriesAtOnce else { throw Busy() }
        running += 1
        defer { running -= 1 }
        let plan = try QueryPlan(query, now: Int64(clamping: store.configuration.now()))
        let segments = try await updatedSegments(of: query.dataset)
        var related: SessionFacts?
        if let asked = fields[.session] { related = try await SessionFacts(asked, in: store) }
        let result = try await QueryEngine(limits: engineLimits, related: related).evaluate(plan, over: segments)
        return Answer(query: query, result: result, warnings: warnings(of: query.dataset))
    }

    private func warnings(of dataset: Dataset) -> [String] {
        guard let columns = columns[dataset], columns.leavesOut else { return [] }
        return ["Older records are left out. The query covers the newest \(columns.rowCount) \(dataset.rawValue)."]
    }

    private func updatedSegments(of dataset: Dataset) async throws -> [Segment] {
        let previous = lastUpdate
        let update = Task {
            _ = await previous?.result
            return try await self.update(dataset)
        }
        lastUpdate = update
        return try await withTaskCancellationHandler {
            try await update.value
        } onCancel: {
            update.cancel()
        }
    }

    private func update(_ dataset: Dataset) async throws -> [Segment] {
        let columns = columns[dataset] ?? RecordColumns(RecordReader(store: store, dataset: dataset), limits: limits)
        self.columns[dataset] = columns
        try await columns.update(isolation: self)
        return columns.segments
    }
}
