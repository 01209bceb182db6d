package import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Cuts what comes over a connection into lines, none of them longer than the limit.
package struct LineSplitter: Sendable {
    private let limit: Int
    private var rest = Data()

    package init(limit: Int) {
        self.limit = limit
    }

    /// The lines that are whole now, without their ends; empty ones are no lines.
    ///
    /// - Returns: nil where a line is too long; nothing that comes after it can be told apart any more.
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

    /// By the system's own search, which is as fast in a debug build.
    private static func endOfLine(in bytes: Data) -> Data.Index? {
        bytes.withUnsafeBytes { buffer in
            guard let first = buffer.baseAddress, let found = memchr(first, Int32(UInt8(ascii: "\n")), buffer.count)
            else { return nil }
            return bytes.startIndex + (UnsafeRawPointer(found) - first)
        }
    }
}
