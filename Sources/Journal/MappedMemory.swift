import AstrolabePlatform

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Memory that is a file's, or nobody's where there can be no file; unmapped with its last reference.
///
/// Every page of a file is backed by disk space that is already taken, so storing to it cannot fail for a full disk. It
/// can fail, with a signal that ends the process, where somebody shortens the file meanwhile; nothing can guard against
/// that.
final class MappedMemory: @unchecked Sendable {  // who may store where and when is the business of `Region`
    let base: UnsafeMutableRawPointer
    let size: Int
    /// Where the file is; `nil` for memory that does not outlive the process.
    let path: String?

    /// Maps `size` bytes of the file, which it lengthens with zeros where it is shorter, and which may then be closed.
    init(_ file: PrivateFile, size: Int) throws(SystemError) {
        try file.fill(to: size)
        base = try file.map(size)
        self.size = size
        path = file.path
    }

    /// Takes zeroed memory without a file.
    init(anonymous size: Int) throws(SystemError) {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0), memory != MAP_FAILED else {
            throw SystemError("take memory for", "the journal")
        }
        base = memory
        self.size = size
        path = nil
    }

    deinit {
        munmap(base, size)
    }
}
