import CAstrolabeZlib

/// Decompresses data that arrives in parts, for bodies that are too large for the memory, in gzip's format or zlib's.
///
///     let inflation = try GzipInflation(limit: 2 << 30)
///     for part in parts { try inflation.add(part) { bytes in try file.write(bytes) } }
///     try inflation.end()
package final class GzipInflation {
    /// The header and the trailer of the compressed data.
    package enum Format: Sendable {
        /// RFC 1952. The data is one member or several.
        case gzip
        /// RFC 1950, which is HTTP's `deflate`.
        case zlib

        fileprivate var windowBits: Int32 { self == .gzip ? gzipWindowBits : gzipWindowBits - 16 }
    }

    private let format: Format
    private let stream = ZlibStream()
    private let limit: Int
    private var made = 0
    private var taken = 0
    /// True if the input ends between two members, where it may end.
    private var isComplete = false

    /// - Parameter limit: Maximum bytes of output. `add` fails as soon as the output exceeds it.
    package init(_ format: Format = .gzip, limit: Int) throws(GzipError) {
        self.format = format
        self.limit = limit
        let status = inflateInit2_(
            stream.pointer, format.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size),
        )
        guard status == Z_OK else { throw .outOfMemory }
    }

    deinit {
        inflateEnd(stream.pointer)
    }

    /// Decompresses the next part.
    ///
    /// - Parameter write: Called with each piece of output, at most 64 KiB.
    /// - Throws: `GzipError`, or what `write` throws.
    package func add(_ part: UnsafeRawBufferPointer, write: ([UInt8]) throws -> Void) throws {
        var used = 0
        // After the last input, zlib may still have output, which it gives until it asks for more input.
        while true {
            if isComplete {
                guard used < part.count else {
                    taken += used
                    return
                }
                guard format == .gzip else { throw GzipError.trailingGarbage(offset: taken + used) }
                inflateReset(stream.pointer)
                isComplete = false
            }
            var output: [UInt8] = []
            stream.restart()
            let rest = UnsafeRawBufferPointer(rebasing: part[used...])
            let (status, overflowed) = stream.advance(rest, appendingTo: &output, room: limit - made) { pointer, _ in
                inflate(pointer, Z_NO_FLUSH)
            }
            used += stream.consumed
            if overflowed { throw GzipError.limitExceeded(limit: limit) }
            made += output.count
            if !output.isEmpty { try write(output) }
            switch status {
            case Z_STREAM_END: isComplete = true
            case Z_OK: continue
            case Z_BUF_ERROR where used == part.count:
                taken += used
                return
            case Z_MEM_ERROR: throw GzipError.outOfMemory
            default: throw GzipError.damaged(offset: taken + used, detail: stream.message)
            }
        }
    }

    /// Checks that the input was complete.
    package func end() throws(GzipError) {
        guard isComplete else { throw .truncated(offset: taken) }
    }
}
