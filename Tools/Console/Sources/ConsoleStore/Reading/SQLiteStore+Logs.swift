/// A query for log records and events.
package struct LogQuery: Sendable, Hashable {
    /// Words that must all occur in the record's name, body or attributes.
    package var text = ""
    package var service: String?
    /// The lowest severity number, 1 to 24; `nil` for all records, also those without a severity.
    package var minimumSeverity: Int?
    /// The time of the records, in nanoseconds since 1970.
    package var times: Range<Int64>?
    package var cursor: String?
    /// The page size, 1 to 200.
    package var limit = 50

    package init(text: String = "", service: String? = nil, minimumSeverity: Int? = nil, limit: Int = 50) {
        self.text = text
        self.service = service
        self.minimumSeverity = minimumSeverity
        self.limit = limit
    }
}

/// A log record with the session that it names.
package struct LogEntry: Sendable, Hashable {
    package let event: EventRecord
    /// The record's own `session.id`; `nil` if it has none.
    package let session: String?
}

/// A page of log records with the origins and scopes that they refer to.
package struct LogPage: Sendable {
    package let page: Page<LogEntry>
    package let origins: [Int64: Origin]
    package let scopes: [Int64: Scope]

    package init(page: Page<LogEntry>, origins: [Int64: Origin], scopes: [Int64: Scope]) {
        self.page = page
        self.origins = origins
        self.scopes = scopes
    }
}

extension SQLiteStore {
    /// Returns log records and events of all services, newest first, with or without a trace or session.
    package func logs(_ query: LogQuery = LogQuery()) async throws(StoreError) -> LogPage {
        try await read { database in
            try LogReader(database: database).page(query)
        }
    }
}

/// Lists log records within one read transaction.
private struct LogReader {
    let database: QueryConnection

    /// A service with fewer records is read by its own index and sorted. The records of another one are met soon enough
    /// in the order of time.
    private static let rareLimit: Int64 = 20_000

    func page(_ query: LogQuery) throws -> LogPage {
        let limit = min(max(query.limit, 1), 200)
        let checks = try SearchTerms(query.text).terms.map { term in
            let condition = term.condition(["l.name", "l.body", "l.attributes"])
            let sql = "SELECT EXISTS (SELECT 1 FROM logs l WHERE l.seq = ? AND \(condition.sql))"
            return (statement: try database.prepare(sql), arguments: condition.arguments)
        }
        let (sql, arguments) = try order(query)
        let deadline = ContinuousClock.now + SQLiteStore.searchBudget
        var found: [Int64] = []
        var last: PageCursor?
        var isComplete = true
        var hasMore = false
        try database.prepare(sql).forEachRow(arguments) { row in
            isComplete = last == nil || checks.isEmpty || ContinuousClock.now <= deadline
            hasMore = found.count == limit || !isComplete
            guard !hasMore else { return false }
            let seq = row.integer(1)
            last = PageCursor(first: row.integer(0), second: seq)
            let isMatch = try checks.allSatisfy { check in
                try check.statement.isTrue(QueryArguments([seq] + check.arguments.map { $0 as any QueryArgument }))
            }
            if isMatch { found.append(seq) }
            return true
        }
        let entries = try found.compactMap(entry)
        let page = Page(
            elements: entries, next: hasMore ? last?.text : nil, isComplete: isComplete || found.count == limit,
            cursor: try database.lastSeq(), )
        return LogPage(
            page: page, origins: try database.origins(entries.map(\.event.origin)),
            scopes: try database.scopes(entries.map(\.event.scope)), )
    }

    /// Returns a statement for the times and numbers of the records in the list's order, without the search.
    private func order(_ query: LogQuery) throws -> (sql: String, arguments: QueryArguments) {
        var index = query.minimumSeverity ?? 0 >= 13 ? "logs_by_severity" : "logs_by_time"
        var conditions: [String] = []
        var arguments: QueryArguments = []
        if let service = query.service {
            let records = try database.integer("SELECT sum(logs) FROM resources WHERE service = ?", [service]) ?? 0
            if records < Self.rareLimit { index = "logs_by_resource" }
            conditions.append("l.resource IN (SELECT id FROM resources WHERE service = ?)")
            arguments += [service]
        }
        if let severity = query.minimumSeverity {
            // The first condition is that of the index.
            conditions.append("\(severity >= 13 ? "severity >= 13 AND " : "")severity >= ?")
            arguments += [severity]
        }
        if let times = query.times {
            conditions.append("l.time >= ? AND l.time < ?")
            arguments += [times.lowerBound, times.upperBound]
        }
        if let position = PageCursor(query.cursor) {
            conditions.append("(l.time, l.seq) < (?, ?)")
            arguments += [position.first, position.second]
        }
        let condition = conditions.isEmpty ? "1" : conditions.joined(separator: " AND ")
        return (
            "SELECT l.time, l.seq FROM logs l INDEXED BY \(index) WHERE \(condition) ORDER BY l.time DESC, l.seq DESC",
            arguments,
        )
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
