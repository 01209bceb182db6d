import AstrolabePlatform

#if canImport(SQLite3)
import SQLite3
#else
import CAstrolabeSQLite
#endif

/// A call to SQLite that did not end well.
struct SQLiteFailure: Error, Equatable, CustomStringConvertible {
    /// The extended result code.
    let code: Int32
    let message: String
    /// The attempted operation: constant text, never a value.
    let operation: String

    /// The result code without its extension.
    var primaryCode: Int32 { code & 0xFF }

    var description: String { "SQLite cannot \(operation): \(message) (\(code))" }
}

/// A connection to the system's SQLite with the functions that the queue needs.
///
/// For one thread at a time. Statements are prepared once, every result code is checked, and every value is bound as a
/// copy.
final class SQLiteDatabase {
    private let handle: OpaquePointer
    /// Used by the busy handler, so it lives as long as the connection.
    private let timeout: LockTimeout
    private var statements: [String: SQLiteStatement] = [:]

    /// Opens or creates a database file, whose directory must exist.
    ///
    /// - Parameter timeout: How long to wait for another process's transaction.
    init(path: String, timeout: LockTimeout) throws(SQLiteFailure) {
        LockRule.checkIO("opening a database")
        self.timeout = timeout
        var opened: OpaquePointer?
        // The caller serializes its calls, so SQLite need not.
        var flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        flags |= SQLITE_OPEN_FILEPROTECTION_COMPLETEUNTILFIRSTUSERAUTHENTICATION
        #endif
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(opened)
            throw SQLiteFailure(code: code, message: message, operation: "open " + path)
        }
        handle = opened
        let context = Unmanaged.passUnretained(timeout).toOpaque()
        sqlite3_busy_handler(
            handle,
            { context, attempt in
                guard let context else { return 0 }
                return Unmanaged<LockTimeout>.fromOpaque(context).takeUnretainedValue().wait(attempt: attempt) ? 1 : 0
            }, context)
    }

    /// - Parameter busyTimeout: Milliseconds to wait for another process's transaction.
    convenience init(path: String, busyTimeout: Int32) throws(SQLiteFailure) {
        try self.init(path: path, timeout: LockTimeout(milliseconds: busyTimeout))
    }

    deinit {
        for statement in statements.values { statement.finalize() }
        sqlite3_close_v2(handle)
    }

    /// Runs statements whose rows, if any, are ignored.
    func execute(_ sql: String) throws(SQLiteFailure) {
        LockRule.checkIO("using a database")
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, sql) }
    }

    /// Returns the statement of this text, prepared on first use.
    func statement(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
        if let statement = statements[sql] { return statement }
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw failure(code, sql) }
        let statement = SQLiteStatement(prepared, of: handle, sql: sql)
        statements[sql] = statement
        return statement
    }

    /// True if a transaction is open: `BEGIN` succeeded, and no failure has rolled it back.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The id of the last inserted row.
    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Returns the first number of the first row.
    func number(_ sql: String) throws(SQLiteFailure) -> Int64 {
        let statement = try statement(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.int(0) : 0
    }

    /// Returns the first text of the first row.
    func text(_ sql: String) throws(SQLiteFailure) -> String {
        let statement = try statement(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.text(0) : ""
    }

    private func failure(_ code: Int32, _ sql: String) -> SQLiteFailure {
        SQLiteFailure(code: code, message: String(cString: sqlite3_errmsg(handle)), operation: sql)
    }
}

/// A prepared statement: bind from 1, step, read columns from 0, reset.
final class SQLiteStatement {
    private let handle: OpaquePointer
    private let database: OpaquePointer
    private let sql: String

    /// Makes SQLite copy a value before the call returns.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    fileprivate init(_ handle: OpaquePointer, of database: OpaquePointer, sql: String) {
        self.handle = handle
        self.database = database
        self.sql = sql
    }

    fileprivate func finalize() {
        sqlite3_finalize(handle)
    }

    @discardableResult
    func bind(_ index: Int32, _ value: Int64) throws(SQLiteFailure) -> Self {
        try check(sqlite3_bind_int64(handle, index, value))
    }

    /// Binds a text; `nil` binds NULL.
    @discardableResult
    func bind(_ index: Int32, _ value: String?) throws(SQLiteFailure) -> Self {
        try check(sqlite3_bind_text(handle, index, value, -1, Self.copied))
    }

    @discardableResult
    func bind(_ index: Int32, _ value: UnsafeRawBufferPointer) throws(SQLiteFailure) -> Self {
        // A null pointer would bind NULL.
        guard let base = value.baseAddress, !value.isEmpty else {
            return try check(sqlite3_bind_zeroblob(handle, index, 0))
        }
        return try check(sqlite3_bind_blob64(handle, index, base, sqlite3_uint64(value.count), Self.copied))
    }

    @discardableResult
    func bind(_ index: Int32, _ value: [UInt8]) throws(SQLiteFailure) -> Self {
        let result = value.withUnsafeBytes { bytes in Result { () throws(SQLiteFailure) in try bind(index, bytes) } }
        return try result.get()
    }

    /// Advances to the next row; false after the last.
    func step() throws(SQLiteFailure) -> Bool {
        LockRule.checkIO("using a database")
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let failure = failure(code)
            sqlite3_reset(handle)
            throw failure
        }
    }

    /// Runs a statement without rows and resets it.
    func run() throws(SQLiteFailure) {
        defer { reset() }
        while try step() {}
    }

    /// Resets the statement for its next use. `step` has already thrown any failure.
    func reset() {
        sqlite3_reset(handle)
    }

    func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func text(_ column: Int32) -> String {
        sqlite3_column_text(handle, column).map { String(cString: $0) } ?? ""
    }

    /// Returns a copy of the column's bytes.
    func bytes(_ column: Int32) -> [UInt8] {
        guard let base = sqlite3_column_blob(handle, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, column))))
    }

    private func check(_ code: Int32) throws(SQLiteFailure) -> Self {
        guard code == SQLITE_OK else { throw failure(code) }
        return self
    }

    private func failure(_ code: Int32) -> SQLiteFailure {
        SQLiteFailure(code: code, message: String(cString: sqlite3_errmsg(database)), operation: sql)
    }
}
