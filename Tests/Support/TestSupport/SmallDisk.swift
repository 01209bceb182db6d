import AstrolabePlatform
import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// A file system of a few kilobytes in memory, mounted for one test.
package final class SmallDisk {
    private let path: String

    /// True if mounting is possible: only as root, and only on Linux.
    package static var isPossible: Bool {
        #if os(Linux)
        let directory = TemporaryDirectory()
        let disk = try? SmallDisk(at: directory.path, kilobytes: 64)
        if disk == nil { print("skipped: no file system can be mounted here") }
        return disk != nil
        #else
        return false
        #endif
    }

    package init(at path: String, kilobytes: Int) throws {
        self.path = path
        try PrivateFiles.makeDirectory(path)
        #if os(Linux)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
            let failure = SystemError("mount a file system at", path)
            rmdir(path)
            throw failure
        }
        #endif
    }

    deinit {
        #if os(Linux)
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
        #endif
    }

    /// Takes all of its space but so many bytes, a multiple of 4,096, or gives as many back.
    package func fill(leaving bytes: Int) throws {
        let ballast = try PrivateFile(path + "/ballast")
        while (try? ballast.fill(to: ballast.size + 65_536)) != nil {}
        guard ballast.truncate(to: max(ballast.size - bytes, 0)) else { throw SystemError("shorten", ballast.path) }
    }

    package func makeReadOnly() throws { try remount(isReadOnly: true) }
    package func makeWritable() throws { try remount(isReadOnly: false) }

    private func remount(isReadOnly: Bool) throws {
        #if os(Linux)
        let flags = UInt(MS_REMOUNT) | (isReadOnly ? UInt(MS_RDONLY) : 0)
        guard mount("tmpfs", path, "tmpfs", flags, nil) == 0 else { throw SystemError("remount", path) }
        #endif
    }
}
