import AstrolabeTelemetryModel
import ConsoleModel

/// Reads traces within one read transaction.
struct TraceReader {
    let database: QueryConnection

    private static let columns = """
        t.id, t.high, t.low, t.first_start, t.last_end, t.spans, t.logs, t.errors, t.lead_rank, s.name, r.service,
        r.lane, s.attributes
        """

    func number(_ id: TraceID) throws -> Int64? {
        try database.integer(
            "SELECT id FROM traces WHERE high = ? AND low = ?",
            [Int64(bitPattern: id.high), Int64(bitPattern: id.low)],
        )
    }

    func services(_ trace: Int64) throws -> [String] {
        try database.texts(
            """
            SELECT DISTINCT service FROM resources
            WHERE id IN (SELECT resource FROM spans WHERE trace = ?) ORDER BY service
            """,
            [trace],
        )
    }

    func sessions(_ trace: Int64) throws -> [String] {
        try database.texts(
            """
            SELECT x.name FROM session_traces st JOIN sessions x ON x.id = st.session WHERE st.trace = ?
            ORDER BY x.name LIMIT 10
            """,
            [trace],
        )
    }

    /// - Parameters:
    ///   - entries: The traces with the words of the search, if they are known.
    ///   - limit: The time after which the page ends where the search has come.
    func page(
        _ query: TraceQuery, among entries: Set<Int64>? = nil, within limit: Duration,
    ) throws -> Page<TraceSummary> {
        let search = try ListSearch(query.text, in: .traces, database)
        var sql = """
            SELECT \(Self.columns) FROM traces t JOIN spans s ON s.seq = t.lead_seq
            JOIN resources r ON r.id = s.resource WHERE t.spans > 0\(search.conditions(on: "t.id"))
            """
        var arguments: QueryArguments = []
        if let entries {
            sql += " AND t.id IN (SELECT value FROM json_each(?))"
            arguments += [entries.json]
        }
        if let position = PageCursor(query.cursor) {
            sql += " AND (t.first_start, t.id) < (?, ?)"
            arguments += [position.first, position.second]
        }
        if query.onlyWithErrors { sql += " AND t.errors > 0" }
        if let times = query.times, !search.isByID {
            sql += " AND t.first_start >= ? AND t.first_start < ?"
            arguments += [times.lowerBound, times.upperBound]
        }
        if let durations = query.durations {
            sql += " AND t.last_end - t.first_start BETWEEN ? AND ?"
            arguments += [durations.lowerBound, durations.upperBound]
        }
        sql += " ORDER BY t.first_start DESC, t.id DESC"

        let filter =
            try entries == nil
            ? TraceFilter(search.terms, service: query.service, database) : TraceFilter([], service: nil, database)
        var walk = ListWalk<TraceSummary>(limit: min(max(query.limit, 1), 200))
        try walk.read(
            try database.prepare(sql), arguments, until: filter.acceptsEverything ? nil : ContinuousClock.now + limit,
            position: { PageCursor(first: $0.integer(3), second: $0.integer(0)) },
            entry: { try filter.accepts(trace: $0.integer(0)) ? try summary($0) : nil })
        return Page(
            elements: walk.entries, next: walk.next, isComplete: walk.isComplete, cursor: try database.lastSeq())
    }

    private func summary(_ row: StoredRow) throws -> TraceSummary {
        let services = try services(row.integer(0))
        let extent = try extent(row, services: services.count)
        return TraceSummary(
            id: TraceID(high: row.bits(1), low: row.bits(2)),
            name: row.text(9),
            route: route(in: row.text(12)),
            service: row.text(10),
            side: row.kind(11) ?? .backend,
            hasRoot: row.integer(8) == 0,
            services: services,
            startUnixNano: extent.start,
            durationNano: extent.durationNano,
            spans: row.count(5),
            events: row.count(6),
            errors: row.count(7),
            sessions: try sessions(row.integer(0)),
        )
    }

    /// The largest number of spans of which a list corrects the clocks. A larger trace has its recorded times there.
    private static let correctedLimit = 200

    /// Returns the time of a trace as its own page has it.
    private func extent(_ row: StoredRow, services: Int) throws -> TraceExtent {
        let recorded = TraceExtent(start: row.nanoseconds(3), end: row.nanoseconds(4))
        let mayBeWrong = services > 1 || recorded.durationNano > RecordTimes.tolerance
        guard mayBeWrong, row.integer(5) <= Self.correctedLimit else { return recorded }
        let spans = try database.rows(
            "SELECT \(SpanColumns.shape) FROM spans s WHERE s.trace = ? ORDER BY s.start, s.seq", [row.integer(0)],
        ).map { SpanRecord($0) }
        return TraceExtent(SpanWaterfall(spans).nodes) ?? recorded
    }

    private func route(in attributes: String) -> String? {
        let attributes = JSONText.attributes(in: attributes)
        return ["http.route", "url.template", "url.path"].lazy.compactMap { attributes?[$0]?.stringValue }.first
    }

    func detail(_ id: TraceID, spanLimit: Int) throws -> TraceDetail? {
        guard let trace = try number(id) else { return nil }
        let spans = try database.rows(
            """
            SELECT \(SpanColumns.sql) FROM spans s JOIN traces t ON t.id = s.trace WHERE s.trace = ?
            ORDER BY s.start, s.seq LIMIT ?
            """,
            [trace, spanLimit + 1],
        ).map { SpanRecord($0) }
        let events = try database.rows(
            """
            SELECT \(EventColumns.sql) FROM logs l JOIN traces t ON t.id = l.trace
            WHERE l.trace = ? AND l.trace <> 0 ORDER BY l.time, l.seq LIMIT ?
            """,
            [trace, spanLimit],
        ).map { EventRecord($0) }
        let kept = Array(spans.prefix(spanLimit))
        let nodes = SpanWaterfall(kept).nodes
        return TraceDetail(
            id: id,
            spans: nodes,
            extent: TraceExtent(nodes),
            events: events,
            origins: try database.origins(Set(kept.map(\.origin)).union(events.map(\.origin))),
            scopes: try database.scopes(Set(kept.map(\.scope)).union(events.map(\.scope))),
            sessions: try sessions(trace),
            isTruncated: spans.count > spanLimit,
            cursor: try database.lastSeq(),
        )
    }
}

/// Decides whether a trace matches the words of a search and a service.
private struct TraceFilter {
    private let checks: [(statement: PreparedQuery, arguments: [String])]

    init(_ terms: [SearchTerms.Term], service: String?, _ database: QueryConnection) throws {
        var checks: [(PreparedQuery, [String])] = []
        if let service {
            let sql = """
                SELECT EXISTS (SELECT 1 FROM spans WHERE trace = ?1
                    AND resource IN (SELECT id FROM resources WHERE service = ?2))
                """
            checks.append((try database.prepare(sql), [service]))
        }
        for term in terms {
            let (spans, logs) = (term.ofSpans, term.ofLogs)
            let sql = """
                WITH own(id) AS (VALUES (?))
                SELECT EXISTS (SELECT 1 FROM own CROSS JOIN spans s ON s.trace = own.id
                    CROSS JOIN resources r ON r.id = s.resource LEFT JOIN scopes c ON c.id = s.scope WHERE \(spans.sql))
                OR EXISTS (SELECT 1 FROM own CROSS JOIN logs l ON l.trace = own.id AND l.trace <> 0 WHERE \(logs.sql))
                """
            checks.append((try database.prepare(sql), spans.arguments + logs.arguments))
        }
        self.checks = checks
    }

    var acceptsEverything: Bool { checks.isEmpty }

    func accepts(trace: Int64) throws -> Bool {
        try checks.allSatisfy { check in
            try check.statement.isTrue(QueryArguments([trace] + check.arguments.map { $0 as any QueryArgument }))
        }
    }
}
