import AstrolabePlatform

/// Proves that the owner of leases is alive: a file beside the database, locked for as long as the owner lives.
///
/// The system takes the lock back however the process ends, so there is no guessing by process ids.
final class QueueOwner {
    let name: String
    private let file: PrivateFile

    private static let infix = "-owner-"

    /// Makes and locks the file.
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
            // Between the calls somebody may have taken the file for a dead owner's; or there are no locks here.
            let failure = SystemError("lock", file.path)
            PrivateFiles.removeFile(file.path)
            tries -= 1
            if tries == 0 { throw failure }
        }
    }

    deinit {
        PrivateFiles.removeFile(file.path)
    }

    /// Whether nobody holds the lock of this owner's file; the file is removed then.
    static func isDead(_ name: String, of database: String) -> Bool {
        let path = path(name, of: database)
        guard PrivateFiles.modified(path) != nil else { return true }
        guard let file = try? PrivateFile(path), file.tryLock() else { return false }
        PrivateFiles.removeFile(path)
        return true
    }

    /// The names of all owners that have a file, dead ones included.
    static func all(of database: String) -> [String] {
        guard let slash = database.lastIndex(of: "/") else { return [] }
        let prefix = database[database.index(after: slash)...] + infix
        return PrivateFiles.names(in: String(database[..<slash])).compactMap { name in
            name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
        }
    }

    private static func path(_ name: String, of database: String) -> String { database + infix + name }
}
