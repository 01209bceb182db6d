import Foundation

#if canImport(SQLite3)
import SQLite3
#else
import CAstrolabeSQLite
#endif

/// A simple offline queue, for comparison only. Each event is its own insert with a newly prepared statement. After
/// each insert, all rows are checked for age and count.
///
/// SQLite has its default settings: a rollback journal, and a sync after each transaction.
final class InsertPerEventQueue: @unchecked Sendable {  // `database` is used on `queue` alone
    struct Event {
        var id: Int64 = 0
        var type = "span"
        var payload: Data
        var time = Date()
        var retries = 0
        var priority = 1
    }

    private static let maximumCount = 10_000
    private static let maximumAge: TimeInterval = 7 * 86_400

    private let database: OpaquePointer
    private let queue = DispatchQueue(label: "insert-per-event", qos: .utility)

    init(path: String) throws {
        var opened: OpaquePointer?
        guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else {
            throw BenchmarkFailure("cannot open \(path)")
        }
        database = opened
        let schema = """
            CREATE TABLE IF NOT EXISTS events (
                id INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT NOT NULL, payload BLOB NOT NULL,
                timestamp REAL NOT NULL, retry_count INTEGER DEFAULT 0, priority INTEGER DEFAULT 0);
            CREATE INDEX IF NOT EXISTS idx_timestamp ON events(timestamp);
            CREATE INDEX IF NOT EXISTS idx_priority ON events(priority DESC, timestamp ASC);
            """
        guard sqlite3_exec(database, schema, nil, nil, nil) == SQLITE_OK else {
            throw BenchmarkFailure("cannot create the table of events in \(path)")
        }
    }

    deinit {
        sqlite3_close_v2(database)
    }

    func enqueue(_ event: Event) {
        queue.async { [self] in
            insert(event)
            prune()
        }
    }

    func enqueueBatch(_ events: [Event]) {
        queue.async { [self] in
            sqlite3_exec(database, "BEGIN TRANSACTION", nil, nil, nil)
            for event in events { insert(event) }
            sqlite3_exec(database, "COMMIT", nil, nil, nil)
            prune()
        }
    }

    /// Waits until all queued events are written.
    var count: Int {
        queue.sync { number("SELECT COUNT(*) FROM events") }
    }

    func dequeue(limit: Int) -> [Event] {
        queue.sync {
            var statement: OpaquePointer?
            defer { sqlite3_finalize(statement) }
            let sql = """
                SELECT id, type, payload, timestamp, retry_count, priority FROM events
                ORDER BY priority DESC, timestamp ASC LIMIT ?
                """
            guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { return [] }
            sqlite3_bind_int(statement, 1, Int32(limit))
            var events: [Event] = []
            while sqlite3_step(statement) == SQLITE_ROW {
                let bytes = sqlite3_column_blob(statement, 2)
                let length = Int(sqlite3_column_bytes(statement, 2))
                events.append(
                    Event(
                        id: sqlite3_column_int64(statement, 0),
                        type: sqlite3_column_text(statement, 1).map { String(cString: $0) } ?? "",
                        payload: bytes.map { Data(bytes: $0, count: length) } ?? Data(),
                        time: Date(timeIntervalSince1970: sqlite3_column_double(statement, 3)),
                        retries: Int(sqlite3_column_int(statement, 4)),
                        priority: Int(sqlite3_column_int(statement, 5)),
                    ))
            }
            return events
        }
    }

    func markSent(_ ids: [Int64]) {
        queue.async { [self] in
            var statement: OpaquePointer?
            defer { sqlite3_finalize(statement) }
            let places = ids.map { _ in "?" }.joined(separator: ",")
            let sql = "DELETE FROM events WHERE id IN (\(places))"
            guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { return }
            for (index, id) in ids.enumerated() { sqlite3_bind_int64(statement, Int32(index + 1), id) }
            sqlite3_step(statement)
        }
    }

    /// Text and bytes are bound without a copy, and stay valid until the row is written.
    private func insert(_ event: Event) {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let sql = "INSERT INTO events (type, payload, timestamp, priority) VALUES (?, ?, ?, ?)"
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { return }
        event.type.withCString { type in
            event.payload.withUnsafeBytes { payload in
                sqlite3_bind_text(statement, 1, type, -1, nil)
                sqlite3_bind_blob(statement, 2, payload.baseAddress, Int32(payload.count), nil)
                sqlite3_bind_double(statement, 3, event.time.timeIntervalSince1970)
                sqlite3_bind_int(statement, 4, Int32(event.priority))
                sqlite3_step(statement)
            }
        }
    }

    private func prune() {
        let cutoff = Date().timeIntervalSince1970 - Self.maximumAge
        sqlite3_exec(database, "DELETE FROM events WHERE timestamp < \(cutoff)", nil, nil, nil)
        let excess = number("SELECT COUNT(*) FROM events") - Self.maximumCount
        guard excess > 0 else { return }
        let sql = """
            DELETE FROM events WHERE id IN (
                SELECT id FROM events ORDER BY priority ASC, timestamp ASC LIMIT \(excess))
            """
        sqlite3_exec(database, sql, nil, nil, nil)
    }

    private func number(_ sql: String) -> Int {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { return 0 }
        return sqlite3_step(statement) == SQLITE_ROW ? Int(sqlite3_column_int(statement, 0)) : 0
    }
}
