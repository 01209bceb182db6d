import GRDB
import TelemetryModel

/// Which part of a session's timeline to read.
package struct TimelineQuery: Sendable, Hashable {
    /// The value of `session.id`.
    package var session: String
    /// The `next` of the page before.
    package var cursor: String?
    /// Reads only what arrived after this number of the sequence: what is new since a page was shown.
    package var arrivedAfter: Int64 = 0
    /// Nanoseconds since 1970: reads only records from and up to these moments.
    package var times: ClosedRange<UInt64> = 0...UInt64.max
    /// 1 to 5,000.
    package var limit = 1_000

    package init(session: String, limit: Int = 1_000) {
        self.session = session
        self.limit = limit
    }
}

package struct TimelinePage: Sendable {
    /// Spans and events of device and backend, by time.
    package let items: [TimelineItem]
    package let origins: [Int64: Origin]
    package let next: String?
    package let cursor: Int64
}

extension TelemetryStore {
    /// Spans, requests and events of a session, device and backend together, in the order of time.
    ///
    /// `nil` where the session is not known.
    package func timeline(_ query: TimelineQuery) async throws(StoreError) -> TimelinePage? {
        try await read { database in
            guard
                let session = try Int64.fetchOne(
                    database, sql: "SELECT id FROM sessions WHERE name = ?", arguments: [query.session],
                )
            else { return nil }
            return try TimelineReader(database: database, session: session).page(query)
        }
    }
}

/// Reads one session's timeline: first the order of all its records, then the records of one page.
private struct TimelineReader {
    let database: Database
    let session: Int64

    func page(_ query: TimelineQuery) throws -> TimelinePage {
        let limit = min(max(query.limit, 1), 5_000)
        let after = PageCursor(query.cursor) ?? PageCursor(first: -1, second: -1)
        let order = try Row.fetchAll(
            database,
            sql: """
                SELECT time, seq, is_span FROM (
                    SELECT s.start AS time, s.seq AS seq, 1 AS is_span FROM session_traces st
                    CROSS JOIN spans s ON s.trace = st.trace
                    WHERE st.session = :session AND s.session IN (0, :session)
                    UNION ALL
                    SELECT l.time, l.seq, 0 FROM logs l WHERE l.session = :session AND l.session <> 0
                    UNION ALL
                    SELECT l.time, l.seq, 0 FROM session_traces st
                    CROSS JOIN logs l ON l.trace = st.trace AND l.trace <> 0
                    WHERE st.session = :session AND l.session = 0)
                WHERE seq > :arrived AND (time, seq) > (:time, :seq) AND time BETWEEN :from AND :through
                ORDER BY time, seq LIMIT :limit
                """,
            arguments: [
                "session": session, "arrived": query.arrivedAfter, "time": after.first, "seq": after.second,
                "limit": limit + 1, "from": Int64(clamping: query.times.lowerBound),
                "through": Int64(clamping: query.times.upperBound),
            ],
        )
        let items = try order.prefix(limit).map { try item(seq: $0[1], isSpan: $0[2]) }
        let next = order.count > limit ? order.prefix(limit).last : nil
        return TimelinePage(
            items: items,
            origins: try database.origins(items.map(\.origin)),
            next: next.map { PageCursor(first: $0[0], second: $0[1]).text },
            cursor: try database.lastSeq(),
        )
    }

    private func item(seq: Int64, isSpan: Bool) throws -> TimelineItem {
        if isSpan {
            let statement = try database.cachedStatement(
                sql: "SELECT \(SpanColumns.sql) FROM spans s JOIN traces t ON t.id = s.trace WHERE s.seq = ?"
            )
            return .span(SpanRecord(try Row.find(statement, seq)))
        }
        let statement = try database.cachedStatement(
            sql: "SELECT \(EventColumns.sql) FROM logs l LEFT JOIN traces t ON t.id = l.trace WHERE l.seq = ?"
        )
        return .event(EventRecord(try Row.find(statement, seq)))
    }
}

extension Row {
    fileprivate static func find(_ statement: Statement, _ seq: Int64) throws -> Row {
        guard let row = try Row.fetchOne(statement, arguments: [seq]) else {
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
