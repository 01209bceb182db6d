#if os(Linux)
import CZstd

/// Decompresses zstd data (RFC 8878) that arrives in parts: one frame or several.
final class ZstdInflation: Inflation {
    /// The binary logarithm of the largest window, 8 MiB. HTTP's `zstd` has none that is larger (RFC 9659).
    private static let windowLogLimit: Int32 = 23

    private let context: OpaquePointer
    private let chunk: UnsafeMutableRawBufferPointer
    private let limit: Int
    private var made = 0
    private var taken = 0
    /// True if the input ends between two frames, where it may end.
    private var isComplete = false

    /// - Parameter limit: Maximum bytes of output. `add` fails as soon as the output exceeds it.
    init(limit: Int) throws(ZstdError) {
        guard let context = ZSTD_createDCtx() else { throw .outOfMemory }
        self.context = context
        self.limit = limit
        chunk = .allocate(byteCount: 64 << 10, alignment: 16)
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.windowLogLimit)
    }

    deinit {
        ZSTD_freeDCtx(context)
        chunk.deallocate()
    }

    func add(_ part: UnsafeRawBufferPointer, write: ([UInt8]) throws -> Void) throws {
        guard !part.isEmpty else { return }
        var input = ZSTD_inBuffer(src: part.baseAddress, size: part.count, pos: 0)
        while true {
            var output = ZSTD_outBuffer(dst: chunk.baseAddress, size: chunk.count, pos: 0)
            let status = ZSTD_decompressStream(context, &output, &input)
            guard ZSTD_isError(status) == 0 else { throw ZstdError(status, offset: taken + input.pos) }
            made += output.pos
            guard made <= limit else { throw ZstdError.limitExceeded(limit: limit) }
            if output.pos > 0 { try write(Array(UnsafeRawBufferPointer(rebasing: chunk[..<output.pos]))) }
            isComplete = status == 0
            // Within a frame, zstd may have more output for the same input if it filled the chunk.
            if input.pos == input.size, isComplete || output.pos < chunk.count { break }
        }
        taken += part.count
    }

    func end() throws {
        guard isComplete else { throw ZstdError.truncated(offset: taken) }
    }
}

/// Why zstd data cannot be decompressed. Offsets count compressed bytes.
enum ZstdError: InflationError, Hashable {
    case truncated(offset: Int)
    /// `detail` is libzstd's name of the error.
    case damaged(offset: Int, detail: String)
    case windowTooLarge
    case limitExceeded(limit: Int)
    case outOfMemory

    fileprivate init(_ status: Int, offset: Int) {
        switch ZSTD_getErrorCode(status) {
        case ZSTD_error_frameParameter_windowTooLarge: self = .windowTooLarge
        case ZSTD_error_memory_allocation: self = .outOfMemory
        default:
            let detail = ZSTD_getErrorName(status).map { String(cString: $0) }
            self = .damaged(offset: offset, detail: detail ?? "no detail given")
        }
    }

    var isOverLimit: Bool { if case .limitExceeded = self { true } else { false } }

    var description: String {
        switch self {
        case .truncated(let offset):
            "The compressed data ends at byte \(offset), before it is complete; send it whole."
        case .damaged(let offset, let detail):
            "The compressed data is damaged near byte \(offset): \(detail)."
        case .windowTooLarge:
            "Expected zstd data with a window of at most 8 MiB; compress with a level below 20."
        case .limitExceeded(let limit):
            "The data is longer than \(limit) bytes once decompressed; send less at a time."
        case .outOfMemory:
            "libzstd could not allocate memory."
        }
    }
}
#endif
