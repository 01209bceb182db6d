import AstrolabeGzip
import Testing

@testable import TelemetryConsole

#if os(Linux)
import CZstd
#endif

/// Bodies compressed as senders do it.
enum Compressed {
    static func body(_ bytes: [UInt8], _ compression: BodyCompression) throws -> [UInt8] {
        switch compression {
        case .identity: return bytes
        case .gzip: return try GzipCoder.compress(bytes)
        case .deflate: return try zlib(bytes)
        #if os(Linux)
        case .zstd: return try zstd(bytes)
        #endif
        }
    }

    /// The data of a gzip member as RFC 1950 has it: another header, and Adler-32 in place of CRC-32 and length.
    private static func zlib(_ bytes: [UInt8]) throws -> [UInt8] {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        let checksum = [high >> 8, high & 0xFF, low >> 8, low & 0xFF].map { UInt8($0) }
        let member = try GzipCoder.compress(bytes)
        return [0x78, 0x9C] + Array(member.dropFirst(10).dropLast(8)) + checksum
    }

    #if os(Linux)
    /// Compresses bytes as one frame.
    ///
    /// - Parameter windowLog: The binary logarithm of the window; 0 for that of the level.
    static func zstd(_ bytes: [UInt8], level: Int32 = 3, windowLog: Int32 = 0) throws -> [UInt8] {
        let context = ZSTD_createCCtx()
        defer { ZSTD_freeCCtx(context) }
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
        ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, windowLog)
        var output = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
        let size = ZSTD_compress2(context, &output, output.count, bytes, bytes.count)
        try #require(ZSTD_isError(size) == 0)
        return Array(output.prefix(size))
    }
    #endif
}
