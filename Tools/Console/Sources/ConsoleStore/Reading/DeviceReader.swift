import AstrolabeTelemetryModel
import ConsoleModel

/// Lists devices within one read transaction. A device is a group of resources with the same installation id.
struct DeviceReader {
    let database: QueryConnection

    func isKnown(_ id: String) throws -> Bool {
        try database.isTrue(
            "SELECT EXISTS (SELECT 1 FROM resources r WHERE \(Schema.installation(of: "r")) = ?)", [id],
        )
    }

    func page(_ query: DeviceQuery) throws -> Page<DeviceSummary> {
        let limit = min(max(query.limit, 1), 200)
        let installation = Schema.installation(of: "r")
        var sql = """
            SELECT \(installation) AS installation, max(r.last_seq) AS heard, min(r.id) AS known FROM resources r
            WHERE \(Schema.isDevice("r"))
            """
        var arguments: QueryArguments = []
        let search = try ListSearch(query.text, in: .devices, database)
        sql += search.conditions(on: "r.id")
        for term in search.terms {
            let condition = term.condition(["r.attributes"])
            sql += " AND \(condition.sql)"
            arguments += QueryArguments(condition.arguments)
        }
        sql += " GROUP BY installation"
        if let position = PageCursor(query.cursor) {
            sql += " HAVING (max(r.last_seq), min(r.id)) < (?, ?)"
            arguments += [position.first, position.second]
        }
        sql += " ORDER BY heard DESC, known DESC LIMIT ?"
        arguments += [limit + 1]
        var rows: [StoredRow] = []
        try database.prepare(sql).forEachRow(arguments) { row in
            rows.append(row)
            return true
        }
        let last = rows.count > limit ? rows[limit - 1] : nil
        return Page(
            elements: try rows.prefix(limit).compactMap { try device($0.text(0)) },
            next: last.map { PageCursor(first: $0.integer(1), second: $0.integer(2)).text },
            isComplete: true,
            cursor: try database.lastSeq(),
        )
    }

    func device(_ id: String) throws -> DeviceSummary? {
        let rows = try database.rows(
            """
            SELECT attributes, spans, logs, points, last_seq FROM resources r
            WHERE \(Schema.installation(of: "r")) = ? ORDER BY last_seq DESC
            """,
            [id],
        )
        guard let newest = rows.first else { return nil }
        let facts = rows.map { DeviceFacts(JSONText.attributes(in: $0.text(0)) ?? [:]) }
        var versions: [String] = []
        for fact in facts where !fact.appVersion.isEmpty && !versions.contains(fact.appVersion) {
            versions.append(fact.appVersion)
        }
        let cursor = newest.integer(4)
        return DeviceSummary(
            id: id,
            device: facts[0],
            appVersions: versions,
            sessions: try sessionCount(id),
            spans: rows.reduce(0) { $0.clampedSum($1.count(1)) },
            events: rows.reduce(0) { $0.clampedSum($1.count(2)) },
            metricPoints: rows.reduce(0) { $0.clampedSum($1.count(3)) },
            lastSeenUnixNano: try arrivalMinute(cursor),
            ledger: try LedgerReader(database: database, device: id).last(upTo: .max),
            cursor: cursor,
        )
    }

    private func sessionCount(_ id: String) throws -> Int {
        let count = try database.integer(
            """
            SELECT count(*) FROM sessions WHERE resource IN (
                SELECT r.id FROM resources r WHERE \(Schema.installation(of: "r")) = ?)
            """,
            [id],
        )
        return Int(clamping: count ?? 0)
    }

    /// Returns the minute in which the record with a sequence number arrived.
    private func arrivalMinute(_ seq: Int64) throws -> UInt64 {
        guard try seq > database.trimmedThrough() else { return 0 }
        let minute = try database.integer(
            "SELECT minute FROM arrivals WHERE last_seq >= ? ORDER BY last_seq LIMIT 1", [seq],
        )
        return UInt64(clamping: minute ?? 0).clampedProduct(60_000_000_000)
    }
}
