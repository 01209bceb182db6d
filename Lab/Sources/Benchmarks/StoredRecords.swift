import Foundation

#if canImport(SQLite3)
import SQLite3
#else
import CAstrolabeSQLite
#endif

/// The records in the tables of a console's file at one moment, and those that retention has removed for ever.
struct StoredRecords: Equatable {
    let spans: Int
    let logs: Int
    let points: Int
    let removed: Int

    var total: Int { spans + logs + points }

    /// Reads the file, which a console may use.
    init(file: String) throws {
        var opened: OpaquePointer?
        defer { sqlite3_close_v2(opened) }
        guard sqlite3_open_v2(file, &opened, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else {
            throw BenchmarkFailure("cannot open \(file)")
        }
        sqlite3_busy_timeout(opened, 10_000)
        // One statement sees one state of the file.
        let query = """
            SELECT (SELECT count(*) FROM spans), (SELECT count(*) FROM logs), (SELECT count(*) FROM points),
                (SELECT ifnull(sum(value), 0) FROM facts WHERE name IN ('expired', 'evicted'))
            """
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(opened, query, -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else { throw BenchmarkFailure("cannot count the records in \(file)") }
        spans = Int(sqlite3_column_int64(statement, 0))
        logs = Int(sqlite3_column_int64(statement, 1))
        points = Int(sqlite3_column_int64(statement, 2))
        removed = Int(sqlite3_column_int64(statement, 3))
    }
}
