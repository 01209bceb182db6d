import ConsoleModel
import TelemetryQuery

/// The records of a dataset that an answer is computed from.
///
/// The console has all records of the embedded store in columns. From a store that evaluates queries itself it reads
/// those that the plan selects, the newest first.
struct RecordRequest: Sendable {
    /// Of the plan, only the dataset, the window and the condition count.
    var plan: QueryPlan
    /// The fields that are read; `nil` for all.
    var fields: Set<String>?

    init(_ plan: QueryPlan, fields: Set<String>? = nil) {
        self.plan = plan
        self.fields = fields
    }

    /// - Throws: `QueryError` if the time or the condition is not valid.
    init(
        _ dataset: Dataset, _ time: TimeRange, where condition: Condition? = nil, fields: Set<String>? = nil,
        now: Int64,
    ) throws(QueryError) {
        var query = Query().ofRecords()
        query.dataset = dataset
        query.time = time
        query.condition = condition
        self.init(try QueryPlan(query, now: now), fields: fields)
    }
}

extension QuerySource {
    /// Evaluates something over records, with the limits and the turns of a query of the current ``QueryAsker``.
    ///
    /// - Parameters:
    ///   - related: The fields of related records that `body` asks for: see ``Query/relatedFields``.
    ///   - body: It does its work in turns, those of the engine or of `columns.turns`.
    /// - Throws: `QueryError`, `QueryRefusal`, `StoreError`, `CancellationError`, or what `body` throws.
    func withRecords<Value: Sendable>(
        _ needed: [RecordRequest], related: [Relation: Set<String>] = [:],
        _ body: @Sendable (QueryColumns) async throws -> Value,
    ) async throws -> Value {
        switch store.queryBackend {
        case .arrivals(let source):
            return try await withColumns(
                of: needed.map(\.plan.query.dataset), fields: related, from: source, body)
        case .evaluator(let evaluator):
            try await prepare(needed.map(\.plan.query.dataset))
            return try await scheduler.run(limit: engineLimits.time) { turns in
                try await body(try await self.columns(needed, related: related, from: evaluator, turns))
            }
        }
    }

    /// Assigns new crashes and hangs to issues, if a query that the store evaluates is about them.
    func prepare(_ datasets: [Dataset]) async throws {
        if datasets.contains(.issues) { try await indexIssues() }
    }

    private nonisolated func columns(
        _ needed: [RecordRequest], related asked: [Relation: Set<String>], from store: any QueryEvaluator,
        _ turns: ScheduledAdmission,
    ) async throws -> QueryColumns {
        var (segments, warnings) = ([Dataset: [Segment]](), [String]())
        for need in needed {
            let dataset = need.plan.query.dataset
            let found = try await turns.wait { try await store.columns(need.plan, fields: need.fields) }
            segments[dataset] = found.segments
            if found.leavesOut {
                warnings.append(
                    "Older records are left out. The answer covers the newest \(found.rowCount) \(dataset.rawValue).")
            }
        }
        var related: RelatedFields?
        if !asked.isEmpty, let window = needed.first?.plan.window {
            (related, warnings) = try await self.related(asked, around: window, from: store, turns, warnings)
        }
        return QueryColumns(
            segments: segments, limits: engineLimits, related: related, turns: turns, warnings: warnings)
    }

    private nonisolated func related(
        _ asked: [Relation: Set<String>], around window: TimeWindow, from store: any QueryEvaluator,
        _ turns: ScheduledAdmission, _ warnings: [String],
    ) async throws -> (RelatedFields, [String]) {
        var (related, warnings) = (RelatedFields(), warnings)
        func note(_ found: NewestColumns, _ what: String) {
            guard found.leavesOut else { return }
            warnings.append("Fields of related \(what) are known for the newest \(found.rowCount) of them.")
        }
        if let fields = asked[.session] {
            let sessions = try await turns.wait {
                try await store.relatedColumns(of: .sessions, around: window, fields: fields.union(["session.id"]))
            }
            note(sessions, "sessions")
            let traces = try await turns.wait { try await store.sessionsOfTraces(around: window) }
            related.sessions = try await turns.take { _ in
                SessionFacts(fields, of: sessions.segments, traces: traces)
            }
        }
        let ofSpans = asked.filter { $0.key != .session }
        if !ofSpans.isEmpty {
            let fields = ofSpans.values.reduce(into: Set(["trace.id", "span.id", "parent.id"])) { $0.formUnion($1) }
            let spans = try await turns.wait {
                try await store.relatedColumns(of: .spans, around: window, fields: fields)
            }
            note(spans, "spans")
            related.spans = try await SpanRelations(ofSpans, in: spans.segments, limits: engineLimits, turns: turns)
        }
        return (related, warnings)
    }
}
