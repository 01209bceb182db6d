import ConsoleModel
import Foundation
import GRDB

/// Opens or creates the database file, and reports readable errors.
enum StoreFile {
    /// The page size in bytes. 8 KiB hold about 25 spans, and are faster than SQLite's default of 4 KiB.
    private static let pageSize = 8_192

    /// - Parameter beforeStatement: Called in the transaction of an upgrade, before each statement and the commit.
    static func open(
        _ store: StoreConfiguration, beforeStatement: (Database) throws -> Void = { _ in },
    ) throws(StoreError) -> DatabasePool {
        let path = store.path
        do {
            try checkAccess(path)
            let pool = try DatabasePool(path: path, configuration: configuration(logBytes: store.retention.logBytes))
            try pool.writeWithoutTransaction { database in
                try prepare(database, path: path, beforeStatement)
                try makeMilestones(store.milestones, in: database)
            }
            return pool
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// - Parameter logBytes: The size to which the write-ahead log is cut when it is used again. A checkpoint follows
    ///   when half of it is written.
    private static func configuration(logBytes: Int) -> Configuration {
        var configuration = Configuration()
        configuration.label = "console"
        configuration.foreignKeysEnabled = false
        configuration.maximumReaderCount = 4
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { database in
            guard !database.configuration.readonly else { return }
            // These two have an effect only on a new file, before it switches to WAL.
            try database.execute(sql: "PRAGMA page_size = \(pageSize)")
            try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            // A commit survives a crash of the process. Only a power failure can lose the last commits.
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            try database.execute(sql: "PRAGMA secure_delete = OFF")
            try database.execute(sql: "PRAGMA wal_autocheckpoint = \(logBytes / 2 / pageSize)")
            try database.execute(sql: "PRAGMA journal_size_limit = \(logBytes)")
            try database.execute(sql: "PRAGMA cache_size = -32768")
        }
        return configuration
    }

    private static func checkAccess(_ path: String) throws(StoreError) {
        let files = FileManager.default
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var isFolder: ObjCBool = false
        guard files.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw .cannotOpen(path: path, detail: "its folder does not exist: \(folder)")
        }
        if files.fileExists(atPath: path), !files.isWritableFile(atPath: path) { throw .readOnly(path: path) }
        if !files.isWritableFile(atPath: folder) { throw .readOnly(path: path) }
    }

    /// Checks that this console can read the file, and returns the version of its schema: 0 for a new file.
    @discardableResult
    static func checkFormat(_ database: Database, path: String) throws -> Int {
        let queries = QueryConnection(database)
        let version = Int(clamping: try queries.integer("PRAGMA user_version") ?? 0)
        let application = try queries.integer("PRAGMA application_id") ?? 0
        let tables = try queries.integer("SELECT count(*) FROM sqlite_master") ?? 0
        guard application == Schema.applicationID || (application == 0 && tables == 0) else {
            throw StoreError.notAConsoleStore(path: path)
        }
        guard version <= Schema.version else {
            throw StoreError.newerVersion(path: path, found: version, supported: Schema.version)
        }
        return version
    }

    /// The statements that make each version from the one before, from version 1 on.
    static let steps = [
        Schema.statements, Schema.additionsOfVersion2, Schema.additionsOfVersion3, Schema.additionsOfVersion4,
        Schema.additionsOfVersion5, Schema.additionsOfVersion6, Schema.additionsOfVersion7, Schema.additionsOfVersion8,
        Schema.additionsOfVersion9, Schema.additionsOfVersion10, Schema.additionsOfVersion11,
        Schema.additionsOfVersion12,
    ]

    /// Returns the shape of a new file of a version of the schema, 1 or later.
    static func shape(ofVersion version: Int) throws -> SchemaShape {
        let database = try DatabaseQueue()
        defer { try? database.close() }
        return try database.write { database in
            for statement in steps.prefix(version).joined() { try database.execute(sql: statement) }
            return try SchemaShape(QueryConnection(database))
        }
    }

    private static func prepare(
        _ database: Database, path: String, _ beforeStatement: (Database) throws -> Void,
    ) throws {
        let version = try checkFormat(database, path: path)
        guard version < Schema.version else { return }
        let missing = steps.dropFirst(max(version, 0)).joined()
        try database.inTransaction(.immediate) {
            for statement in missing {
                try beforeStatement(database)
                try database.execute(sql: statement)
            }
            try database.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
            try database.execute(sql: "PRAGMA user_version = \(Schema.version)")
            try beforeStatement(database)
            return .commit
        }
    }
}

extension StoreFile {
    /// Makes the rows of `milestones` again if they were made for other names.
    private static func makeMilestones(_ milestones: ConversionEvents, in database: Database) throws {
        let known = try QueryConnection(database).fact("milestones")
        guard known != milestones.hash else { return }
        let finder = MilestoneFinder(milestones)
        try database.inTransaction(.immediate) {
            try database.execute(sql: "DELETE FROM milestones")
            for table in ["spans", "logs"] {
                let (sql, arguments) = finder.selection(from: table)
                try database.execute(
                    sql: "INSERT INTO milestones (seq, kind, trace, session, amount) \(sql)",
                    arguments: StatementArguments(arguments))
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO facts VALUES ('milestones', ?)", arguments: [milestones.hash])
            return .commit
        }
    }
}

/// A store's file, opened to be read. A console may write to it meanwhile.
struct StoreReader: Sendable {
    private let path: String
    private let queue: DatabaseQueue

    /// - Throws: `StoreError` if there is no file with the schema of this version.
    init(_ path: String) throws(StoreError) {
        guard FileManager.default.fileExists(atPath: path) else { throw .missing(path: path) }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        self.path = path
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            let version = try queue.read { try StoreFile.checkFormat($0, path: path) }
            guard version == Schema.version else {
                throw StoreError.olderVersion(path: path, found: version, expected: Schema.version)
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Runs `body` within one transaction.
    func read<Value>(_ body: (QueryConnection) throws -> Value) throws(StoreError) -> Value {
        do {
            return try queue.read { try body(QueryConnection($0)) }
        } catch {
            throw StoreError(error, path: path)
        }
    }
}

extension StoreError {
    /// Converts an error of the database.
    init(_ error: any Error, path: String) {
        guard let error = error as? DatabaseError else {
            self = (error as? StoreError) ?? .failed(detail: String(describing: error))
            return
        }
        let detail = error.message ?? String(describing: error.resultCode)
        switch error.resultCode.primaryResultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt(path: path, detail: detail)
        case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly(path: path)
        case .SQLITE_CANTOPEN: self = .cannotOpen(path: path, detail: detail)
        case .SQLITE_FULL: self = .diskFull(path: path)
        default: self = .failed(detail: detail)
        }
    }
}
