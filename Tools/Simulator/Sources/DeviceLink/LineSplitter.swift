package import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Splits received bytes into lines of limited length.
package struct LineSplitter: Sendable {
    private let limit: Int
    private var rest = Data()

    package init(limit: Int) {
        self.limit = limit
    }

    /// Returns the lines that are complete, without line ends. Empty lines are skipped.
    ///
    /// - Returns: `nil` if a line is too long. The bytes after it cannot be split any more.
    package mutating func lines(adding bytes: Data) -> [Data]? {
        var lines: [Data] = []
        var start = bytes.startIndex
        while let end = Self.endOfLine(in: bytes[start...]) {
            guard rest.count + (end - start) <= limit else { return nil }
            let line = rest.isEmpty ? Data(bytes[start..<end]) : rest + bytes[start..<end]
            rest.removeAll(keepingCapacity: false)
            if !line.isEmpty { lines.append(line) }
            start = bytes.index(after: end)
        }
        guard rest.count + (bytes.endIndex - start) <= limit else { return nil }
        rest.append(bytes[start...])
        return lines
    }

    /// Uses `memchr`, which is as fast in a debug build.
    private static func endOfLine(in bytes: Data) -> Data.Index? {
        bytes.withUnsafeBytes { buffer in
            guard let first = buffer.baseAddress, let found = memchr(first, Int32(UInt8(ascii: "\n")), buffer.count)
            else { return nil }
            return bytes.startIndex + (UnsafeRawPointer(found) - first)
        }
    }
}
