import AstrolabeSemantics
import AstrolabeTelemetryModel

/// A query for a part of a session's timeline.
package struct TimelineQuery: Sendable, Hashable {
    /// The value of `session.id`.
    package var session: String
    /// The `next` value of the previous page.
    package var cursor: String?
    /// Only records that arrived after this sequence number.
    package var arrivedAfter: Int64 = 0
    /// Only records in this range of times, in nanoseconds since 1970.
    package var times: ClosedRange<UInt64> = 0...UInt64.max
    /// Only events with this name. Replay frames, which timelines do not list, are found only by name.
    package var eventName: String?
    /// The page size, 1 to 5,000.
    package var limit = 1_000

    package init(session: String, limit: Int = 1_000) {
        self.session = session
        self.limit = limit
    }
}

package struct TimelinePage: Sendable {
    /// The spans and events of device and backend, ordered by time.
    package let items: [TimelineItem]
    package let origins: [Int64: Origin]
    package let next: String?
    package let cursor: Int64
}

extension TelemetryStore {
    /// Returns the spans and events of a session, device and backend together, ordered by time.
    ///
    /// Returns `nil` if the session is not known.
    package func timeline(_ query: TimelineQuery) async throws(StoreError) -> TimelinePage? {
        try await read { database in
            guard let session = try database.sessionNumber(query.session) else { return nil }
            return try TimelineReader(database: database, session: session).page(query)
        }
    }
}

/// Reads a session's timeline: first the order of all records, then the records of one page.
private struct TimelineReader {
    let database: QueryConnection
    let session: Int64

    func page(_ query: TimelineQuery) throws -> TimelinePage {
        let limit = min(max(query.limit, 1), 5_000)
        let after = PageCursor(query.cursor) ?? PageCursor(first: -1, second: -1)
        let order = try database.rows(
            """
            SELECT time, seq, source FROM (
                SELECT s.start AS time, s.seq AS seq, \(Source.span.rawValue) AS source FROM session_traces st
                CROSS JOIN spans s ON s.trace = st.trace
                WHERE st.session = :session AND s.session IN (0, :session) AND :name IS NULL
                UNION ALL
                SELECT l.time, l.seq, \(Source.log.rawValue) FROM logs l
                WHERE l.session = :session AND l.session <> 0 AND (:name IS NULL OR l.name = :name)
                UNION ALL
                SELECT l.time, l.seq, \(Source.log.rawValue) FROM session_traces st
                CROSS JOIN logs l ON l.trace = st.trace AND l.trace <> 0
                WHERE st.session = :session AND l.session = 0 AND (:name IS NULL OR l.name = :name)
                UNION ALL
                SELECT p.time, p.seq, \(Source.replay.rawValue) FROM replays p
                WHERE p.session = :session AND :name = '\(EventName.replay)')
            WHERE seq > :arrived AND (time, seq) > (:time, :seq) AND time BETWEEN :from AND :through
            ORDER BY time, seq LIMIT :limit
            """,
            [
                "session": session, "arrived": query.arrivedAfter, "time": after.first, "seq": after.second,
                "limit": limit + 1, "name": query.eventName, "from": Int64(clamping: query.times.lowerBound),
                "through": Int64(clamping: query.times.upperBound),
            ],
        )
        let items = try order.prefix(limit).map { try item(seq: $0.integer(1), of: $0.kind(2) ?? .log) }
        let next = order.count > limit ? order.prefix(limit).last : nil
        return TimelinePage(
            items: items,
            origins: try database.origins(items.map(\.origin)),
            next: next.map { PageCursor(first: $0.integer(0), second: $0.integer(1)).text },
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
                        "SELECT \(SpanColumns.sql) FROM spans s JOIN traces t ON t.id = s.trace WHERE s.seq = ?", seq, )
                )
            )
        case .log:
            let sql = "SELECT \(EventColumns.sql) FROM logs l LEFT JOIN traces t ON t.id = l.trace WHERE l.seq = ?"
            return .event(EventRecord(try row(sql, seq)))
        case .replay:
            let sql = """
                SELECT seq, 0, 0, 0, resource, \(RecordCategory.event.rawValue), 5, time, '\(EventName.replay)',
                    '', attributes FROM replays WHERE seq = ?
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

extension TimelineItem {
    package var origin: Int64 {
        switch self {
        case .span(let span): span.origin
        case .event(let event): event.origin
        }
    }
}
