import ConsoleModel
import TelemetryQuery

extension QuerySource {
    /// The records behind a result.
    struct Records: Sendable {
        var result: RecordsResult
        var warnings: [String]
    }

    /// The differences between the records that a condition selects and the rest.
    struct Differences: Sendable {
        var query: Query
        var selection: Condition
        var window: TimeWindow
        var result: DifferenceResult
        var warnings: [String]
    }

    /// Returns the first `limit` of the records that fulfil the query's condition in its time.
    ///
    /// - Throws: What ``answer(_:)`` throws.
    func records(of query: Query, order: RecordOrder, limit: Int) async throws -> Records {
        let question = query.ofRecords()
        let plan = try QueryPlan(question, now: now)
        switch store.queryBackend {
        case .evaluator(let evaluator):
            try await prepare([query.dataset])
            let (result, warnings) = try await waiting {
                (
                    try await evaluator.records(plan, order: order, limit: limit),
                    try await self.ambiguities(of: plan, in: evaluator),
                )
            }
            return Records(result: result, warnings: warnings)
        case .arrivals(let source):
            keep(plan)
            return try await withColumns(
                of: [query.dataset], fields: question.relatedFields, from: source,
            ) { columns in
                let result = try await columns.engine.records(
                    plan, order: order, limit: limit, over: columns.segments(for: plan))
                return Records(result: result, warnings: columns.warnings(of: plan))
            }
        }
    }

    /// Ranks the attributes of the query's records by how much those of `selection` differ from the rest.
    ///
    /// - Throws: What ``answer(_:)`` throws.
    func differences(in query: Query, selection: Condition) async throws -> Differences {
        let question = query.ofRecords(selecting: selection)
        let plan = try QueryPlan(question, now: now)
        // With the names written out that the query defines.
        let expanded = plan.calculations.first?.condition ?? selection
        return try await withRecords([RecordRequest(plan)], related: question.relatedFields) { columns in
            let result = try await columns.engine.differences(
                plan, selection: expanded, over: columns.segments(for: plan))
            return Differences(
                query: query, selection: selection, window: plan.window, result: result,
                warnings: columns.warnings(of: plan))
        }
    }

    /// Folds the query's log records by their patterns.
    ///
    /// - Throws: What ``answer(_:)`` throws.
    func logPatterns(of query: Query) async throws -> Reply<Query, LogPatterns> {
        guard query.dataset == .events else {
            throw QueryError("Expected log records, as in \"count of events\", found \(query.dataset.rawValue).")
        }
        let question = query.ofRecords()
        let plan = try QueryPlan(question, now: now)
        return try await withRecords([RecordRequest(plan)], related: question.relatedFields) { columns in
            let result = try await columns.engine.logPatterns(plan, over: columns.segments(for: plan))
            return Reply(question: query, result: result, warnings: columns.warnings(of: plan))
        }
    }

    /// Returns what may stand at a place of an unfinished query.
    ///
    /// - Parameter cursor: A number of characters of `text`.
    /// - Throws: What ``answer(_:)`` throws.
    func completions(at cursor: Int, in text: String) async throws -> QueryCompletions {
        let dataset = QueryCompletions.dataset(of: text)
        switch store.queryBackend {
        case .evaluator(let evaluator):
            let segment = try await waiting { try await self.newest(of: dataset, in: evaluator, maximumAge: 0) }
            let catalog = QueryFieldCatalog(columns: ColumnCatalog(segment.map { [$0] } ?? []))
            return QueryCompletions.at(cursor, in: text, catalog: catalog)
        case .arrivals(let source):
            return try await withColumns(of: [dataset], from: source) { columns in
                try await columns.turns.take { _ in
                    let known = ColumnCatalog(columns.segments(of: dataset)) { [valueCounts] in
                        valueCounts.counts(of: $0, in: $1, of: $2)
                    }
                    return QueryCompletions.at(cursor, in: text, catalog: QueryFieldCatalog(columns: known))
                }
            }
        }
    }

    /// Says which of the plan's names are ambiguous in the newest records.
    func ambiguities(of plan: QueryPlan, in store: any QueryEvaluator) async throws -> [String] {
        let newest = try await newest(of: plan.query.dataset, in: store, maximumAge: 60_000_000_000)
        return plan.ambiguities(in: newest.map { [$0] } ?? [])
    }

    /// The columns of the newest 1,000 records of a day, which say what fields there are.
    ///
    /// - Parameter maximumAge: For how many nanoseconds they are used again.
    private func newest(
        of dataset: Dataset, in store: any QueryEvaluator, maximumAge: Int64,
    ) async throws -> Segment? {
        let now = now
        if let known = newestRecords[dataset], now >= known.time, now - known.time < maximumAge { return known.records }
        var query = Query().ofRecords()
        query.dataset = dataset
        query.time = .last(nanoseconds: 86_400_000_000_000)
        let records = try await store.records(try QueryPlan(query, now: now), order: .newest, limit: 1_000).records
        var builder = SegmentBuilder()
        for record in records { builder.append(record, sequence: 0) }
        let segment = builder.segment()
        newestRecords[dataset] = (now, segment)
        return segment
    }
}
