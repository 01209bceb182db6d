import AstrolabeSemantics
package import AstrolabeTelemetryModel
package import ConsoleModel
import ConsoleStore

/// The pages of one trace and one session.
extension ClickHouseStore {
    /// The largest number of spans, and of log records, of one page.
    static let recordLimit = 20_000

    package func trace(_ id: TraceID, spanLimit: Int) async throws(StoreError) -> TraceDetail? {
        try await excerpt({ Self.condition(trace: id, in: &$0) }) { try await $0.trace(id, spanLimit: spanLimit) }
    }

    package func services(inTrace id: TraceID) async throws(StoreError) -> [String] {
        try await excerpt({ Self.condition(trace: id, in: &$0) }) { try await $0.services(inTrace: id) }
    }

    package func timeline(_ query: TimelineQuery) async throws(StoreError) -> TimelinePage? {
        try await excerpt({ Self.condition(sessions: [query.session], in: &$0) }) { try await $0.timeline(query) }
    }

    /// Reads a page from the records that fulfil a condition.
    ///
    /// - Parameters:
    ///   - condition: SQL of a condition for each of the two tables.
    ///   - points: Statements for metric points, if the page needs some.
    func excerpt<Value: Sendable>(
        _ condition: (inout Statement) -> (spans: String, logs: String), points: [PointStatement] = [],
        _ body: @Sendable (SQLiteStore) async throws -> Value,
    ) async throws(StoreError) -> Value {
        var (spans, logs) = (Statement(), Statement())
        spans.text = SpanTableRows.select(where: condition(&spans).spans, limit: Self.recordLimit)
        logs.text = LogTableRows.select(where: condition(&logs).logs, limit: Self.recordLimit)
        let statements = (spans: spans, logs: logs)
        return try await asking {
            async let spanGroups = self.client.rows(statements.spans, row: SpanTableRows.group)
            async let logGroups = self.client.rows(statements.logs, row: LogTableRows.group)
            async let pointGroups = self.points(points)
            let records = try await ExcerptStore.Records(spans: spanGroups, logs: logGroups, points: pointGroups)
            return try await ExcerptStore.reading(records, configuration: self.configuration, body)
        }
    }

    /// Reads a page from metric points.
    func excerpt<Value: Sendable>(
        points: [PointStatement], _ body: @Sendable (SQLiteStore) async throws -> Value,
    ) async throws(StoreError) -> Value {
        try await asking {
            let records = ExcerptStore.Records(points: try await self.points(points))
            return try await ExcerptStore.reading(records, configuration: self.configuration, body)
        }
    }

    /// Returns metric points, the oldest first.
    func points(_ statements: [PointStatement]) async throws -> [ResourceGroup<MetricData>] {
        var groups: [ResourceGroup<MetricData>] = []
        for asked in statements {
            groups += try await client.rows(asked.statement, row: PointRows(table: asked.table).group)
        }
        return groups.map { (time: $0.timeOfPoint, group: $0) }.sorted { $0.time < $1.time }.map(\.group)
    }

    private static func condition(trace id: TraceID, in statement: inout Statement) -> (spans: String, logs: String) {
        let id = statement.bind(id.hex)
        let times = "FROM \(OTelTable.traceTimes.rawValue) WHERE TraceId = \(id)"
        // A trace that is older than the table of times is searched everywhere.
        let spans = """
            TraceId = \(id) AND Timestamp >= (SELECT if(count() = 0, toDateTime(0), min(Start)) \(times)) \
            AND Timestamp <= (SELECT if(count() = 0, toDateTime(4294967295), max(End) + 1) \(times))
            """
        return (spans, "TraceId = \(id) AND \(RecordSource.isEvent)")
    }

    static func condition(sessions: [String], in statement: inout Statement) -> (spans: String, logs: String) {
        if sessions.isEmpty { return ("false", "false") }
        let ids = sessions.map { statement.bind($0) }.joined(separator: ", ")
        let key = AttributeKey.sessionID
        func own(_ attributes: String) -> String {
            "(\(attributes)['\(key)'] IN (\(ids)) OR ResourceAttributes['\(key)'] IN (\(ids)))"
        }
        let traces = """
            SELECT TraceId FROM \(OTelTable.traces.rawValue) WHERE \(own("SpanAttributes")) AND TraceId != '' \
            UNION DISTINCT \
            SELECT TraceId FROM \(OTelTable.logs.rawValue) WHERE \(own("LogAttributes")) AND TraceId != ''
            """
        // A backend's records have the session of their trace, if they name none.
        func all(_ attributes: String) -> String {
            "(\(own(attributes)) OR (TraceId IN (\(traces)) AND \(RecordSource.session(attributes: attributes)) = ''))"
        }
        return (all("SpanAttributes"), "\(all("LogAttributes")) AND \(RecordSource.isEvent)")
    }
}
