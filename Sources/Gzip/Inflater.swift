import CAstrolabeZlib

/// A single decompression of a sequence of members; not reusable.
final class Inflater {
    private let stream: ZlibStream
    private let limit: Int

    init(limit: Int, stream: ZlibStream = ZlibStream()) throws(GzipError) {
        self.stream = stream
        self.limit = limit
        let status = inflateInit2_(
            stream.pointer, gzipWindowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size),
        )
        guard status == Z_OK else { throw .outOfMemory }
    }

    deinit {
        inflateEnd(stream.pointer)
    }

    func decompress(_ input: UnsafeRawBufferPointer) throws(GzipError) -> [UInt8] {
        guard Self.mayBeMember(input[...]) else { throw .notGzip }
        var output: [UInt8] = []
        while true {
            let (status, overflowed) = stream.advance(input, appendingTo: &output, room: limit - output.count) {
                pointer, _ in inflate(pointer, Z_NO_FLUSH)
            }
            if overflowed { throw .limitExceeded(limit: limit) }
            switch status {
            case Z_STREAM_END:
                if stream.consumed == input.count { return output }
                guard Self.mayBeMember(input[stream.consumed...]) else {
                    throw .trailingGarbage(offset: stream.consumed)
                }
                inflateReset(stream.pointer)
            case Z_OK:
                continue
            case Z_BUF_ERROR:
                // No progress although there is room for output: the input is incomplete.
                throw .truncated(offset: stream.consumed)
            case Z_MEM_ERROR:
                throw .outOfMemory
            default:
                throw failure()
            }
        }
    }

    /// Returns false if the bytes cannot start a member. A single 1F may start one that is cut off.
    private static func mayBeMember(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        bytes.prefix(2).elementsEqual([0x1F, 0x8B].prefix(max(bytes.count, 1)))
    }

    /// Maps zlib's failure to an error. Only zlib's message distinguishes the trailer's two checks.
    private func failure() -> GzipError {
        switch stream.message {
        case "incorrect data check": .checksumMismatch(offset: stream.consumed)
        case "incorrect length check": .lengthMismatch(offset: stream.consumed)
        case let detail: .damaged(offset: stream.consumed, detail: detail)
        }
    }
}
