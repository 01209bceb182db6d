import AstrolabeSemantics
import AstrolabeTelemetryModel
import GRDB

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
    /// Reads only events of this name; frames of the replay, which no timeline lists, are found by theirs.
    package var eventName: String?
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
            guard let session = try database.sessionNumber(query.session) else { return nil }
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
            arguments: [
                "session": session, "arrived": query.arrivedAfter, "time": after.first, "seq": after.second,
                "limit": limit + 1, "name": query.eventName, "from": Int64(clamping: query.times.lowerBound),
                "through": Int64(clamping: query.times.upperBound),
            ],
        )
        let items = try order.prefix(limit).map { try item(seq: $0[1], of: Source(rawValue: $0[2] as Int64) ?? .log) }
        let next = order.count > limit ? order.prefix(limit).last : nil
        return TimelinePage(
            items: items,
            origins: try database.origins(items.map(\.origin)),
            next: next.map { PageCursor(first: $0[0], second: $0[1]).text },
            cursor: try database.lastSeq(),
        )
    }

    /// The table that a record is in.
    private enum Source: Int64 {
        case log = 0
        case span = 1
        case replay = 2
    }

    private func item(seq: Int64, of source: Source) throws -> TimelineItem {
        switch source {
        case .span:
            let statement = try database.cachedStatement(
                sql: "SELECT \(SpanColumns.sql) FROM spans s JOIN traces t ON t.id = s.trace WHERE s.seq = ?"
            )
            return .span(SpanRecord(try Row.find(statement, seq)))
        case .log:
            let statement = try database.cachedStatement(
                sql: "SELECT \(EventColumns.sql) FROM logs l LEFT JOIN traces t ON t.id = l.trace WHERE l.seq = ?"
            )
            return .event(EventRecord(try Row.find(statement, seq)))
        case .replay:
            let statement = try database.cachedStatement(
                sql: """
                    SELECT seq, 0, 0, 0, resource, \(RecordCategory.event.rawValue), 5, time, '\(EventName.replay)',
                        '', ifnull(attributes, '') FROM replays WHERE seq = ?
                    """
            )
            return .event(EventRecord(try Row.find(statement, seq)))
        }
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
