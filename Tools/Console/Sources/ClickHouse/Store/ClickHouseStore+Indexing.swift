import AstrolabeSemantics
import AstrolabeTelemetryModel
package import ConsoleModel
import NIOCore

/// Crashes and hangs as log records, and their assignment to issues.
extension ClickHouseStore {
    /// SQL of a number that identifies a crash or hang: 53 bits, which every reader of JSON can represent.
    private static let id = """
        toInt64(bitAnd(cityHash64(Timestamp, TraceId, SpanId, EventName, ServiceName, mapSort(ResourceAttributes)), \
        9007199254740991))
        """

    private static let isIssueEvent =
        "EventName IN (\(IssueKind.allCases.map { "'\($0.eventName)'" }.joined(separator: ", ")))"

    package func issueEvent(_ seq: Int64) async throws(StoreError) -> IssueEvent? {
        var statement = Statement()
        let id = statement.bind(seq)
        // Most are assigned to an issue, which tells the time.
        for time in ["Timestamp IN (SELECT Timestamp FROM \(IssueTable.name) WHERE Id = \(id))", "true"] {
            let found = try await issueEvents("\(time) AND \(Self.id) = \(id)", statement, limit: 1)
            if let issueEvent = found.first { return issueEvent }
        }
        return nil
    }

    package func unindexedIssueEvents(limit: Int) async throws(StoreError) -> [IssueEvent] {
        try await issueEvents(
            "\(Self.id) NOT IN (SELECT Id FROM \(IssueTable.rows))", Statement(), limit: min(max(limit, 1), 500))
    }

    private func issueEvents(
        _ condition: String, _ parameters: Statement, limit: Int,
    ) async throws(StoreError) -> [IssueEvent] {
        var statement = parameters
        statement.text = """
            SELECT \(Self.id) AS id, \(LogTableRows.columns) FROM \(OTelTable.logs.rawValue) \
            WHERE \(Self.isIssueEvent) AND \(condition) ORDER BY Timestamp LIMIT 1 BY id LIMIT \(limit)
            """
        let asked = statement
        return try await asking {
            try await self.client.rows(asked) { reader -> IssueEvent? in
                let id = try reader.integer(Int64.self)
                let group = try LogTableRows.group(&reader)
                return group.scopes.first?.records.first.flatMap {
                    IssueEvent($0, resource: group.resource, seq: id)
                }
            }.compactMap(\.self)
        }
    }

    package func wantedBuilds() async throws(StoreError) -> Set<String> {
        let statement = Statement("SELECT DISTINCT arrayJoin(WantedBuilds) FROM \(IssueTable.rows) LIMIT 10000")
        return try await asking { Set(try await self.client.rows(statement) { try $0.string() }) }
    }

    package func reindexIssueEvents(wanting builds: Set<String>) async throws(StoreError) {
        guard !builds.isEmpty else { return }
        var statement = Statement()
        let list = builds.sorted().map { statement.bind($0) }.joined(separator: ", ")
        let columns = IssueTable.columns.joined(separator: ", ")
        let values = IssueTable.columns.map { $0 == "Fingerprint" ? "'' AS Fingerprint" : $0 }.joined(separator: ", ")
        statement.text = """
            INSERT INTO \(IssueTable.name) (\(columns)) \
            SELECT \(values) FROM \(IssueTable.rows) WHERE hasAny(WantedBuilds, [\(list)])
            """
        let asked = statement
        try await asking { try await self.client.execute(asked) }
    }

    package func file(_ findings: [IssueFingerprint]) async throws(StoreError) {
        guard !findings.isEmpty else { return }
        let known = Dictionary(findings.map { ($0.seq, $0) }) { $1 }
        var statement = Statement()
        let ids = known.keys.sorted().map { statement.bind($0) }.joined(separator: ", ")
        func text(_ key: String) -> String { "LogAttributes['\(key)']" }
        let version = AttributeKey.serviceVersion
        statement.text = """
            SELECT \(Self.id) AS id, Timestamp, \(RecordSource.session(attributes: "LogAttributes")), \
            ResourceAttributes['\(AttributeKey.appInstallationID)'], \
            if(\(text(version)) != '', \(text(version)), ResourceAttributes['\(version)']), \
            \(text(AttributeKey.appScreenName)), toFloat64OrNull(\(text(AttributeKey.astrolabeHangDuration))), TraceId, \
            CAST(ServiceName AS String), ResourceAttributes, \
            mapFilter((k, v) -> NOT (startsWith(v, '[') OR startsWith(v, '{')), LogAttributes) \
            FROM \(OTelTable.logs.rawValue) WHERE \(Self.isIssueEvent) AND id IN (\(ids)) LIMIT 1 BY id
            """
        let asked = statement
        try await asking {
            var rows = RowBinaryWriter()
            for issueEvent in try await self.client.rows(asked, row: IssueRow.init) {
                if let finding = known[issueEvent.id] { rows.write(issueEvent, finding) }
            }
            guard rows.bytes.readableBytes > 0 else { return }
            // Without a token of its own, the rows that replace a tombstone would be taken for a repeated insert.
            try await self.client.insert(
                into: IssueTable.name, columns: IssueTable.columns, rows: rows.bytes,
                token: "\(InsertQueue.token(of: rows.bytes))-\(self.configuration.now())")
        }
    }
}

/// The columns of an issue's row that a log record gives.
private struct IssueRow: Sendable {
    let id: Int64
    let time: Int64
    let session: String
    let installation: String
    let version: String
    let screen: String
    let duration: Double?
    let trace: String
    let service: String
    let resource: [(key: String, value: String)]
    let attributes: [(key: String, value: String)]

    @Sendable init(_ reader: inout RowBinaryReader) throws {
        id = try reader.integer()
        time = try reader.integer()
        session = try reader.string()
        installation = try reader.string()
        version = try reader.string()
        screen = try reader.string()
        duration = try reader.optional { try $0.double() }
        trace = try reader.string()
        service = try reader.string()
        resource = try reader.texts()
        attributes = try reader.texts()
    }
}

extension RowBinaryWriter {
    fileprivate mutating func write(_ row: IssueRow, _ finding: IssueFingerprint) {
        write(row.time)
        write(row.id)
        write(finding.kind.rawValue)
        for text in [finding.fingerprint, finding.title, finding.place] { write(text) }
        write(finding.wantedBuilds) { $0.write($1) }
        for text in [row.session, row.installation, row.version, row.screen] { write(text) }
        write(row.duration == nil)
        if let duration = row.duration { write(duration) }
        write(row.trace)
        write(row.service)
        for entries in [row.resource, row.attributes] {
            write(entries) { writer, entry in
                writer.write(entry.key)
                writer.write(entry.value)
            }
        }
    }
}
