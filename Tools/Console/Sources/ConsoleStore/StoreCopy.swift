package import ConsoleModel
import Foundation
import GRDB

/// Copies the file of a store, also while a console writes to it.
package enum StoreCopy {
    /// Makes a copy with all records that were stored before the call, as one file without a write-ahead log.
    ///
    /// The copy appears at its path when it is complete and was checked: it has no damage, and the tables of its format
    /// version without foreign triggers and views.
    ///
    /// - Throws: `StoreError`, and leaves no copy. An existing file is never replaced.
    package static func make(of source: String, at target: String) throws(StoreError) {
        let files = FileManager.default
        guard files.fileExists(atPath: source) else { throw .missing(path: source) }
        // A log that is left over from another file would be applied to the copy.
        for file in [target, target + "-wal", target + "-shm"] where files.fileExists(atPath: file) {
            throw .exists(path: file)
        }
        let partial = target + ".partial"
        do {
            try? files.removeItem(atPath: partial)
            defer { try? files.removeItem(atPath: partial) }
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
            guard files.createFile(atPath: partial, contents: nil, attributes: attributes) else {
                throw StoreError.readOnly(path: target)
            }
            try copy(source, to: partial)
            try files.moveItem(atPath: partial, toPath: target)
        } catch {
            throw StoreError(error, path: source)
        }
    }

    private static func copy(_ source: String, to target: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        let copy = try DatabaseQueue(path: target, configuration: configuration)
        defer { try? copy.close() }
        configuration.readonly = true
        let original = try DatabaseQueue(path: source, configuration: configuration)
        defer { try? original.close() }
        // All pages are copied in one read transaction, so that writers do not wait and the copy is of one moment.
        try original.backup(to: copy)
        let (version, shape) = try copy.writeWithoutTransaction { database in
            let version = try StoreFile.checkFormat(database, path: source)
            let fault = try QueryConnection(database).texts("PRAGMA quick_check(1)").first
            guard fault == "ok" else { throw StoreError.corrupt(path: source, detail: fault ?? "no result") }
            try database.execute(sql: "PRAGMA journal_mode = DELETE")
            return (version, try SchemaShape(QueryConnection(database)))
        }
        guard version > 0 else { throw StoreError.unusable(path: source, detail: "it has no tables of a console") }
        if let fault = try StoreFile.shape(ofVersion: version).fault(of: shape) {
            throw StoreError.unusable(path: source, detail: fault)
        }
    }
}
