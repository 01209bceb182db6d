import AstrolabeTelemetryModel
import GRDB

/// Lists devices within one read transaction. A device is a group of resources with the same installation id.
struct DeviceReader {
    let database: Database

    func isKnown(_ id: String) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM resources r WHERE \(Schema.installation(of: "r")) = ?)"
        )
        return try Bool.fetchOne(statement, arguments: [id]) ?? false
    }

    func page(_ query: DeviceQuery) throws -> Page<DeviceSummary> {
        let limit = min(max(query.limit, 1), 200)
        let installation = Schema.installation(of: "r")
        var sql = """
            SELECT \(installation) AS installation, max(r.last_seq) AS heard, min(r.id) AS known FROM resources r
            WHERE \(Schema.isDevice("r"))
            """
        var arguments: StatementArguments = []
        for term in SearchTerms(query.text).terms {
            let condition = term.condition(["r.attributes"])
            sql += " AND \(condition.sql)"
            arguments += StatementArguments(condition.arguments)
        }
        sql += " GROUP BY installation"
        if let position = PageCursor(query.cursor) {
            sql += " HAVING (max(r.last_seq), min(r.id)) < (?, ?)"
            arguments += [position.first, position.second]
        }
        sql += " ORDER BY heard DESC, known DESC LIMIT ?"
        arguments += [limit + 1]
        let rows = try Row.fetchAll(database, sql: sql, arguments: arguments)
        let last = rows.count > limit ? rows[limit - 1] : nil
        return Page(
            elements: try rows.prefix(limit).compactMap { try device($0[0]) },
            next: last.map { PageCursor(first: $0[1], second: $0[2]).text },
            isComplete: true,
            cursor: try database.lastSeq(),
        )
    }

    func device(_ id: String) throws -> DeviceSummary? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT attributes, spans, logs, points, last_seq FROM resources r
                WHERE \(Schema.installation(of: "r")) = ? ORDER BY last_seq DESC
                """
        )
        let rows = try Row.fetchAll(statement, arguments: [id])
        guard let newest = rows.first else { return nil }
        let facts = rows.map { DeviceFacts(JSONText.attributes(in: $0[0]) ?? [:]) }
        var versions: [String] = []
        for fact in facts where !fact.appVersion.isEmpty && !versions.contains(fact.appVersion) {
            versions.append(fact.appVersion)
        }
        let cursor: Int64 = newest[4]
        return DeviceSummary(
            id: id,
            device: facts[0],
            appVersions: versions,
            sessions: try sessionCount(id),
            spans: rows.reduce(0) { $0 + ($1[1] as Int) },
            events: rows.reduce(0) { $0 + ($1[2] as Int) },
            metricPoints: rows.reduce(0) { $0 + ($1[3] as Int) },
            lastSeenUnixNano: try arrivalMinute(cursor),
            ledger: try LedgerReader(database: database, device: id).last(upTo: .max),
            cursor: cursor,
        )
    }

    private func sessionCount(_ id: String) throws -> Int {
        let statement = try database.cachedStatement(
            sql: """
                SELECT count(*) FROM sessions WHERE resource IN (
                    SELECT r.id FROM resources r WHERE \(Schema.installation(of: "r")) = ?)
                """
        )
        return try Int.fetchOne(statement, arguments: [id]) ?? 0
    }

    /// Returns the minute in which the record with a sequence number arrived.
    private func arrivalMinute(_ seq: Int64) throws -> UInt64 {
        guard try seq > database.trimmedThrough() else { return 0 }
        let statement = try database.cachedStatement(
            sql: "SELECT minute FROM arrivals WHERE last_seq >= ? ORDER BY last_seq LIMIT 1"
        )
        return UInt64(try Int64.fetchOne(statement, arguments: [seq]) ?? 0) * 60_000_000_000
    }
}
