import AstrolabeTelemetryModel
package import ConsoleModel

extension SQLiteStore {
    /// Returns the blocks of sessions, the oldest first.
    package func sessionBlocks() async throws(StoreError) -> [RowBlock] {
        try await blocks(
            "SELECT id / \(RowBlock.width), count(*), max(last_any), max(last_seq) FROM sessions GROUP BY 1")
    }

    /// Returns the blocks of crashes and hangs that are assigned to issues, the oldest first.
    package func issueEventBlocks() async throws(StoreError) -> [RowBlock] {
        // A crash or hang that is symbolicated again wants fewer builds, or has another title.
        try await blocks(
            """
            SELECT seq / \(RowBlock.width), count(*), max(time), max(seq), sum(length(wanted)),
                sum(length(title) + length(place))
            FROM problems GROUP BY 1
            """)
    }

    private func blocks(_ sql: String) async throws(StoreError) -> [RowBlock] {
        try await read { database in
            try database.rows(sql).map { row in
                RowBlock(
                    number: row.integer(0), rowCount: row.count(1), end: row.integer(2),
                    stamp: (1..<6).map { row.integer($0) })
            }.sorted { $0.number < $1.number }
        }
    }

    /// Returns the sessions with numbers in `range`, and their origins.
    package func storedSessions(
        in range: ClosedRange<Int64>
    ) async throws(StoreError) -> (sessions: [StoredSession], origins: [Int64: Origin]) {
        let checkouts = configuration.milestones.checkouts
        return try await read { database in
            let facts = try SessionMilestones(database, sessions: range, checkoutScreens: checkouts)
            let sessions = try database.rows(
                """
                SELECT x.name, x.first_any, x.last_any, x.first_device, x.last_device, x.spans, x.events, x.errors,
                    x.crashes, x.requests, x.failed_requests, x.device_requests, x.device_failed_requests, x.resource,
                    (SELECT count(*) FROM session_screens WHERE session = x.id), x.id,
                    (SELECT name FROM session_triggers WHERE session = x.id ORDER BY first_time, name LIMIT 1),
                    (SELECT minute FROM arrivals WHERE last_seq >= x.last_seq ORDER BY last_seq LIMIT 1)
                FROM sessions x WHERE x.id BETWEEN ? AND ? ORDER BY x.id
                """,
                [range.lowerBound, range.upperBound],
            ).map { row in
                let hasDevice = row.integer(3) < Schema.never
                let id = row.integer(15)
                let isConverted = facts.conversions[id, default: 0] > 0
                return StoredSession(
                    id: id, name: row.text(0), startUnixNano: row.integer(hasDevice ? 3 : 1),
                    endUnixNano: row.integer(hasDevice ? 4 : 2), spans: row.integer(5), events: row.integer(6),
                    errors: row.integer(7), crashes: row.integer(8), hangs: facts.hangs[id] ?? 0,
                    requests: row.integer(hasDevice ? 11 : 9), failedRequests: row.integer(hasDevice ? 12 : 10),
                    screens: row.integer(14), isConverted: isConverted,
                    isAbandoned: !isConverted && facts.checkouts.contains(id),
                    orderValue: facts.ownAmounts[id] ?? facts.claimedAmounts[id], trigger: row.optionalText(16),
                    arrivedUnixNano: row.arrival(17), origin: row.integer(13))
            }
            return (sessions, try database.origins(Set(sessions.map(\.origin))))
        }
    }
}

extension SQLiteStore {
    /// Returns the crashes and hangs with sequence numbers in `range` that are assigned to issues, and their origins.
    package func storedIssueEvents(
        in range: ClosedRange<Int64>
    ) async throws(StoreError) -> (issueEvents: [StoredIssueEvent], origins: [Int64: Origin]) {
        try await read { database in
            let issueEvents = try database.rows(
                """
                SELECT p.seq, p.kind, p.time, p.fingerprint, p.title, p.place, p.version, p.screen, p.duration, x.name,
                    t.high, t.low, l.resource,
                    (SELECT json_group_object(key, json(iif(type IN ('true', 'false'), type, json_quote(value))))
                        FROM json_each(l.attributes) WHERE type NOT IN ('array', 'object', 'null')),
                    (SELECT minute FROM arrivals WHERE last_seq >= p.seq ORDER BY last_seq LIMIT 1)
                FROM problems p JOIN logs l ON l.seq = p.seq LEFT JOIN sessions x ON x.id = p.session
                LEFT JOIN traces t ON t.id = l.trace AND l.trace <> 0
                WHERE p.seq BETWEEN ? AND ? ORDER BY p.seq
                """,
                [range.lowerBound, range.upperBound],
            ).map { row in
                StoredIssueEvent(
                    seq: row.integer(0), kind: row.kind(1) ?? .crash, timeUnixNano: row.integer(2),
                    fingerprint: row.text(3), title: row.text(4), place: row.text(5), version: row.text(6),
                    screen: row.text(7), duration: row.number(8), session: row.optionalText(9),
                    traceID: TraceID(high: row.bits(10), low: row.bits(11)), attributesText: row.text(13),
                    arrivedUnixNano: row.arrival(14), origin: row.integer(12))
            }
            return (issueEvents, try database.origins(Set(issueEvents.map(\.origin))))
        }
    }
}

extension StoredRow {
    /// The start of a minute of `arrivals`, in nanoseconds since 1970.
    fileprivate func arrival(_ column: Int) -> Int64? {
        optionalInteger(column)?.clampedProduct(60_000_000_000)
    }
}

/// The milestones of the sessions in a range.
private struct SessionMilestones {
    private(set) var conversions: [Int64: Int64] = [:]
    private(set) var hangs: [Int64: Int64] = [:]
    private(set) var checkouts: Set<Int64> = []
    /// The amounts of the session's own records, and those of the records that belong to it by their trace.
    private(set) var ownAmounts: [Int64: Double] = [:]
    private(set) var claimedAmounts: [Int64: Double] = [:]

    init(_ database: QueryConnection, sessions: ClosedRange<Int64>, checkoutScreens: [String]) throws {
        var rows = try database.rows(
            """
            SELECT session, kind, count(*), sum(amount), 1 FROM milestones
            WHERE session BETWEEN ? AND ? AND session <> 0 GROUP BY session, kind
            """,
            [sessions.lowerBound, sessions.upperBound],
        )
        if try database.isTrue("SELECT EXISTS (SELECT 1 FROM milestones WHERE session = 0)") {
            rows += try database.rows(
                """
                SELECT s.session, m.kind, count(*), sum(m.amount), 0 FROM session_traces s
                CROSS JOIN milestones m ON m.trace = s.trace AND m.session = 0
                WHERE s.session BETWEEN ? AND ? GROUP BY s.session, m.kind
                """,
                [sessions.lowerBound, sessions.upperBound],
            )
        }
        for row in rows {
            let session = row.integer(0)
            switch MilestoneKind(rawValue: row.integer(1)) {
            case .conversion:
                conversions[session, default: 0] += row.integer(2)
                if let amount = row.number(3) {
                    if row.isTrue(4) { ownAmounts[session] = amount } else { claimedAmounts[session] = amount }
                }
            case .checkout: checkouts.insert(session)
            case .hang: hangs[session, default: 0] += row.integer(2)
            case nil: break
            }
        }
        let screens = try database.prepare(
            """
            SELECT DISTINCT session FROM session_screens WHERE session BETWEEN ? AND ?
                AND name IN (\(checkoutScreens.map { _ in "?" }.joined(separator: ", ")))
            """)
        try screens.forEachRow(QueryArguments([sessions.lowerBound, sessions.upperBound] + checkoutScreens)) { row in
            checkouts.insert(row.integer(0))
            return true
        }
    }
}
