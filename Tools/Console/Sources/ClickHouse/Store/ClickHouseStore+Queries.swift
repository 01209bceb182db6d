package import AstrolabeTelemetryModel
package import ConsoleModel
package import TelemetryQuery

/// Queries, and the records that answers of other kinds are computed from.
extension ClickHouseStore {
    package var queryBackend: QueryBackend { .evaluator(self) }

    /// The largest number of records of a dataset that the console reads for one answer.
    package static let columnLimit = 200_000

    private static let day: Int64 = 86_400_000_000_000

    /// Evaluates a query in ClickHouse.
    ///
    /// - Throws: `QueryError` for what the store cannot do, `StoreError` or `CancellationError`.
    package func evaluate(_ plan: QueryPlan) async throws -> QueryResult {
        try await querying { try await self.client.evaluate(plan, milestones: self.configuration.milestones) }
    }

    /// Returns the first `limit` records that fulfil the plan's condition in its window.
    ///
    /// - Throws: What ``evaluate(_:)`` throws.
    package func records(_ plan: QueryPlan, order: RecordOrder, limit: Int) async throws -> RecordsResult {
        let matched = try await evaluate(plan).matchedRecords
        let records = try await querying {
            try await self.client.records(
                plan, order: order, limit: limit, milestones: self.configuration.milestones)
        }
        return RecordsResult(records: records, matchedRecords: matched)
    }

    /// Returns the newest ``columnLimit`` records that fulfil the plan's condition in its window.
    ///
    /// - Parameter fields: The fields that are read; `nil` for all.
    /// - Throws: What ``evaluate(_:)`` throws.
    package func columns(_ plan: QueryPlan, fields: Set<String>?) async throws -> NewestColumns {
        try await querying {
            try await self.client.columns(
                plan, fields: fields, limit: Self.columnLimit, milestones: self.configuration.milestones)
        }
    }

    /// Returns the records of a dataset that may be related to those of a window: up to one day before and after it.
    ///
    /// - Throws: What ``evaluate(_:)`` throws.
    package func relatedColumns(
        of dataset: Dataset, around window: TimeWindow, fields: Set<String>,
    ) async throws -> NewestColumns {
        var query = Query().ofRecords()
        query.dataset = dataset
        query.time = .between(from: max(0, window.start - Self.day), to: window.end + Self.day)
        return try await columns(try QueryPlan(query, now: window.end), fields: fields)
    }

    /// Returns the sessions of the traces that have a record in a window, or up to one day before or after it.
    ///
    /// At most ``columnLimit`` of them.
    package func sessionsOfTraces(around window: TimeWindow) async throws(StoreError) -> [TraceID: String] {
        var statement = Statement()
        let near = QueryStatement.near(from: window.start, to: window.end, margin: Self.day, &statement)
        statement.text = "\(RelatedSQL.sessionsOfTraces(near)) LIMIT \(Self.columnLimit)"
        let asked = statement
        let pairs = try await asking {
            try await self.client.rows(asked) { (TraceID(hex: try $0.string()) ?? .invalid, try $0.string()) }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private func querying<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as ClickHouseError {
            throw StoreError.failed(detail: "\(error)")
        }
    }
}
