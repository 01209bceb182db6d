#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The kernel's files under `/sys` and `/proc`, or a copy of some of them under another root.
package struct SystemTree: Equatable, Sendable {
    private let root: String

    /// Creates a tree; the empty root is the system's own.
    package init(root: String = "") {
        self.root = root
    }

    /// True if these are the kernel's files, for which it reports events.
    package var isSystem: Bool { root.isEmpty }

    /// Returns a file's text without surrounding white space, at most 256 KiB; `nil` if it cannot be read.
    package func text(_ path: String) -> String? {
        let file = open(root + path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count < Self.sizeLimit {
            let count = read(file, &chunk, chunk.count)
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes.append(contentsOf: chunk.prefix(count))
        }
        while let last = bytes.last, Self.isBlank(last) { bytes.removeLast() }
        return String(decoding: bytes.drop(while: Self.isBlank), as: UTF8.self)
    }

    package func integer(_ path: String) -> Int? { text(path).flatMap { Int($0) } }

    package func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

    /// Returns the names in a directory, sorted; empty if it cannot be read.
    package func names(in directory: String) -> [String] {
        guard let handle = opendir(root + directory) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Returns the target of a symbolic link.
    package func destination(ofLink path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: 1024)
        let count = readlink(root + path, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static let sizeLimit = 256 * 1024

    /// Returns true if a byte is white space or NUL, which ends the strings of the device tree.
    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0 || byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}
