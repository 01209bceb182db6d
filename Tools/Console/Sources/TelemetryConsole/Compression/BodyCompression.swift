import AstrolabeGzip
import NIOCore

/// The compression of a request's body, by the names of `Content-Encoding` and of gRPC's `grpc-encoding`.
package enum BodyCompression: String, Sendable, CaseIterable {
    case identity
    case gzip
    /// zlib's format, RFC 1950.
    case deflate
    #if os(Linux)
    /// RFC 8878, with windows of at most 8 MiB. A Mac has no libzstd.
    case zstd
    #endif

    /// Parses a name, of which none is ``identity``; `nil` if the console does not decompress it.
    package init?(_ name: String?) {
        let name = (name ?? "").lowercased()
        self.init(rawValue: name.isEmpty ? Self.identity.rawValue : name)
    }

    /// The names but `identity`, as `Accept-Encoding` lists them.
    package static let names = allCases.filter { $0 != .identity }.map(\.rawValue).joined(separator: ", ")

    /// Creates the decompression of one body; `nil` if it is not compressed.
    ///
    /// - Parameter limit: Maximum bytes of output.
    func inflation(limit: Int) throws -> (any Inflation)? {
        switch self {
        case .identity: return nil
        case .gzip: return try GzipInflation(limit: limit)
        case .deflate: return try GzipInflation(.zlib, limit: limit)
        #if os(Linux)
        case .zstd: return try ZstdInflation(limit: limit)
        #endif
        }
    }

    /// Returns a body as every OTLP server takes it: one with a compression that OTLP does not name becomes gzip.
    ///
    /// - Parameter plain: The decompressed body; `nil` if it is not compressed.
    func forwarded(_ body: ByteBuffer, _ plain: [UInt8]?) -> (body: ByteBuffer, isGzip: Bool) {
        guard self != .gzip, let plain else { return (body, self == .gzip) }
        guard let packed = try? GzipCoder.compress(plain, level: GzipCoder.fastestLevel) else {
            return (ByteBuffer(bytes: plain), false)
        }
        return (ByteBuffer(bytes: packed), true)
    }
}
