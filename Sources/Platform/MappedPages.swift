#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Mapped memory that is not needed any more, but that another thread may be about to access.
package enum MappedPages {
    /// Returns the memory of a mapping, and the disk space of a removed file. Its addresses stay valid: they have
    /// zeros, which take no memory, and what is written to them is lost.
    package static func discard(_ base: UnsafeMutableRawPointer, _ size: Int) {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE
        _ = mmap(base, size, PROT_READ | PROT_WRITE, flags, -1, 0)
    }
}
