import AstrolabePlatform
package import ConsoleModel
import Foundation
import GRDB
import GRDBSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension SQLiteStore {
    /// The size of an export of about 2,000 spans in the file, in bytes.
    private static let ordinaryExport = 1 << 20

    /// Commits a row to the file and reads from it.
    ///
    /// A row may fit into a file whose disk has no room for an export. So the disk must have room for an ordinary one.
    /// After the disk has refused an export, as much is written.
    ///
    /// - Throws: `StoreError`, also if the file is no longer at its path.
    package func check() async throws(StoreError) {
        let path = configuration.path
        let wasFull = wasFull.withLock { $0 }
        do {
            try await pool.writeWithoutTransaction { database in
                guard !database.hasMoved else { throw StoreError.moved(path: path) }
                if let free = Self.freeBytes(beside: path), free < Self.ordinaryExport {
                    throw StoreError.diskFull(path: path)
                }
                if wasFull {
                    try database.execute(
                        sql: "INSERT OR REPLACE INTO facts VALUES ('checked', zeroblob(?))",
                        arguments: [Self.ordinaryExport])
                }
                try database.execute(sql: "INSERT OR REPLACE INTO facts VALUES ('checked', 1)")
            }
            _ = try await pool.read { try QueryConnection($0).integer("SELECT count(*) FROM facts") }
        } catch {
            throw StoreError(error, path: path)
        }
        if wasFull { self.wasFull.withLock { $0 = false } }
    }

    /// The free space of the disk of a file, in bytes; `nil` if it is not known.
    private static func freeBytes(beside path: String) -> Int? {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var disk = statvfs()
        // A file system without a size of its own says 0 of 0.
        guard statvfs(folder, &disk) == 0, disk.f_blocks > 0 else { return nil }
        let (bytes, isMore) = Int(clamping: disk.f_bavail).multipliedReportingOverflow(by: Int(clamping: disk.f_frsize))
        return isMore ? .max : bytes
    }
}

extension Database {
    fileprivate var hasMoved: Bool {
        var hasMoved: Int32 = 0
        let result = sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return result == SQLITE_OK && hasMoved != 0
    }
}
