package import ConsoleModel
import GRDB
import GRDBSQLite

extension SQLiteStore {
    /// Commits a row to the file and reads from it.
    ///
    /// - Throws: `StoreError`, also if the file is no longer at its path.
    package func check() async throws(StoreError) {
        let path = configuration.path
        do {
            try await pool.writeWithoutTransaction { database in
                guard !database.hasMoved else { throw StoreError.moved(path: path) }
                try database.execute(sql: "INSERT OR REPLACE INTO facts VALUES ('checked', 1)")
            }
            _ = try await pool.read { try QueryConnection($0).integer("SELECT count(*) FROM facts") }
        } catch {
            throw StoreError(error, path: path)
        }
    }
}

extension Database {
    fileprivate var hasMoved: Bool {
        var hasMoved: Int32 = 0
        let result = sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return result == SQLITE_OK && hasMoved != 0
    }
}
