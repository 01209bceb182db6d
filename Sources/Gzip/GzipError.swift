/// Why compression or decompression failed.
///
/// Offsets count compressed bytes from the start of the input, across all members.
package enum GzipError: Error, Equatable, Sendable {
    /// A level outside 0 to 9.
    case levelOutOfRange(Int)
    /// The input does not begin with the bytes 1F 8B.
    case notGzip
    /// The input ends at `offset`, inside a member.
    case truncated(offset: Int)
    /// At `offset`, after the end of a member, the input continues with something that is not a member.
    case trailingGarbage(offset: Int)
    /// The CRC-32 in the trailer that ends at `offset` does not match the data.
    case checksumMismatch(offset: Int)
    /// The length in the trailer that ends at `offset` does not match the data.
    case lengthMismatch(offset: Int)
    /// The compressed data is invalid at or shortly before `offset`; `detail` is zlib's message.
    case damaged(offset: Int, detail: String)
    /// The decompressed data is longer than `limit` bytes.
    case limitExceeded(limit: Int)
    /// zlib could not allocate its state.
    case outOfMemory
}

extension GzipError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .levelOutOfRange(let level):
            "Expected a compression level from 0 (none) to 9 (smallest), got \(level)."
        case .notGzip:
            "Expected gzip data, which begins with the bytes 1F 8B; send it uncompressed or name its real encoding."
        case .truncated(let offset):
            "The compressed data ends at byte \(offset), before it is complete; send it whole."
        case .trailingGarbage(let offset):
            "Expected the end of the compressed data at byte \(offset), got something else."
        case .checksumMismatch(let offset):
            "The data before byte \(offset) does not match its CRC-32: it was altered on the way."
        case .lengthMismatch(let offset):
            "The data before byte \(offset) does not have the length its trailer gives: it was altered on the way."
        case .damaged(let offset, let detail):
            "The compressed data is damaged near byte \(offset): \(detail)."
        case .limitExceeded(let limit):
            "The data is longer than \(limit) bytes once decompressed; send less at a time."
        case .outOfMemory:
            "zlib could not allocate memory."
        }
    }
}
