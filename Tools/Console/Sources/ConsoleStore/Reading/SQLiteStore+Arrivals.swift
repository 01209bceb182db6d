package import AstrolabeTelemetryModel
package import ConsoleModel

/// A record that says where it comes from.
protocol ArrivedRecord: Sendable {
    var seq: Int64 { get }
    var origin: Int64 { get }
    var scope: Int64 { get }
}

extension SpanRecord: ArrivedRecord {}
extension EventRecord: ArrivedRecord {}
extension StoredPoint: ArrivedRecord {}

extension Arrivals where Record: ArrivedRecord {
    /// Completes records with their origins and scopes.
    init(
        _ records: [Record], sessions: [String?], _ trimmedThrough: Int64, in database: QueryConnection,
    ) throws {
        self.init(
            records: records, sessions: sessions, origins: try database.origins(Set(records.map(\.origin))),
            scopes: try database.scopes(Set(records.map(\.scope))),
            times: try database.arrivalTimes(from: records.first?.seq ?? 1, through: records.last?.seq ?? 0),
            trimmedThrough: trimmedThrough)
    }
}

extension QueryConnection {
    /// Returns the minutes in which the records with sequence numbers from `first` to `last` arrived.
    func arrivalTimes(from first: Int64, through last: Int64) throws -> ArrivalTimes {
        guard first <= last else { return ArrivalTimes([]) }
        return ArrivalTimes(
            try rows(
                """
                SELECT last_seq, minute FROM arrivals WHERE last_seq >= ? AND last_seq <= ifnull(
                    (SELECT min(last_seq) FROM arrivals WHERE last_seq >= ?), ?) ORDER BY last_seq
                """,
                [first, last, last],
            ).map { ArrivalTimes.Minute(last: $0.integer(0), number: $0.integer(1)) })
    }
}

extension SQLiteStore {
    package var queryBackend: QueryBackend { .arrivals(self) }

    /// Returns when the records with some sequence numbers arrived.
    package func arrivalTimes(of sequences: [Int64]) async throws(StoreError) -> ArrivalTimes {
        try await read { database in
            let minutes = try sequences.sorted().compactMap { sequence in
                try database.integer(
                    "SELECT minute FROM arrivals WHERE last_seq >= ? ORDER BY last_seq LIMIT 1", [sequence],
                ).map { ArrivalTimes.Minute(last: sequence, number: $0) }
            }
            return ArrivalTimes(minutes)
        }
    }

    /// Returns at most `limit` spans with sequence numbers in `range`, lowest first.
    ///
    /// They are those that were just written, if they are all in memory still, and otherwise are read from their rows.
    /// Which of them are failures is not known, because it changes: see ``SpanRecord/isFailure``.
    package func spans(
        arrivedIn range: ClosedRange<Int64>, limit: Int,
    ) async throws(StoreError) -> Arrivals<SpanRecord> {
        if let kept = arrivals.spans(in: range, limit: limit), let all = try await completed(kept) { return all }
        return try await storedSpans(arrivedIn: range, limit: limit)
    }

    /// Returns at most `limit` events and log records with sequence numbers in `range`, lowest first.
    ///
    /// They are those that were just written, if they are all in memory still, and otherwise are read from their rows.
    package func events(
        arrivedIn range: ClosedRange<Int64>, limit: Int,
    ) async throws(StoreError) -> Arrivals<EventRecord> {
        if let kept = arrivals.events(in: range, limit: limit), let all = try await completed(kept) { return all }
        return try await storedEvents(arrivedIn: range, limit: limit)
    }

    /// Completes records that were kept; `nil` if retention has removed one of them.
    private func completed<Record: ArrivedRecord>(
        _ kept: [(record: Record, session: String?)]
    ) async throws(StoreError) -> Arrivals<Record>? {
        try await read { database in
            let trimmed = try database.trimmedThrough()
            if let first = kept.first, first.record.seq <= trimmed { return nil }
            return try Arrivals(kept.map(\.record), sessions: kept.map(\.session), trimmed, in: database)
        }
    }

    /// Reads spans from their rows.
    func storedSpans(
        arrivedIn range: ClosedRange<Int64>, limit: Int,
    ) async throws(StoreError) -> Arrivals<SpanRecord> {
        try await read { database in
            let rows = try database.rows(
                """
                SELECT \(SpanColumns.own), 0, x.name FROM spans s LEFT JOIN traces t ON t.id = s.trace
                LEFT JOIN sessions x ON x.id = s.session WHERE s.seq BETWEEN ? AND ? ORDER BY s.seq LIMIT ?
                """,
                [range.lowerBound, range.upperBound, limit],
            )
            return try Arrivals(
                rows.map { SpanRecord($0) }, sessions: rows.map { $0.optionalText(SpanColumns.count) },
                try database.trimmedThrough(), in: database)
        }
    }

    /// Reads events and log records from their rows.
    func storedEvents(
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
            return try Arrivals(
                rows.map { EventRecord($0) }, sessions: rows.map { $0.optionalText(EventColumns.count) },
                try database.trimmedThrough(), in: database)
        }
    }

    /// Returns the number of records of a dataset with sequence numbers in `range`.
    ///
    /// - Parameter dataset: `spans`, `events` or `metrics`.
    package func recordCount(
        of dataset: String, arrivedIn range: ClosedRange<Int64>,
    ) async throws(StoreError) -> Int {
        let table = ["events": "logs", "metrics": "points"][dataset] ?? "spans"
        return try await read { database in
            let count = try database.integer(
                "SELECT count(*) FROM \(table) WHERE seq BETWEEN ? AND ?", [range.lowerBound, range.upperBound])
            return Int(count ?? 0)
        }
    }

    /// Returns the sessions of traces that have records without a session of their own. Of several sessions of a trace,
    /// it is the first by name, so that it does not depend on the order of arrival.
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
            var sessions: [(trace: TraceID, session: String)] = []
            try database.forEachRow(
                """
                SELECT t.high, t.low, (SELECT min(x.name) FROM session_traces s JOIN sessions x ON x.id = s.session
                    WHERE s.trace = t.id) FROM traces t
                WHERE (t.unclaimed_spans > 0 OR t.unclaimed_events > 0)
                    \(sequence > 0 ? "AND t.id IN (\(changed))" : "") ORDER BY t.id DESC LIMIT :limit
                """,
                sequence > 0 ? ["sequence": sequence, "limit": limit] : ["limit": limit],
            ) { row in
                if let name = row.optionalText(2) {
                    sessions.append((TraceID(high: row.bits(0), low: row.bits(1)), name))
                }
                return true
            }
            return (sessions, try database.lastSeq())
        }
    }
}
