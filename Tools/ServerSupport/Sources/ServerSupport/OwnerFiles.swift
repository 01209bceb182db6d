package import Foundation

/// Files of a server that only their owner may read: databases with what phones and shoppers sent.
package enum OwnerFiles {
    /// Creates a folder with mode 0700, unless it exists.
    package static func createFolder(_ folder: URL) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700],
        )
    }

    /// Creates a database as an empty file with mode 0600, unless it exists. An error is left to SQLite to report.
    ///
    /// SQLite gives the `-wal` and `-shm` files the mode of the database.
    package static func createDatabase(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Gives an existing database and its `-wal` and `-shm` files mode 0600.
    package static func protectDatabase(_ path: String) {
        let files = FileManager.default
        for file in [path, path + "-wal", path + "-shm"] where files.fileExists(atPath: file) {
            // The owner of the file decides. If it is another user, its mode stays.
            try? files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        }
    }

    /// Replaces a file with one of mode 0600, or creates it. A reader finds the old or the new content, also after the
    /// end of the process.
    package static func replace(_ path: String, with data: Data) throws {
        let next = path + ".next"
        unlink(next)
        let descriptor = open(next, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: data)
        try handle.synchronize()
        guard rename(next, path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}
