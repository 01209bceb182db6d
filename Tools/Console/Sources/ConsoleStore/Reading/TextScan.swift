import ConsoleModel

/// Finds the entries of a list that have the words of a search, from all records in the order of their arrival.
///
/// A search walks a list in its order and looks into each entry, which soon fills a page with what is frequent. What is
/// rare or missing takes the walk through the whole list, and each entry has its records in many places of the file.
/// Reading the records once from end to end takes a small part of that time.
struct TextScan: Sendable, Hashable {
    let list: SearchedList
    let terms: [SearchTerms.Term]
    /// A `service.name` that must occur in the entry.
    let service: String?

    /// The numbers of records that are read in one transaction, so that others can read between.
    static let step: Int64 = 50_000

    private typealias Statement = (sql: String, arguments: [String])

    /// A condition that an entry must fulfil with a span or a log record of its own.
    private struct Condition {
        let spans: Statement
        let logs: Statement
        /// True if a session also has the log records of its traces that name no session.
        let coversUnclaimedLogs: Bool
    }

    var isEmpty: Bool { terms.isEmpty && service == nil }

    /// Returns the entries for each condition that no record need have: sessions, by their id and device.
    func entriesByThemselves(_ database: QueryConnection) throws -> [Set<Int64>] {
        let found = try terms.map { term -> Set<Int64> in
            guard list == .sessions else { return [] }
            let own = term.condition(["x.name", "r.attributes"])
            let sql = "SELECT x.id FROM sessions x LEFT JOIN resources r ON r.id = x.resource WHERE \(own.sql)"
            return try numbers((sql, own.arguments), database)
        }
        let ofService: [Set<Int64>] = service == nil ? [] : [[]]
        return found + ofService
    }

    /// Returns the entries for each condition that one of the records after `first` and up to `last` has.
    func entries(after first: Int64, through last: Int64, _ database: QueryConnection) throws -> [Set<Int64>] {
        let range = "BETWEEN \(first.clampedSum(1)) AND \(last)"
        return try conditions().map { condition -> Set<Int64> in
            var found: Set<Int64> = []
            for statement in statements(condition) {
                let sql = statement.sql.replacing(":records", with: range)
                found.formUnion(try numbers((sql, statement.arguments), database))
            }
            return found
        }
    }

    private func numbers(_ statement: Statement, _ database: QueryConnection) throws -> Set<Int64> {
        var numbers: Set<Int64> = []
        let arguments = QueryArguments(statement.arguments.map { $0 as any QueryArgument })
        try database.prepare(statement.sql).forEachRow(arguments) { row in
            numbers.insert(row.integer(0))
            return true
        }
        return numbers
    }

    private func conditions() -> [Condition] {
        var conditions = terms.map { term in
            Condition(
                spans: list == .traces ? term.ofSpans : term.condition(["s.name", "s.attributes", "s.more"]),
                logs: term.ofLogs, coversUnclaimedLogs: true)
        }
        if let service {
            let wanted = "resource IN (SELECT id FROM resources WHERE service = ?)"
            // A trace has the services of its spans.
            let logs: Statement =
                list == .traces ? (sql: "0", arguments: []) : (sql: "l.\(wanted)", arguments: [service])
            let spans: Statement = (sql: "s.\(wanted)", arguments: [service])
            conditions.append(Condition(spans: spans, logs: logs, coversUnclaimedLogs: false))
        }
        return conditions
    }

    /// The statements for one condition. `:records` stands for the range of records.
    private func statements(_ condition: Condition) -> [Statement] {
        let (spans, logs) = (condition.spans, condition.logs)
        switch list {
        case .logs: return [("SELECT l.seq FROM logs l WHERE l.seq :records AND \(logs.sql)", logs.arguments)]
        case .traces:
            let ofSpans = """
                SELECT DISTINCT s.trace FROM spans s CROSS JOIN resources r ON r.id = s.resource
                LEFT JOIN scopes c ON c.id = s.scope WHERE s.seq :records AND \(spans.sql)
                """
            let ofLogs = """
                SELECT DISTINCT l.trace FROM logs l WHERE l.seq :records AND l.trace <> 0 AND \(logs.sql)
                """
            return [(ofSpans, spans.arguments), (ofLogs, logs.arguments)]
        case .sessions:
            let ofSpans = """
                SELECT DISTINCT st.session FROM spans s CROSS JOIN session_traces st ON st.trace = s.trace
                WHERE s.seq :records AND s.session IN (0, st.session) AND \(spans.sql)
                """
            let ofOwnLogs = """
                SELECT DISTINCT l.session FROM logs l WHERE l.seq :records AND l.session <> 0 AND \(logs.sql)
                """
            let ofLogs = """
                SELECT DISTINCT st.session FROM logs l CROSS JOIN session_traces st ON st.trace = l.trace
                WHERE l.seq :records AND l.session = 0 AND l.trace <> 0 AND \(logs.sql)
                """
            var statements: [Statement] = [(ofSpans, spans.arguments), (ofOwnLogs, logs.arguments)]
            if condition.coversUnclaimedLogs { statements.append((ofLogs, logs.arguments)) }
            return statements
        case .devices: return []
        }
    }
}

extension SQLiteStore {
    /// Returns the numbers of a list's entries that have all words of a search and a service.
    ///
    /// The result is `nil` if that takes longer than `searchScan`, or if there is nothing to look for.
    func entries(
        of list: SearchedList, with text: String, service: String?,
    ) async throws(StoreError) -> Set<Int64>? {
        let start = ContinuousClock.now
        let (scan, own, oldest, newest) = try await read { database -> (TextScan, [Set<Int64>], Int64, Int64) in
            let terms = try ListSearch(text, in: list, database).terms
            let scan = TextScan(list: list, terms: terms, service: service)
            return (
                scan, try scan.entriesByThemselves(database), try database.trimmedThrough(), try database.lastSeq(),
            )
        }
        guard !scan.isEmpty else { return nil }
        let kept = scans[scan]
        var found = kept?.entries ?? [Set<Int64>](repeating: [], count: own.count)
        let first = max(oldest, kept?.through ?? 0)
        var last = newest
        while last > first {
            guard ContinuousClock.now <= start + configuration.limits.searchScan, !Task.isCancelled else { return nil }
            let (begin, end) = (max(first, last - TextScan.step), last)
            let part = try await read { try scan.entries(after: begin, through: end, $0) }
            for index in found.indices { found[index].formUnion(part[index]) }
            last = begin
        }
        scans[scan] = KeptScans.Scan(entries: found, through: newest, made: kept?.made ?? start)
        for index in found.indices { found[index].formUnion(own[index]) }
        return found.dropFirst().reduce(found.first ?? []) { $0.intersection($1) }
    }
}
