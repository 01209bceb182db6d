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

/// Memory mapped from a file, or anonymous memory if there can be no file; unmapped with its last reference.
///
/// Every page in use has disk space allocated, so a store cannot fail because the disk is full. If another program
/// truncates the file while it is mapped, an access ends the process with a signal. Nothing can prevent that.
final class MappedMemory: @unchecked Sendable {  // `Region` orders the accesses
    let base: UnsafeMutableRawPointer
    let size: Int
    /// The path of the file; `nil` for memory that does not outlive the process.
    let path: String?

    /// Maps `size` bytes of the file, extended with zeros if it is shorter. The file may then be closed.
    ///
    /// - Parameter allocated: Bytes to extend the file to, if the rest is not needed yet. The caller extends the file
    ///   before it accesses the rest.
    init(_ file: PrivateFile, size: Int, allocated: Int? = nil) throws(SystemError) {
        try file.fill(to: allocated ?? size)
        base = try file.map(size)
        self.size = size
        path = file.path
    }

    /// Allocates zeroed memory without a file.
    init(anonymous size: Int) throws(SystemError) {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0), memory != MAP_FAILED else {
            throw SystemError("allocate memory for", "the journal")
        }
        base = memory
        self.size = size
        path = nil
    }

    /// Returns the memory before the last reference is gone.
    func discard() { MappedPages.discard(base, size) }

    deinit {
        munmap(base, size)
    }
}
