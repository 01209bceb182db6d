package import AstrolabeTelemetryModel
package import ConsoleModel

extension SQLiteStore {
    package var queryBackend: QueryBackend { .arrivals(self) }

    /// Returns at most `limit` spans with sequence numbers in `range`, lowest first.
    package func spans(
        arrivedIn range: ClosedRange<Int64>, limit: Int,
    ) async throws(StoreError) -> Arrivals<SpanRecord> {
        try await read { database in
            let rows = try database.rows(
                """
                SELECT \(SpanColumns.sql), x.name FROM spans s LEFT JOIN traces t ON t.id = s.trace
                LEFT JOIN sessions x ON x.id = s.session WHERE s.seq BETWEEN ? AND ? ORDER BY s.seq LIMIT ?
                """,
                [range.lowerBound, range.upperBound, limit],
            )
            let records = rows.map { SpanRecord($0) }
            return Arrivals(
                records: records, sessions: rows.map { $0.optionalText(SpanColumns.count) },
                origins: try database.origins(Set(records.map(\.origin))),
                scopes: try database.scopes(Set(records.map(\.scope))),
                trimmedThrough: try database.trimmedThrough(), )
        }
    }

    /// Returns at most `limit` events and log records with sequence numbers in `range`, lowest first.
    package func events(
        arrivedIn range: ClosedRange<Int64>, limit: Int,
    ) async throws(StoreError) -> Arrivals<EventRecord> {
        try await read { database in
            let rows = try database.rows(
                """
                SELECT \(EventColumns.sql), x.name FROM logs l LEFT JOIN traces t ON t.id = l.trace AND l.trace <> 0
                LEFT JOIN sessions x ON x.id = l.session WHERE l.seq BETWEEN ? AND ? ORDER BY l.seq LIMIT ?
                """,
                [range.lowerBound, range.upperBound, limit],
            )
            let records = rows.map { EventRecord($0) }
            return Arrivals(
                records: records, sessions: rows.map { $0.optionalText(EventColumns.count) },
                origins: try database.origins(Set(records.map(\.origin))),
                scopes: try database.scopes(Set(records.map(\.scope))),
                trimmedThrough: try database.trimmedThrough(), )
        }
    }

    /// Returns the sessions of traces that have records without a session of their own. Of several sessions of a trace,
    /// it is the first.
    ///
    /// - Parameters:
    ///   - sequence: Only traces with records that arrived after this one are returned; all for 0.
    ///   - limit: The largest number of traces, the newest.
    package func sessionsOfTraces(
        changedAfter sequence: Int64, limit: Int,
    ) async throws(StoreError) -> (sessions: [(trace: TraceID, session: String)], through: Int64) {
        try await read { database in
            let changed = """
                SELECT trace FROM spans WHERE seq > :sequence
                UNION SELECT trace FROM logs WHERE seq > :sequence AND trace <> 0
                """
            var names: [Int64: String] = [:]
            var sessions: [(trace: TraceID, session: String)] = []
            try database.forEachRow(
                """
                SELECT t.high, t.low, (SELECT min(session) FROM session_traces WHERE trace = t.id) FROM traces t
                WHERE (t.unclaimed_spans > 0 OR t.unclaimed_events > 0)
                    \(sequence > 0 ? "AND t.id IN (\(changed))" : "") ORDER BY t.id DESC LIMIT :limit
                """,
                sequence > 0 ? ["sequence": sequence, "limit": limit] : ["limit": limit],
            ) { row in
                guard let session = row.optionalInteger(2) else { return true }
                if names[session] == nil {
                    names[session] = try database.texts("SELECT name FROM sessions WHERE id = ?", [session]).first
                }
                if let name = names[session] { sessions.append((TraceID(high: row.bits(0), low: row.bits(1)), name)) }
                return true
            }
            return (sessions, try database.lastSeq())
        }
    }
}
