import GRDB
import GRDBSQLite

/// A prepared statement that binds bytes without copying.
///
/// GRDB boxes each argument, which for the 15 columns of a span costs more than the insertion. So the writer uses
/// SQLite directly. Bound text must stay valid until `run` or the last `step`.
final class RawStatement {
    private let statement: Statement
    private let handle: OpaquePointer
    private let connection: OpaquePointer?

    init(_ database: Database, _ sql: String) throws {
        statement = try database.makeStatement(sql: sql)
        handle = statement.sqliteStatement
        connection = database.sqliteConnection
    }

    func bind(_ index: Int32, _ value: Int64) {
        sqlite3_bind_int64(handle, index, value)
    }

    func bind(_ index: Int32, _ value: Int) {
        sqlite3_bind_int64(handle, index, Int64(value))
    }

    func bind(_ index: Int32, _ value: Double) {
        sqlite3_bind_double(handle, index, value)
    }

    func bind(_ index: Int32, null: Void = ()) {
        sqlite3_bind_null(handle, index)
    }

    func bind(_ index: Int32, optional value: Int64?) {
        if let value { bind(index, value) } else { bind(index) }
    }

    /// Binds a copy of `text`.
    func bind(_ index: Int32, _ text: String) {
        var text = text
        text.withUTF8 { bindText($0, to: handle, at: index) }
    }

    /// Binds a part of `text` without copying it. An empty part is NULL if `emptyIsNull`, otherwise the empty string.
    func bind(_ index: Int32, _ slice: PreparedBatch.Slice, of text: UnsafeRawBufferPointer, emptyIsNull: Bool = true) {
        guard slice.count > 0, let base = text.baseAddress else {
            return emptyIsNull
                ? bind(index) : bindText(UnsafeBufferPointer(start: nil, count: 0), to: handle, at: index)
        }
        let characters = base.advanced(by: Int(slice.start)).assumingMemoryBound(to: CChar.self)
        sqlite3_bind_text(handle, index, characters, slice.count, nil)
    }

    /// Runs a statement without rows and returns the number of changed rows.
    @discardableResult
    func run() throws -> Int {
        defer { sqlite3_reset(handle) }
        guard sqlite3_step(handle) == SQLITE_DONE else { throw failure() }
        return Int(sqlite3_changes(connection))
    }

    /// Calls `row` for each returned row.
    func forEachRow(_ row: (RawStatement) throws -> Void) throws {
        defer { sqlite3_reset(handle) }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: try row(self)
            case SQLITE_DONE: return
            default: throw failure()
            }
        }
    }

    /// Returns the first column of the first row, or `nil`.
    func firstInteger() throws -> Int64? {
        defer { sqlite3_reset(handle) }
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return integer(0)
        case SQLITE_DONE: return nil
        default: throw failure()
        }
    }

    func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    private func failure() -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: sqlite3_errmsg(connection).map { String(cString: $0) },
        )
    }
}
