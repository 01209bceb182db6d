package import ConsoleModel

extension SQLiteStore {
    /// Returns log records and events of all services, newest first, with or without a trace or session.
    package func logs(_ query: LogQuery = LogQuery()) async throws(StoreError) -> LogPage {
        let found = try await search(.logs, query) { database, query, entries, limit in
            try LogReader(database: database).page(query, among: entries, within: limit)
        }
        return try await read { database in
            LogPage(
                page: found, origins: try database.origins(found.elements.map(\.event.origin)),
                scopes: try database.scopes(found.elements.map(\.event.scope)))
        }
    }
}

/// Lists log records within one read transaction.
private struct LogReader {
    let database: QueryConnection

    /// A service with fewer records is read by its own index and sorted. The records of another one are met soon enough
    /// in the order of time.
    private static let rareLimit: Int64 = 20_000

    /// - Parameters:
    ///   - entries: The records with the words of the search, if they are known.
    ///   - limit: The time after which the page ends where the search has come.
    func page(
        _ query: LogQuery, among entries: Set<Int64>?, within limit: Duration,
    ) throws -> Page<LogEntry> {
        let search = try ListSearch(query.text, in: .logs, database)
        let terms = entries == nil ? search.terms : []
        let checks = try terms.map { term in
            let condition = term.ofLogs
            let sql = "SELECT EXISTS (SELECT 1 FROM logs l WHERE l.seq = ? AND \(condition.sql))"
            return (statement: try database.prepare(sql), arguments: condition.arguments)
        }
        let (sql, arguments) = try order(query, search, among: entries)
        var walk = ListWalk<Int64>(limit: min(max(query.limit, 1), 200))
        try walk.read(
            try database.prepare(sql), arguments, until: checks.isEmpty ? nil : ContinuousClock.now + limit,
            position: { PageCursor(first: $0.integer(0), second: $0.integer(1)) },
            entry: { row in
                let seq = row.integer(1)
                let isMatch = try checks.allSatisfy { check in
                    try check.statement.isTrue(QueryArguments([seq] + check.arguments.map { $0 as any QueryArgument }))
                }
                return isMatch ? seq : nil
            })
        return Page(
            elements: try walk.entries.compactMap(entry), next: walk.next, isComplete: walk.isComplete,
            cursor: try database.lastSeq())
    }

    /// Returns a statement for the times and numbers of the records in the list's order, without the search.
    private func order(
        _ query: LogQuery, _ search: ListSearch, among entries: Set<Int64>?,
    ) throws -> (sql: String, arguments: QueryArguments) {
        var index = "INDEXED BY \(query.minimumSeverity ?? 0 >= 13 ? "logs_by_severity" : "logs_by_time")"
        var conditions: [String] = []
        var arguments: QueryArguments = []
        if let entries {
            conditions.append("l.seq IN (SELECT value FROM json_each(?))")
            arguments += [entries.json]
        }
        if let service = query.service {
            let records = try database.integer("SELECT sum(logs) FROM resources WHERE service = ?", [service]) ?? 0
            if records < Self.rareLimit { index = "INDEXED BY logs_by_resource" }
            conditions.append("l.resource IN (SELECT id FROM resources WHERE service = ?)")
            arguments += [service]
        }
        if let severity = query.minimumSeverity {
            // The first condition is that of the index.
            conditions.append("\(severity >= 13 ? "severity >= 13 AND " : "")severity >= ?")
            arguments += [severity]
        }
        if let times = query.times, !search.isByID {
            conditions.append("l.time >= ? AND l.time < ?")
            arguments += [times.lowerBound, times.upperBound]
        }
        if let position = PageCursor(query.cursor) {
            conditions.append("(l.time, l.seq) < (?, ?)")
            arguments += [position.first, position.second]
        }
        // Known records are read by their numbers, and sorted.
        if entries != nil || search.isByID { index = "NOT INDEXED" }
        let condition = conditions.isEmpty ? "1" : conditions.joined(separator: " AND ")
        let sql = """
            SELECT l.time, l.seq FROM logs l \(index) WHERE \(condition)\(search.conditions(on: "l.seq"))
            ORDER BY l.time DESC, l.seq DESC
            """
        return (sql, arguments)
    }

    private func entry(_ seq: Int64) throws -> LogEntry? {
        let sql = """
            SELECT \(EventColumns.sql), x.name FROM logs l LEFT JOIN traces t ON t.id = l.trace AND l.trace <> 0
            LEFT JOIN sessions x ON x.id = l.session AND l.session <> 0 WHERE l.seq = ?
            """
        return try database.firstRow(sql, [seq]).map { row in
            LogEntry(event: EventRecord(row), session: row.optionalText(EventColumns.count))
        }
    }
}
