import AstrolabeSemantics
import AstrolabeTelemetryModel
package import ConsoleModel
import ConsoleStore

/// Installations of apps, and their ledgers.
extension ClickHouseStore {
    private static let day: Int64 = 86_400_000_000_000
    private static let installation = "ResourceAttributes['\(AttributeKey.appInstallationID)']"

    /// Returns devices, most recently seen first, by the time of their records.
    package func devices(_ query: DeviceQuery) async throws(StoreError) -> Page<DeviceSummary> {
        let limit = min(max(query.limit, 1), 200)
        let records = try await recordsByWord(query.text)
        let page = try await devices(query, records, limit: limit)
        return page.elements.isEmpty && !records.isEmpty ? try await devices(query, [:], limit: limit) : page
    }

    /// - Parameter found: The records of the words that are ids.
    private func devices(
        _ query: DeviceQuery, _ found: [String: [FoundRecord]], limit: Int,
    ) async throws(StoreError) -> Page<DeviceSummary> {
        var statement = Statement()
        var conditions: [String] = []
        for word in SearchTerms.words(query.text).prefix(SearchTerms.countLimit) {
            if let records = found[word] {
                conditions.append(Self.isOf(records, in: .devices, &statement))
            } else {
                conditions.append(Self.contains(word, "id", "resource", &statement))
            }
        }
        var having = ["max(\((["true"] + conditions).joined(separator: " AND "))) = true"]
        if let cursor = TimeCursor(query.cursor) {
            having.append("(seen, id) < (\(statement.bind(cursor.time)), \(statement.bind(cursor.id)))")
        }
        let found = try await devices("true", having: having.joined(separator: " AND "), statement, limit: limit + 1)
        let next = found.count > limit ? found[limit - 1] : nil
        return Page(
            elements: Array(found.prefix(limit)),
            next: next.map { TimeCursor(time: Int64(clamping: $0.lastSeenUnixNano), id: $0.id).text },
            isComplete: true, cursor: cursorOfNow)
    }

    package func device(_ id: String) async throws(StoreError) -> DeviceSummary? {
        var statement = Statement()
        let condition = "\(Self.installation) = \(statement.bind(id))"
        return try await devices(condition, having: "true", statement, limit: 1).first
    }

    private func devices(
        _ condition: String, having: String, _ parameters: Statement, limit: Int,
    ) async throws(StoreError) -> [DeviceSummary] {
        var statement = parameters
        func resources(_ table: OTelTable, _ attributes: String, _ time: String, _ counts: String) -> String {
            """
            SELECT \(Self.installation) AS id, mapSort(ResourceAttributes) AS resource, \(counts), \
            max(toUnixTimestamp64Nano(\(time))) AS last, \
            uniqExactStateIf(session, session != '') AS sessions FROM \
            (SELECT *, \(RecordSource.session(attributes: attributes)) AS session FROM \(table.rawValue)) \
            WHERE id != '' AND lengthUTF8(id) <= \(DeviceFacts.idLimit) AND \(condition) GROUP BY id, resource
            """
        }
        let tables =
            [
                resources(.traces, "SpanAttributes", "Timestamp", "count() AS spans, 0 AS events, 0 AS points"),
                resources(
                    .logs, "LogAttributes", "Timestamp",
                    "0 AS spans, countIf(EventName != '\(EventName.replay)') AS events, 0 AS points"),
            ]
            + PointRows.tables.map {
                resources($0.table, "Attributes", "TimeUnix", "0 AS spans, 0 AS events, count() AS points")
            }
        statement.text = """
            SELECT id, arrayMap(r -> r.2, arrayReverseSort(r -> r.1, groupArray((last, resource)))), \
            uniqExactMerge(sessions), toUInt64(sum(spans)), toUInt64(sum(events)), \
            toUInt64(sum(points)), max(last) AS seen FROM \
            (\(tables.joined(separator: " UNION ALL "))) GROUP BY id HAVING \(having) ORDER BY seen DESC, id DESC LIMIT \(limit)
            """
        let asked = statement
        let devices = try await asking {
            try await self.client.rows(asked) { reader in
                let id = try reader.string()
                let resources = try reader.array { DeviceFacts(try $0.attributes()) }
                let counts = try (0..<4).map { _ in Int(clamping: try reader.integer(UInt64.self)) }
                let seen = UInt64(clamping: try reader.integer(Int64.self))
                var versions: [String] = []
                for version in resources.map(\.appVersion) where !version.isEmpty && !versions.contains(version) {
                    versions.append(version)
                }
                return DeviceSummary(
                    id: id, device: resources.first ?? DeviceFacts(), appVersions: versions, sessions: counts[0],
                    spans: counts[1], events: counts[2], metricPoints: counts[3], lastSeenUnixNano: seen, ledger: nil,
                    cursor: Int64(clamping: seen))
            }
        }
        return try await withLedgers(devices)
    }

    private func withLedgers(_ devices: [DeviceSummary]) async throws(StoreError) -> [DeviceSummary] {
        guard !devices.isEmpty else { return [] }
        var latest = PointStatement(table: .gauges)
        let rows = PointRows(table: .gauges)
        let condition = Self.ledgers(of: devices.map(\.id), in: &latest.statement)
        latest.statement.text = """
            SELECT \(rows.columns) FROM \(rows.table.rawValue) WHERE \(condition) \
            ORDER BY TimeUnix DESC LIMIT 1 BY MetricName, \(rows.series)
            """
        return try await excerpt(points: [latest]) { store in
            var result = devices
            for index in result.indices { result[index].ledger = try await store.device(result[index].id)?.ledger }
            return result
        }
    }

    /// A condition on the points of devices' ledgers.
    private static func ledgers(of ids: [String], in statement: inout Statement) -> String {
        let names = [
            MetricName.recordsCreated, MetricName.recordsDelivered, MetricName.recordsPending,
            MetricName.recordsDropped, MetricName.recordsNotSent,
        ].map { "'\($0)'" }.joined(separator: ", ")
        let list = ids.map { statement.bind($0) }.joined(separator: ", ")
        return "MetricName IN (\(names)) AND \(installation) IN (\(list))"
    }

    package func ledgerHistory(ofDevice id: String, parts: Int) async throws(StoreError) -> [LedgerSnapshot]? {
        let parts = min(max(parts, 1), 1_000)
        var course = PointStatement(table: .gauges)
        let rows = PointRows(table: .gauges)
        let condition = Self.ledgers(of: [id], in: &course.statement)
        let time = "toUnixTimestamp64Nano(TimeUnix)"
        let table = "FROM \(rows.table.rawValue) WHERE \(condition)"
        // The first snapshot and the last of each part, as the embedded store divides the time.
        course.statement.text = """
            WITH (SELECT min(\(time)) \(table)) AS first, (SELECT max(\(time)) \(table)) AS last \
            SELECT \(rows.columns) \(table) ORDER BY TimeUnix DESC LIMIT 1 BY MetricName, \(rows.series), \
            if(\(time) = first, -1, least(intDiv(\(time) - first, greatest(1, intDiv(last - first, \(parts)))), \(parts - 1)))
            """
        if let course = try await excerpt(
            points: [course],
            {
                try await $0.ledgerHistory(ofDevice: id, parts: parts)
            })
        {
            return course
        }
        return try await device(id) == nil ? nil : []
    }

    /// Returns the ledger of a session's device during the session, from snapshots of one day before and after it.
    package func ledger(ofSession id: String) async throws(StoreError) -> SessionLedger? {
        guard let session = try await session(id) else { return nil }
        var around = PointStatement(table: .gauges)
        let rows = PointRows(table: .gauges)
        let device = session.device.installation
        let condition = Self.ledgers(of: [device], in: &around.statement)
        let (start, end) = (Int64(clamping: session.firstSeenUnixNano), Int64(clamping: session.lastSeenUnixNano))
        let bounds = [max(0, start - Self.day), min(end, .max - Self.day) + Self.day].map {
            "fromUnixTimestamp64Nano(\(around.statement.bind($0)))"
        }
        around.statement.text = """
            SELECT \(rows.columns) FROM \(rows.table.rawValue) WHERE \(condition) AND TimeUnix >= \(bounds[0]) \
            AND TimeUnix <= \(bounds[1]) ORDER BY TimeUnix DESC LIMIT \(Self.recordLimit)
            """
        return try await excerpt({ Self.condition(sessions: [id], in: &$0) }, points: device.isEmpty ? [] : [around]) {
            try await $0.ledger(ofSession: id)
        }
    }

    package func reportsLosses(from start: Int64, to end: Int64) async throws(StoreError) -> Bool { false }

    package func losses(
        ofDevices ids: [String], from start: Int64, to end: Int64,
    ) async throws(StoreError) -> RecordLoss { RecordLoss() }

    // The Collector's tables have no column for the arrival of a record.

    package func phoneServices() async throws(StoreError) -> Set<String>? { nil }

    package func arrivalFacts(ofServices services: Set<String>) async throws(StoreError) -> ArrivalFacts {
        ArrivalFacts()
    }

    package func activePhones(
        ofServices services: Set<String>, from start: Int64, to end: Int64,
    ) async throws(StoreError) -> [ActivePhone] { [] }
}
