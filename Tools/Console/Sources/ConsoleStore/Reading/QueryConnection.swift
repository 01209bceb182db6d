import GRDB
import GRDBSQLite

/// A connection to read from, within one transaction. All queries of the store go through it.
///
/// GRDB's own decoding traps if a value has another type than expected, and cuts texts at NUL, in arguments as well. So
/// this reads SQLite's columns itself, as ``StoredRow``. Files that only read must not import GRDB.
struct QueryConnection {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Prepares a query whose text is made at run time.
    func prepare(_ sql: String) throws -> PreparedQuery {
        PreparedQuery(try database.makeStatement(sql: sql), of: database)
    }

    /// Calls `body` for each row until it returns `false`. The query must not be run again within `body`.
    func forEachRow(
        _ sql: String, _ arguments: QueryArguments = [], _ body: (StoredRow) throws -> Bool,
    ) throws {
        try PreparedQuery(try database.cachedStatement(sql: sql), of: database).forEachRow(arguments, body)
    }

    func rows(_ sql: String, _ arguments: QueryArguments = []) throws -> [StoredRow] {
        var rows: [StoredRow] = []
        try forEachRow(sql, arguments) { row in
            rows.append(row)
            return true
        }
        return rows
    }

    func firstRow(_ sql: String, _ arguments: QueryArguments = []) throws -> StoredRow? {
        var first: StoredRow?
        try forEachRow(sql, arguments) { row in
            first = row
            return false
        }
        return first
    }

    /// Returns the first column of the first row; `nil` if there is no row or if it is not a number.
    func integer(_ sql: String, _ arguments: QueryArguments = []) throws -> Int64? {
        try firstRow(sql, arguments)?.optionalInteger(0)
    }

    /// Returns the texts of the first column.
    func texts(_ sql: String, _ arguments: QueryArguments = []) throws -> [String] {
        try rows(sql, arguments).compactMap { $0.optionalText(0) }
    }

    func isTrue(_ sql: String, _ arguments: QueryArguments = []) throws -> Bool {
        try firstRow(sql, arguments)?.isTrue(0) ?? false
    }
}

/// A prepared query that can be run several times.
struct PreparedQuery {
    private let statement: Statement
    private let connection: OpaquePointer?

    fileprivate init(_ statement: Statement, of database: Database) {
        self.statement = statement
        connection = database.sqliteConnection
    }

    /// Calls `body` for each row until it returns `false`.
    func forEachRow(_ arguments: QueryArguments = [], _ body: (StoredRow) throws -> Bool) throws {
        let handle = statement.sqliteStatement
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        defer { sqlite3_reset(handle) }
        for index in 0..<max(sqlite3_bind_parameter_count(handle), 0) {
            let name = sqlite3_bind_parameter_name(handle, index + 1).map { String(cString: $0) }
            bind(arguments.value(at: Int(index), named: name), at: index + 1)
        }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: guard try body(row()) else { return }
            case SQLITE_DONE: return
            default:
                throw DatabaseError(
                    resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
                    message: sqlite3_errmsg(connection).map { String(cString: $0) },
                )
            }
        }
    }

    func isTrue(_ arguments: QueryArguments = []) throws -> Bool {
        var isTrue = false
        try forEachRow(arguments) { row in
            isTrue = row.isTrue(0)
            return false
        }
        return isTrue
    }

    private func row() -> StoredRow {
        let handle = statement.sqliteStatement
        return StoredRow((0..<sqlite3_column_count(handle)).map { value($0) })
    }

    private func value(_ column: Int32) -> StoredValue {
        let handle = statement.sqliteStatement
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT:
            guard let bytes = sqlite3_column_text(handle, column) else { return .text("") }
            let count = Int(sqlite3_column_bytes(handle, column))
            return .text(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
        case SQLITE_BLOB: return .blob
        default: return .null
        }
    }

    private func bind(_ value: StoredValue, at index: Int32) {
        let handle = statement.sqliteStatement
        switch value {
        case .null, .blob: sqlite3_bind_null(handle, index)
        case .integer(let number): sqlite3_bind_int64(handle, index, number)
        case .real(let number): sqlite3_bind_double(handle, index, number)
        case .text(var text): text.withUTF8 { bindText($0, to: handle, at: index) }
        }
    }
}

/// Binds a copy of a text of any length, which may contain NUL.
func bindText(_ text: UnsafeBufferPointer<UInt8>, to handle: OpaquePointer?, at index: Int32) {
    let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    guard let base = text.baseAddress, !text.isEmpty else {
        // SQLite would read a null pointer as NULL.
        sqlite3_bind_text(handle, index, "", 0, copies)
        return
    }
    base.withMemoryRebound(to: CChar.self, capacity: text.count) { characters in
        _ = sqlite3_bind_text(handle, index, characters, Int32(clamping: text.count), copies)
    }
}
