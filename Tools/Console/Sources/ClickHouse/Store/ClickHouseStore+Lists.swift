import AstrolabeTelemetryModel
package import ConsoleModel
import ConsoleStore

/// The lists of traces, log records and services.
extension ClickHouseStore {
    private static let day: Int64 = 86_400_000_000_000

    /// Returns traces, newest first. Without times, a page begins with the newest day that the cursor allows.
    package func traces(_ query: TraceQuery) async throws(StoreError) -> Page<TraceSummary> {
        let found = try await recordsByWord(query.text)
        if !found.isEmpty {
            let page = try await traces(query, found)
            if !page.elements.isEmpty { return page }
        }
        return try await traces(query, [:])
    }

    /// - Parameter found: The records of the words that are ids. They are shown whenever they were.
    private func traces(
        _ query: TraceQuery, _ found: [String: [FoundRecord]],
    ) async throws(StoreError) -> Page<TraceSummary> {
        let limit = min(max(query.limit, 1), 200)
        let cursor = TimeCursor(query.cursor)
        let times = found.isEmpty ? query.times : 0..<Int64.max
        let end = min(times?.upperBound ?? .max, cursor.map { $0.time + 1 } ?? .max)
        let newest = min(end, Int64(clamping: configuration.now()) + Self.day)
        var ids: [(trace: TraceID, start: Int64)] = []
        // Most pages are of the last day; a quiet store has older ones.
        for start in times.map({ [$0.lowerBound] }) ?? [newest - 2 * Self.day, 0] where ids.count <= limit {
            ids = try await traces(
                query, found, from: max(start, 0), to: end, cursor: cursor, limit: limit + 1)
        }
        let shown = ids.prefix(limit)
        let next = ids.count > limit ? shown.last.map { TimeCursor(time: $0.start, id: $0.trace.hex).text } : nil
        return try await page(of: shown.map(\.trace), next: next)
    }

    private func page(of ids: [TraceID], next: String?) async throws(StoreError) -> Page<TraceSummary> {
        let found = try await excerpt({ statement in
            let list = ids.map { statement.bind($0.hex) }.joined(separator: ", ")
            let condition = ids.isEmpty ? "false" : "TraceId IN (\(list))"
            return (condition, condition)
        }) { try await $0.traces(TraceQuery(limit: 200)) }
        return Page(elements: found.elements, next: next, isComplete: true, cursor: cursorOfNow)
    }

    private func traces(
        _ query: TraceQuery, _ found: [String: [FoundRecord]], from start: Int64, to end: Int64, cursor: TimeCursor?,
        limit: Int,
    ) async throws(StoreError) -> [(trace: TraceID, start: Int64)] {
        var statement = Statement()
        var conditions = ["TraceId != ''", "Timestamp >= fromUnixTimestamp64Nano(\(statement.bind(start)))"]
        if end < Int64.max / 2 {
            conditions.append("Timestamp < fromUnixTimestamp64Nano(\(statement.bind(max(end, 0))))")
        }
        var groups: [String] = []
        if let service = query.service { groups.append("countIf(ServiceName = \(statement.bind(service))) > 0") }
        if query.onlyWithErrors { groups.append("countIf(StatusCode IN ('Error', 'STATUS_CODE_ERROR')) > 0") }
        if let durations = query.durations {
            let length = "max(toUnixTimestamp64Nano(Timestamp) + toInt64(Duration)) - began"
            groups.append(
                "\(length) BETWEEN \(statement.bind(durations.lowerBound)) AND \(statement.bind(durations.upperBound))")
        }
        for word in SearchTerms.words(query.text).prefix(SearchTerms.countLimit) {
            if let records = found[word] {
                conditions.append(Self.isOf(records, in: .traces, &statement))
                continue
            }
            let span = Self.contains(word, "SpanName", "SpanAttributes", &statement)
            let parts = ["`Events.Attributes`", "`Links.Attributes`"].map { column in
                "arrayExists(m -> \(Self.contains(word, "''", "m", &statement)), \(column))"
            }
            let resource = Self.contains(word, "''", "ResourceAttributes", &statement)
            groups.append("countIf(\(([span, resource] + parts).joined(separator: " OR "))) > 0")
        }
        if let cursor {
            groups.append("(began, TraceId) < (\(statement.bind(cursor.time)), \(statement.bind(cursor.id)))")
        }
        statement.text = """
            SELECT TraceId, min(toUnixTimestamp64Nano(Timestamp)) AS began FROM \(OTelTable.traces.rawValue) \
            WHERE \(conditions.joined(separator: " AND ")) GROUP BY TraceId \
            HAVING \((["true"] + groups).joined(separator: " AND ")) ORDER BY began DESC, TraceId DESC LIMIT \(limit)
            """
        let asked = statement
        return try await asking {
            try await self.client.rows(asked) { reader in
                (TraceID(hex: try reader.string()) ?? .invalid, try reader.integer(Int64.self))
            }
        }
    }

    /// Returns log records, newest first.
    package func logs(_ query: LogQuery) async throws(StoreError) -> LogPage {
        let found = try await recordsByWord(query.text)
        if !found.isEmpty {
            let page = try await logs(query, found)
            if !page.page.elements.isEmpty { return page }
        }
        return try await logs(query, [:])
    }

    /// - Parameter found: The records of the words that are ids. They are shown whenever they were.
    private func logs(
        _ query: LogQuery, _ found: [String: [FoundRecord]],
    ) async throws(StoreError) -> LogPage {
        let limit = min(max(query.limit, 1), 200)
        let cursor = TimeCursor(query.cursor)
        var statement = Statement()
        var conditions = [RecordSource.isEvent]
        if let service = query.service { conditions.append("ServiceName = \(statement.bind(service))") }
        if let severity = query.minimumSeverity {
            conditions.append("SeverityNumber >= \(statement.bind(Int64(severity)))")
        }
        if let times = query.times, found.isEmpty {
            conditions.append(
                "Timestamp >= fromUnixTimestamp64Nano(\(statement.bind(max(times.lowerBound, 0)))) AND "
                    + "Timestamp < fromUnixTimestamp64Nano(\(statement.bind(max(times.upperBound, 0))))")
        }
        for word in SearchTerms.words(query.text).prefix(SearchTerms.countLimit) {
            if let records = found[word] {
                conditions.append(Self.isOf(records, in: .logs, &statement))
                continue
            }
            let text = Self.contains(word, "concat(EventName, '\\n', Body)", "LogAttributes", &statement)
            // The span of a record may not have arrived.
            let span = RecordID(word)?.span.map { " OR SpanId = \(statement.bind($0.hex))" } ?? ""
            conditions.append("(\(text)\(span))")
        }
        let hash = "cityHash64(TraceId, SpanId, EventName, Body, toString(LogAttributes))"
        if let cursor {
            conditions.append(
                "(toUnixTimestamp64Nano(Timestamp), toString(\(hash))) < "
                    + "(\(statement.bind(cursor.time)), \(statement.bind(cursor.id)))")
        }
        let condition = conditions.joined(separator: " AND ")
        let order = "Timestamp DESC, toString(\(hash)) DESC"
        var keys = statement
        keys.text = """
            SELECT toUnixTimestamp64Nano(Timestamp), toString(\(hash)) FROM \(OTelTable.logs.rawValue) \
            WHERE \(condition) ORDER BY \(order) LIMIT \(limit + 1)
            """
        statement.text = LogTableRows.select(where: condition, order: order, limit: limit)
        let asked = (keys: keys, rows: statement)
        return try await asking {
            let places = try await self.client.rows(asked.keys) { reader in
                TimeCursor(time: try reader.integer(), id: try reader.string())
            }
            let records = try await self.client.rows(asked.rows, row: LogTableRows.group)
            let found = try await ExcerptStore.reading(
                ExcerptStore.Records(logs: records), configuration: self.configuration,
            ) { try await $0.logs(LogQuery(limit: 200)) }
            let next = places.count > limit ? places[limit - 1].text : nil
            return LogPage(
                page: Page(
                    elements: found.page.elements, next: next, isComplete: true, cursor: self.cursorOfNow),
                origins: found.origins, scopes: found.scopes)
        }
    }

    /// Returns all services of spans and log records, sorted by name.
    package func services() async throws(StoreError) -> [ServiceSummary] {
        let statement = Statement(
            """
            SELECT service, max(isDevice), toUInt64(sum(spans)), toUInt64(sum(logs)), max(isSynthetic) FROM (
                SELECT CAST(ServiceName AS String) AS service, \(RecordSource.isDevice) AS isDevice,
                    1 AS spans, 0 AS logs, ResourceAttributes['astrolabe.synthetic'] = 'true' AS isSynthetic
                FROM otel_traces
                UNION ALL
                SELECT CAST(ServiceName AS String) AS service, \(RecordSource.isDevice) AS isDevice,
                    0 AS spans, 1 AS logs, ResourceAttributes['astrolabe.synthetic'] = 'true' AS isSynthetic
                FROM otel_logs WHERE \(RecordSource.isEvent))
            GROUP BY service ORDER BY service LIMIT 1000
            """)
        return try await asking {
            try await self.client.rows(statement) { reader in
                let name = try reader.string()
                let side: OriginSide = try reader.bool() ? .device : .backend
                return ServiceSummary(
                    name: name, side: side, spans: Int(clamping: try reader.integer(UInt64.self)),
                    logs: Int(clamping: try reader.integer(UInt64.self)), metricPoints: 0, replayFrames: 0,
                    isSynthetic: try reader.bool())
            }
        }
    }

    /// Returns the numbers of all records, and the bytes of the tables on ClickHouse's disk.
    package func statistics() async throws(StoreError) -> StoreStatistics {
        let tables = OTelTable.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        let session = RecordSource.session(attributes: "SpanAttributes")
        let statement = Statement(
            """
            SELECT toUInt64(ifNull((SELECT uniqIf(\(session), \(session) != '') FROM otel_traces), 0)),
                toUInt64(ifNull((SELECT uniq(TraceId) FROM otel_traces), 0)),
                toUInt64(ifNull((SELECT uniqIf(ResourceAttributes['app.installation.id'],
                    ResourceAttributes['app.installation.id'] != '') FROM otel_traces), 0)),
                toUInt64(ifNull(sum(total_rows), 0)), toUInt64(ifNull(sum(total_bytes), 0))
            FROM system.tables
            WHERE database = currentDatabase() AND name IN (\(tables)) AND name != 'otel_traces_trace_id_ts'
            """)
        return try await asking {
            let rows = try await self.client.rows(statement) { reader in
                let counts = try (0..<5).map { _ in Int(clamping: try reader.integer(UInt64.self)) }
                return StoreStatistics(
                    sessions: counts[0], traces: counts[1], devices: counts[2], received: counts[3], bytes: counts[4],
                    bytesLimit: 0, cursor: self.cursorOfNow)
            }
            guard let statistics = rows.first else { throw ClickHouseError.unexpectedResponse("it has no rows") }
            return statistics
        }
    }

    /// Time in place of a sequence number: a later page has a larger one.
    var cursorOfNow: Int64 { Int64(clamping: configuration.now()) }

    /// SQL of whether a record has a word in a text or in an attribute, or `key=value` as an attribute.
    static func contains(
        _ word: String, _ text: String, _ attributes: String, _ statement: inout Statement,
    ) -> String {
        let wanted = statement.bind(word)
        var tests = [
            "positionCaseInsensitiveUTF8(\(text), \(wanted)) > 0",
            "arrayExists(v -> positionCaseInsensitiveUTF8(v, \(wanted)) > 0, mapValues(\(attributes)))",
        ]
        if let equals = word.firstIndex(of: "="), equals != word.startIndex {
            let key = statement.bind(String(word[..<equals]))
            let value = statement.bind(String(word[word.index(after: equals)...]))
            tests.append("(mapContains(\(attributes), \(key)) AND startsWith(\(attributes)[\(key)], \(value)))")
        }
        return "(\(tests.joined(separator: " OR ")))"
    }
}

/// The last record of a page: its time, and what orders records of that time.
struct TimeCursor: Sendable {
    let time: Int64
    let id: String

    init(time: Int64, id: String) {
        self.time = time
        self.id = id
    }

    /// Parses a cursor; `nil` for no text or invalid text, so that the list starts at its beginning.
    init?(_ text: String?) {
        let parts = (text ?? "").split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let time = Int64(parts[0]), parts[1].utf8.count <= 256 else { return nil }
        self.init(time: time, id: String(parts[1]))
    }

    var text: String { "\(time).\(id)" }
}
