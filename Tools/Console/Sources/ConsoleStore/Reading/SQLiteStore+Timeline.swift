import AstrolabeSemantics
import AstrolabeTelemetryModel
package import ConsoleModel

extension SQLiteStore {
    /// Returns the spans and events of a session, device and backend together, ordered by time.
    ///
    /// The order is that of the phone's clock: see `TimelinePage.backendShiftNano`.
    ///
    /// Returns `nil` if the session is not known.
    package func timeline(_ query: TimelineQuery) async throws(StoreError) -> TimelinePage? {
        try await read { database in
            guard let session = try database.sessionNumber(query.session) else { return nil }
            return try TimelineReader(database: database, session: session).page(query)
        }
    }
}

/// A position in a timeline. All pages of one reading have the correction of the first.
private struct TimelineCursor {
    let position: PageCursor
    let shift: Int64

    init(position: PageCursor, shift: Int64) {
        self.position = position
        self.shift = shift
    }

    /// Parses a cursor; `nil` for no text or invalid text, so that the list starts at its beginning.
    init?(_ text: String?) {
        let parts = (text ?? "").split(separator: "_")
        guard parts.count == 2, let position = PageCursor(String(parts[0])), let shift = Int64(parts[1])
        else { return nil }
        self.init(position: position, shift: shift)
    }

    var text: String { "\(position.text)_\(shift)" }
}

/// Reads a session's timeline: first the order of all records, then the records of one page.
private struct TimelineReader {
    let database: QueryConnection
    let session: Int64

    func page(_ query: TimelineQuery) throws -> TimelinePage {
        let limit = min(max(query.limit, 1), 5_000)
        let cursor = TimelineCursor(query.cursor)
        let shift = try cursor?.shift ?? database.clockShift(ofSession: session)
        let after = cursor?.position ?? PageCursor(first: .min, second: -1)
        let order = try database.rows(
            """
            WITH moved(id) AS (SELECT id FROM resources WHERE lane = \(OriginSide.backend.rawValue) AND :shift <> 0)
            SELECT time, seq, source FROM (
                SELECT s.start + iif(s.resource IN moved, :shift, 0) AS time, s.seq AS seq,
                    \(Source.span.rawValue) AS source
                FROM session_traces st CROSS JOIN spans s ON s.trace = st.trace
                WHERE st.session = :session AND s.session IN (0, :session) AND :name IS NULL
                UNION ALL
                SELECT l.time + iif(l.resource IN moved, :shift, 0), l.seq, \(Source.log.rawValue) FROM logs l
                WHERE l.session = :session AND l.session <> 0 AND (:name IS NULL OR l.name = :name)
                UNION ALL
                SELECT l.time + iif(l.resource IN moved, :shift, 0), l.seq, \(Source.log.rawValue)
                FROM session_traces st CROSS JOIN logs l ON l.trace = st.trace AND l.trace <> 0
                WHERE st.session = :session AND l.session = 0 AND (:name IS NULL OR l.name = :name)
                UNION ALL
                SELECT p.time, p.seq, \(Source.replay.rawValue) FROM replays p
                WHERE p.session = :session AND :name = '\(EventName.replay)')
            WHERE seq > :arrived AND (time, seq) > (:time, :seq) AND time BETWEEN :from AND :through
            ORDER BY time, seq LIMIT :limit
            """,
            [
                "session": session, "arrived": query.arrivedAfter, "time": after.first, "seq": after.second,
                "limit": limit + 1, "name": query.eventName,
                "from": query.times.lowerBound == 0 ? Int64.min : Int64(clamping: query.times.lowerBound),
                "through": Int64(clamping: query.times.upperBound), "shift": shift,
            ],
        )
        let items = try order.prefix(limit).map { try item(seq: $0.integer(1), of: $0.kind(2) ?? .log) }
        let next = order.count > limit ? order.prefix(limit).last : nil
        return TimelinePage(
            items: items,
            origins: try database.origins(items.map(\.origin)),
            scopes: try database.scopes(items.map(\.scope)),
            backendShiftNano: shift,
            next: next.map { row in
                TimelineCursor(
                    position: PageCursor(first: row.integer(0), second: row.integer(1)), shift: shift,
                ).text
            },
            cursor: try database.lastSeq(),
        )
    }

    /// The table of a record.
    private enum Source: Int64 {
        case log = 0
        case span = 1
        case replay = 2
    }

    private func item(seq: Int64, of source: Source) throws -> TimelineItem {
        switch source {
        case .span:
            return .span(
                SpanRecord(
                    try row(
                        "SELECT \(SpanColumns.sql) FROM spans s JOIN traces t ON t.id = s.trace WHERE s.seq = ?", seq)
                )
            )
        case .log:
            let sql = "SELECT \(EventColumns.sql) FROM logs l LEFT JOIN traces t ON t.id = l.trace WHERE l.seq = ?"
            return .event(EventRecord(try row(sql, seq)))
        case .replay:
            let sql = """
                SELECT seq, 0, 0, 0, resource, \(RecordCategory.event.rawValue), 5, time, '\(EventName.replay)',
                    '', attributes, 0, 0, '', 0, scope, NULL FROM replays WHERE seq = ?
                """
            return .event(EventRecord(try row(sql, seq)))
        }
    }

    private func row(_ sql: String, _ seq: Int64) throws -> StoredRow {
        guard let row = try database.firstRow(sql, [seq]) else {
            throw StoreError.failed(detail: "record \(seq) vanished within a transaction")
        }
        return row
    }
}
