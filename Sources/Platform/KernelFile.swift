#if !canImport(Darwin)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Small files of the kernel under `/proc`. What can be read at once, at most 8 KiB, is all that is read.
package enum KernelFile {
    /// Returns the text of a file; empty if it cannot be read.
    package static func text(of path: String) -> String {
        LockRule.checkIO("reading a file of the kernel")
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        return String(unsafeUninitializedCapacity: 8_192) { max(read(file, $0.baseAddress, $0.count), 0) }
    }

    package static func firstLine(of path: String) -> String {
        text(of: path).lines.first.map(String.init) ?? ""
    }
}
#endif
