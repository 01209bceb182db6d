import AstrolabePlatform

/// Proof that the owner of leases is alive: a file beside the database, locked while the owner lives.
///
/// The system releases the lock however the process ends, so no guessing by process ids is needed.
final class QueueOwner {
    let name: String
    private let file: PrivateFile

    private static let infix = "-owner-"

    /// Creates and locks the file.
    init(of database: String, ids: IDGenerator) throws(SystemError) {
        var tries = 3
        while true {
            let name = ids.nextUUID()
            let file = try PrivateFile(Self.path(name, of: database))
            if file.tryLock(), file.isLinked {
                self.name = name
                self.file = file
                return
            }
            // Another process may have removed the file as a dead owner's, or this file system has no locks.
            let failure = SystemError("lock", file.path)
            PrivateFiles.removeFile(file.path)
            tries -= 1
            if tries == 0 { throw failure }
        }
    }

    deinit {
        PrivateFiles.removeFile(file.path)
    }

    /// Returns whether no process holds the lock of this owner's file. If so, removes the file.
    static func isDead(_ name: String, of database: String) -> Bool {
        let path = path(name, of: database)
        guard PrivateFiles.modified(path) != nil else { return true }
        guard let file = try? PrivateFile(path), file.tryLock() else { return false }
        PrivateFiles.removeFile(path)
        return true
    }

    /// The names of all owners that have a file, including dead ones.
    static func all(of database: String) -> [String] {
        guard let slash = database.lastIndex(of: "/") else { return [] }
        let prefix = database[database.index(after: slash)...] + infix
        return PrivateFiles.names(in: String(database[..<slash])).compactMap { name in
            name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
        }
    }

    private static func path(_ name: String, of database: String) -> String { database + infix + name }
}
