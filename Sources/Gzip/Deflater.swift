import CAstrolabeZlib

/// A single compression; not reusable.
final class Deflater {
    private let stream: ZlibStream

    init(level: Int32, stream: ZlibStream = ZlibStream()) throws(GzipError) {
        self.stream = stream
        let status = deflateInit2_(
            stream.pointer, level, Z_DEFLATED, gzipWindowBits, defaultMemoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size),
        )
        guard status == Z_OK else { throw .outOfMemory }
    }

    deinit {
        deflateEnd(stream.pointer)
    }

    func compress(_ input: UnsafeRawBufferPointer) throws(GzipError) -> [UInt8] {
        var output: [UInt8] = []
        while true {
            let (status, _) = stream.advance(input, appendingTo: &output, room: .max) { pointer, isLastPiece in
                deflate(pointer, isLastPiece ? Z_FINISH : Z_NO_FLUSH)
            }
            switch status {
            case Z_STREAM_END: return output
            case Z_OK: continue
            default: throw .damaged(offset: stream.consumed, detail: stream.message)
            }
        }
    }
}

/// The largest window, 15 bits, plus 16 to select gzip's header and trailer instead of zlib's (zlib.h).
let gzipWindowBits: Int32 = 15 + 16

/// zlib's default memory level for its match finder, 1 to 9 (zlib.h).
private let defaultMemoryLevel: Int32 = 8
