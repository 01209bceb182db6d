#if canImport(Darwin)
import Darwin
import Foundation
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A failed system call, with the path and the system's reason.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    package let operation: String
    package let path: String
    /// The system's `errno`.
    package let code: Int32

    /// Takes the reason from `errno`, so create it directly after the call.
    package init(_ operation: String, _ path: String) {
        self.init(operation, path, code: errno)
    }

    package init(_ operation: String, _ path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// True if the device or the quota has no space left.
    package var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }
    /// True if there is no such file, or no such directory.
    package var isMissingFile: Bool { code == ENOENT || code == ENOTDIR }
    /// True if the process or the system has no descriptor or no memory left now.
    package var isShortOfResources: Bool { code == EMFILE || code == ENFILE || code == ENOMEM }
    /// True if the file or its directory is not writable.
    package var isReadOnly: Bool { code == EROFS || code == EACCES || code == EPERM }

    package var description: String {
        "cannot \(operation) \(path): \(String(cString: strerror(code)))"
    }
}

/// Directories and files that only this app's user may read.
///
/// On Apple devices they have the protection class "protected until first user authentication". Telemetry can therefore
/// be written while the device is locked, and is encrypted from boot until the first unlock.
package enum PrivateFiles {
    /// Creates the directory and its parents for the owner alone (0700).
    package static func makeDirectory(_ path: String) throws(SystemError) {
        LockRule.checkIO("creating a directory")
        if mkdir(path, 0o700) == 0 { return protect(path) }
        let reason = errno
        if reason == ENOENT, let above = parent(of: path) {
            try makeDirectory(above)
            if mkdir(path, 0o700) == 0 { return protect(path) }
        }
        if reason == EEXIST || errno == EEXIST {
            guard isDirectory(path) else { throw SystemError("create the directory", path, code: ENOTDIR) }
            return
        }
        throw SystemError("create the directory", path)
    }

    /// Returns the names in a directory, unordered; empty if it cannot be read.
    package static func names(in path: String) -> [String] {
        LockRule.checkIO("reading a directory")
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    package static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the time of the last change in seconds since 1970; `nil` if the file does not exist.
    package static func modified(_ path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
        return Int(status.st_mtimespec.tv_sec)
        #else
        return Int(status.st_mtim.tv_sec)
        #endif
    }

    /// Returns the identity of the file with this name; `nil` if there is none.
    package static func identity(of path: String) -> FileIdentity? {
        var status = stat()
        return stat(path, &status) == 0 ? FileIdentity(status) : nil
    }

    package static func move(_ path: String, to destination: String) throws(SystemError) {
        LockRule.checkIO("renaming a file")
        guard rename(path, destination) == 0 else { throw SystemError("rename", path) }
    }

    /// Writes or replaces a file as a whole: a reader finds the old or the new bytes, even after a kill.
    ///
    /// The file is not synchronised to the disk, which would take milliseconds, so it may be empty after a loss of
    /// power. ``replaceDurably(_:with:)`` is for what must not be.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        try replace(path, with: bytes, isSynchronized: false)
    }

    /// Writes or replaces a file as ``replace(_:with:)`` does, and synchronizes the file and its directory with the
    /// disk: after it returns, a loss of power does not undo it. Takes milliseconds.
    package static func replaceDurably(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        try replace(path, with: bytes, isSynchronized: true)
        if let directory = parent(of: path) { try synchronizeDirectory(directory) }
    }

    private static func replace(
        _ path: String, with bytes: [UInt8], isSynchronized: Bool,
    ) throws(SystemError) {
        let fresh = "\(path).\(getpid())"
        removeFile(fresh)
        do throws(SystemError) {
            let file = try PrivateFile(fresh)
            try file.write(bytes)
            if isSynchronized { try file.synchronize() }
            try move(fresh, to: path)
        } catch {
            removeFile(fresh)
            throw error
        }
    }

    /// Synchronizes a directory's entries with the disk.
    package static func synchronizeDirectory(_ path: String) throws(SystemError) {
        try PrivateFile(existing: path).synchronize()
    }

    /// Removes a file; returns true if it no longer exists.
    @discardableResult
    package static func removeFile(_ path: String) -> Bool {
        LockRule.checkIO("removing a file")
        return unlink(path) == 0 || errno == ENOENT
    }

    /// Removes a directory and the files directly in it; returns true if it no longer exists.
    @discardableResult
    package static func removeDirectory(_ path: String) -> Bool {
        for name in names(in: path) { removeFile(path + "/" + name) }
        return rmdir(path) == 0 || errno == ENOENT
    }

    private static func parent(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
        return String(path[..<slash])
    }

    /// Sets the protection class that all files of this type have.
    static func protect(_ path: String) {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        // The system's default for an app's files is the same class, unless the app has declared another.
        try? FileManager.default.setAttributes(
            [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: path,
        )
        #endif
    }
}

/// The file behind a name, which another file may take over.
package struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    fileprivate init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

/// An open file readable by its owner alone (0600), closed with its last reference.
package final class PrivateFile: Sendable {
    package let path: String
    package let descriptor: Int32

    /// Opens a file for reading and writing, and creates it if it does not exist.
    package init(_ path: String) throws(SystemError) {
        LockRule.checkIO("opening a file")
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError("open", path) }
        PrivateFiles.protect(path)
    }

    /// Opens a file for reading.
    package init(existing path: String) throws(SystemError) {
        LockRule.checkIO("opening a file")
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open", path) }
    }

    deinit {
        close(descriptor)
    }

    /// Takes the file's lock without waiting. The system releases the lock however the process ends.
    package func tryLock() -> Bool {
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    package func unlock() {
        flock(descriptor, LOCK_UN)
    }

    /// Writes what is in memory of the file to the disk itself, past the disk's own cache where the system can.
    package func synchronize() throws(SystemError) {
        LockRule.checkIO("synchronizing a file")
        #if canImport(Darwin)
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw SystemError("synchronize", path) }
    }

    /// Bytes of the file; 0 if the system does not report them.
    package var size: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// The identity of the file; `nil` if the system does not say.
    package var identity: FileIdentity? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? FileIdentity(status) : nil
    }

    /// True if the file still has a name in some directory.
    package var isLinked: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }

    /// Reads at most `count` bytes from the start of the file; `nil` if the system cannot.
    package func read(_ count: Int) -> [UInt8]? {
        LockRule.checkIO("reading a file")
        var bytes = [UInt8](repeating: 0, count: count)
        let length = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        return length < 0 ? nil : Array(bytes.prefix(length))
    }

    /// Writes at the start of the file.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        var offset = 0
        while offset < bytes.count {
            offset += try write(at: offset) { descriptor, place in
                bytes.withUnsafeBytes {
                    pwrite(descriptor, $0.baseAddress.map { $0 + offset }, $0.count - offset, place)
                }
            }
        }
    }

    /// Returns the number of bytes that a call wrote; 0 if a signal interrupted it.
    private func write(at offset: Int, _ call: (Int32, off_t) -> Int) throws(SystemError) -> Int {
        LockRule.checkIO("writing a file")
        let written = call(descriptor, off_t(offset))
        if written < 0, errno == EINTR { return 0 }
        guard written > 0 else { throw SystemError("write to", path, code: written == 0 ? ENOSPC : errno) }
        return written
    }

    /// Extends the file to `size` bytes by writing zeros, so that the disk space is allocated.
    package func fill(to size: Int) throws(SystemError) { try fill(from: self.size, to: size) }

    /// Writes zeros to a part of the file, so that its disk space is allocated.
    package func fill(from start: Int, to size: Int) throws(SystemError) {
        let chunk = 65_536
        let zeros = UnsafeMutableRawPointer.allocate(byteCount: chunk, alignment: 16)
        defer { zeros.deallocate() }
        zeros.initializeMemory(as: UInt8.self, repeating: 0, count: chunk)
        var offset = start
        while offset < size {
            offset += try write(at: offset) { pwrite($0, zeros, min(chunk, size - offset), $1) }
        }
    }

    /// Extends the file to `size` bytes. What is added is 0, and takes no disk space before it is written.
    package func extend(to size: Int) throws(SystemError) {
        LockRule.checkIO("extending a file")
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw SystemError("extend", path) }
    }

    /// Shortens the file to `size` bytes and returns the disk space behind them; false if the system refuses.
    @discardableResult
    package func truncate(to size: Int) -> Bool {
        LockRule.checkIO("shortening a file")
        return ftruncate(descriptor, off_t(size)) == 0
    }

    /// Calls `body` with the whole file, mapped for reading and writing; with no bytes if it is empty.
    package func withMapping<Result>(
        _ body: (UnsafeMutableRawBufferPointer) -> Result
    ) throws(SystemError) -> Result {
        let size = size
        guard size > 0 else { return body(UnsafeMutableRawBufferPointer(start: nil, count: 0)) }
        let memory = try map(size)
        defer { munmap(memory, size) }
        return body(UnsafeMutableRawBufferPointer(start: memory, count: size))
    }

    /// Maps the first `size` bytes for reading and writing, shared with the file.
    package func map(_ size: Int) throws(SystemError) -> UnsafeMutableRawPointer {
        LockRule.checkIO("mapping a file")
        guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else {
            throw SystemError("map", path)
        }
        return memory
    }
}
