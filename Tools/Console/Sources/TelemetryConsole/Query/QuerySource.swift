import AstrolabeTelemetryModel
import ConsoleModel
import Logging
import TelemetryQuery

/// Answers queries over the records of the store.
///
///     let answer = try await source.answer(Query(text: "count by name last 24h"))
///
/// Before each answer it reads what arrived since the last one, so a record is in the next query after its export was
/// answered. Reads do not hold the store's writer. Updates follow each other; evaluations run at the same time.
actor QuerySource {
    struct Answer: Sendable {
        var query: Query
        var result: QueryResult
        /// Warnings about the numbers.
        var warnings: [String]
        /// Those of the warnings that name rows of the query's time which are left out.
        var omissions: [String] = []
        /// `nil` if the query is about no phone, or if the store does not know.
        var completeness: QueryCompleteness?
        /// Says why the store does not know the completeness; `nil` if it does.
        var completenessUnknown: String?
    }

    let store: any TelemetryStore
    private let limits: RecordColumns.Limits
    let engineLimits: QueryEngine.Limits
    private let timeout: Duration
    private let logger: Logger
    let indexIssues: @Sendable () async throws -> Void
    nonisolated let scheduler: QueryScheduler
    /// The counts of values for completion.
    nonisolated let valueCounts = KeptValueCounts()
    /// The newest records of a store that evaluates queries, with the time at which they were read.
    var newestRecords: [Dataset: (time: Int64, records: Segment?)] = [:]
    /// The completeness that was computed last.
    var keptCompleteness: KeptCompleteness?
    /// The columns that queries have read.
    private var askedNames: Set<String> = []
    /// Of spans, events and metrics.
    private var columns: [Dataset: RecordColumns] = [:]
    /// Of sessions and issues.
    private var changing: [Dataset: ChangingColumns] = [:]
    private let traceSessions = TraceSessions()
    private var lastTraceUpdate: Task<[TraceID: String], any Error>?
    private var pendingTraceUpdate: Task<[TraceID: String], any Error>?
    /// The last update of each dataset that was started. The next one waits for it.
    private var lastUpdates: [Dataset: Task<Void, any Error>] = [:]
    /// Those that have not begun. They will read all that has arrived until now.
    private var pendingUpdates: [Dataset: Task<Void, any Error>] = [:]
    /// The last sequence number up to which each dataset was prepared.
    private var preparedThrough: [Dataset: Int64] = [:]

    /// - Parameters:
    ///   - timeout: How long a query waits for an update of the columns.
    ///   - indexIssues: Assigns new crashes and hangs to issues.
    init(
        _ store: any TelemetryStore, limits: RecordColumns.Limits = RecordColumns.Limits(),
        engineLimits: QueryEngine.Limits = QueryEngine.Limits(),
        scheduler: QueryScheduler = QueryScheduler(QuerySchedule.Limits()),
        timeout: Duration = .seconds(10), logger: Logger = Logger(label: "console.queries"),
        indexIssues: @escaping @Sendable () async throws -> Void = {},
    ) {
        self.store = store
        self.limits = limits
        self.engineLimits = engineLimits
        self.timeout = timeout
        self.logger = logger
        self.indexIssues = indexIssues
        self.scheduler = scheduler
    }

    /// - Parameter isExplained: False for a caller that reads no warnings and no completeness, which the columns of the
    ///   embedded store are read again for.
    /// - Throws: `QueryError`, `QueryRefusal`, `StoreError` or `CancellationError`.
    func answer(_ query: Query, isExplained: Bool = true) async throws -> Answer {
        let plan = try QueryPlan(query, now: now)
        switch store.queryBackend {
        case .evaluator(let evaluator):
            try await prepare([query.dataset])
            let (result, warnings) = try await waiting {
                (try await evaluator.evaluate(plan), try await self.ambiguities(of: plan, in: evaluator))
            }
            return Answer(
                query: query, result: result, warnings: warnings, completenessUnknown: Self.completenessUnknown)
        case .arrivals(let source):
            keep(plan)
            return try await withColumns(of: [query.dataset], fields: query.relatedFields, from: source) { columns in
                let segments = try columns.segments(for: plan)
                let completeness = isExplained ? try await completeness(of: plan, in: columns) : nil
                let compared = completeness?.comparedAsOf.map(plan.comparing) ?? plan
                var answer = Answer(
                    query: query, result: try await columns.engine.evaluate(compared, over: segments),
                    warnings: columns.warnings(of: plan), omissions: columns.omissions(of: plan))
                guard isExplained else { return answer }
                answer.completeness = completeness
                let notes = [try await losses(of: plan, in: columns), completeness?.comparisonNote]
                answer.warnings += notes.compactMap(\.self)
                return answer
            }
        }
    }

    /// Nanoseconds since 1970, the end of "last 1h".
    nonisolated var now: Int64 { Int64(clamping: store.configuration.now()) }

    /// Evaluates something over the columns of datasets, with the limits and the turns of a query of the current
    /// ``QueryAsker``.
    ///
    /// - Parameters:
    ///   - fields: The fields of related records that `body` asks for: see ``Query/relatedFields``.
    ///   - body: It does its work in turns, those of the engine or of `columns.turns`.
    /// - Throws: `QueryError`, `QueryRefusal`, `StoreError`, `CancellationError`, or what `body` throws.
    func withColumns<Value: Sendable>(
        of datasets: [Dataset], fields: [Relation: Set<String>] = [:], from source: any ArrivalSource,
        _ body: @Sendable (QueryColumns) async throws -> Value,
    ) async throws -> Value {
        try await scheduler.run(limit: engineLimits.time) { turns in
            try await body(try await self.columns(of: datasets, fields: fields, from: source, turns))
        }
    }

    /// Has another process evaluate something, with the admission of a query of the current ``QueryAsker``.
    func waiting<Value: Sendable>(for work: @Sendable () async throws -> Value) async throws -> Value {
        try await scheduler.run(limit: engineLimits.time) { turns in try await turns.wait(for: work) }
    }

    private nonisolated func columns(
        of datasets: [Dataset], fields: [Relation: Set<String>], from source: any ArrivalSource,
        _ turns: ScheduledAdmission,
    ) async throws -> QueryColumns {
        var (segments, warnings) = ([Dataset: [Segment]](), [String]())
        for dataset in datasets {
            segments[dataset] = try await updatedSegments(of: dataset, from: source)
            warnings += await self.warnings(of: dataset)
        }
        let related = try await related(fields, from: source, turns)
        let joined = Set(fields.keys.map { $0 == .session ? Dataset.sessions : .spans })
        return QueryColumns(
            segments: segments, limits: engineLimits, related: related, turns: turns, warnings: warnings,
            leftOut: await leftOut(of: joined.union(datasets)))
    }

    /// Returns what looks up the fields of related records; `nil` if none is asked for.
    private nonisolated func related(
        _ fields: [Relation: Set<String>], from source: any ArrivalSource, _ turns: ScheduledAdmission,
    ) async throws -> RelatedFields? {
        if fields.isEmpty { return nil }
        var related = RelatedFields()
        if let asked = fields[.session] {
            let sessions = try await updatedSegments(of: .sessions, from: source)
            let traces = try await updatedTraceSessions(from: source)
            related.sessions = try await turns.take { _ in SessionFacts(asked, of: sessions, traces: traces) }
        }
        if fields.keys.contains(where: { $0 != .session }) {
            related.spans = try await SpanRelations(
                fields, in: try await updatedSegments(of: .spans, from: source), limits: engineLimits, turns: turns)
        }
        return related
    }

    private func leftOut(of datasets: Set<Dataset>) -> [LeftOutRows] {
        Dataset.allCases.filter(datasets.contains).compactMap { dataset in
            if let columns = columns[dataset] {
                return LeftOutRows(dataset: dataset, parts: columns.leftOut, rowCount: columns.rowCount)
            }
            return changing[dataset].map { columns in
                let parts = columns.leftOut.map { LeftOutRows.Part(rowCount: $0.rowCount, end: $0.end) }
                return LeftOutRows(dataset: dataset, parts: parts, rowCount: columns.rowCount)
            }
        }
    }

    private func warnings(of dataset: Dataset) -> [String] {
        var warnings: [String] = []
        for omission in (columns[dataset]?.omitted ?? [:]).values.sorted(by: { $0.service < $1.service }) {
            let examples = omission.keys.sorted().prefix(3).joined(separator: ", ")
            let count = "\(omission.keys.count)\(omission.hasMore ? " or more" : "")"
            warnings.append(
                "\(count) attributes of \(omission.service.isEmpty ? "a service without a name" : omission.service) "
                    + "are left out, such as \(examples): it sends more than \(SegmentBuilder.keysPerService).")
        }
        return warnings
    }

    /// Keeps the columns that a plan reads from now on, whatever else services send.
    func keep(_ plan: QueryPlan) {
        guard askedNames.count < Self.askedLimit else { return }
        askedNames.formUnion(plan.columnNames)
        for columns in columns.values { columns.keptNames = askedNames }
    }

    /// The number of names beyond which those of no further query are kept.
    private static let askedLimit = 5_000

    /// Makes columns of what arrived since the last update, unless it is little, so that the next query has little to
    /// read. Call it after arrivals.
    func prepare() async throws {
        guard let source = store.arrivals else { return }
        let end = try await source.lastSequence()
        for dataset in [Dataset.spans, .events, .metrics] {
            if let columns = columns[dataset] {
                let known = max(columns.last, preparedThrough[dataset] ?? 0)
                if end - known < limits.waitingRows { continue }
            }
            try await startUpdate(of: dataset, from: source).value
            preparedThrough[dataset] = end
        }
    }

    /// Writes the sessions to files that have not changed since the last call.
    func saveSessions() async { await changing[.sessions]?.save(isolation: self) }

    private func updatedTraceSessions(from source: any ArrivalSource) async throws -> [TraceID: String] {
        if let pendingTraceUpdate { return try await pendingTraceUpdate.value }
        let update = QueryThreads.start(after: lastTraceUpdate) {
            try await self.updateTraceSessions(from: source)
        }
        lastTraceUpdate = update
        pendingTraceUpdate = update
        return try await update.value
    }

    private func updateTraceSessions(from source: any ArrivalSource) async throws -> [TraceID: String] {
        pendingTraceUpdate = nil
        try await traceSessions.update(from: source, isolation: self)
        return traceSessions.sessions
    }

    private func updatedSegments(of dataset: Dataset, from source: any ArrivalSource) async throws -> [Segment] {
        let update = startUpdate(of: dataset, from: source)
        guard try await update.ends(within: timeout) else {
            let end = try await source.lastSequence()
            let share = columns[dataset]?.progress(to: end) ?? changing[dataset]?.progress
            throw QueryRefusal.preparing(dataset, share: share ?? 0)
        }
        try await update.value
        return columns[dataset]?.segments ?? changing[dataset]?.segments ?? []
    }

    /// An update goes on when the query that asked for it ends. Queries that wait for the next one share it.
    private func startUpdate(of dataset: Dataset, from source: any ArrivalSource) -> Task<Void, any Error> {
        if let pending = pendingUpdates[dataset] { return pending }
        let update = QueryThreads.start(after: lastUpdates[dataset]) { try await self.update(dataset, from: source) }
        lastUpdates[dataset] = update
        pendingUpdates[dataset] = update
        return update
    }

    private func update(_ dataset: Dataset, from source: any ArrivalSource) async throws {
        pendingUpdates[dataset] = nil
        switch dataset {
        case .spans, .events, .metrics:
            let columns =
                columns[dataset]
                ?? RecordColumns(
                    RecordReader(store: source, dataset: dataset),
                    files: SegmentFiles(store: source, dataset: dataset, logger: logger), limits: limits)
            self.columns[dataset] = columns
            columns.keptNames = askedNames
            try await columns.update(isolation: self)
        case .sessions:
            let files = SegmentFiles(store: source, dataset: dataset, logger: logger)
            try await update(dataset, from: .sessions(of: source), files: files, atMost: limits.sessions)
        case .issues:
            try await indexIssues()
            try await update(dataset, from: .issues(of: source), atMost: limits.issues)
        }
    }

    /// Identifies the names that sessions are judged by, and the facts about a session.
    private var basis: Int64 {
        let facts = StableHash(FieldNames.ofSessions.joined(separator: " "))
        return store.configuration.milestones.hash ^ Int64(bitPattern: facts.high)
    }

    private func update(
        _ dataset: Dataset, from reader: BlockReader, files: SegmentFiles? = nil, atMost rows: Int,
    ) async throws {
        let columns =
            changing[dataset]
            ?? ChangingColumns(reader, rowLimit: rows, files: files, basis: basis)
        changing[dataset] = columns
        try await columns.update(isolation: self)
    }
}

extension Task where Failure == any Error {
    /// Waits until the task ends. Returns `false` if that takes longer than `limit`; the task goes on then.
    fileprivate func ends(within limit: Duration) async throws -> Bool {
        let (outcomes, outcome) = AsyncStream.makeStream(of: Bool.self)
        let end = Task<Void, Never> {
            _ = await self.result
            outcome.yield(true)
        }
        let timer = Task<Void, Never> {
            try? await Task<Never, Never>.sleep(for: limit)
            outcome.yield(false)
        }
        defer {
            end.cancel()
            timer.cancel()
        }
        guard let hasEnded = await outcomes.first(where: { _ in true }) else { throw _Concurrency.CancellationError() }
        return hasEnded
    }
}
