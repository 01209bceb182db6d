import AstrolabeGzip

/// Why a compressed body was not decompressed.
public struct OTLPDecompressionError: Error, Hashable, Sendable {
    /// True if the decompressed body would pass the caller's limit. A server responds with 413 then, otherwise 400.
    public let isTooLong: Bool
    /// The problem, its place, and the remedy; safe to log and to send back.
    public let description: String

    init(_ error: GzipError) {
        if case .limitExceeded = error { isTooLong = true } else { isTooLong = false }
        description = error.description
    }
}

extension OTLPDecompressionError: CustomStringConvertible {}

extension OTLPDecoder {
    /// Decompresses a body with `Content-Encoding: gzip`.
    ///
    ///     let body = try OTLPDecoder.decompress(gzip: compressed, limit: 16 << 20)
    ///     let groups = try OTLPDecoder.traces(protobuf: body)
    ///
    /// - Parameters:
    ///   - bytes: One gzip member or several.
    ///   - limit: The longest result in bytes. A longer one is refused as soon as the limit is passed, so that a small
    ///     request cannot fill the memory.
    public static func decompress(
        gzip bytes: [UInt8], limit: Int,
    ) throws(OTLPDecompressionError) -> [UInt8] {
        do throws(GzipError) {
            return try GzipCoder.decompress(bytes, limit: limit)
        } catch {
            throw OTLPDecompressionError(error)
        }
    }

    /// Decompresses a body with `Content-Encoding: gzip` in place.
    public static func decompress(
        gzip bytes: UnsafeRawBufferPointer, limit: Int,
    ) throws(OTLPDecompressionError) -> [UInt8] {
        do throws(GzipError) {
            return try GzipCoder.decompress(bytes, limit: limit)
        } catch {
            throw OTLPDecompressionError(error)
        }
    }
}
