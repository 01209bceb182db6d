/// A coder for gzip (RFC 1952) that uses the system's zlib, for request and response bodies in memory.
///
///     let body = try GzipCoder.compress(request)
///     let request = try GzipCoder.decompress(body, limit: 16 << 20)
///
/// Both directions need about 300 KB of working memory in addition to input and output.
package enum GzipCoder {
    /// zlib's default: most of the compression in a third of the time of level 9.
    package static let defaultLevel = 6

    /// A quarter of the time of the default, for slightly more bytes.
    package static let fastestLevel = 1

    /// Compresses `bytes` into one gzip member without a file name or a time, so equal input gives equal output.
    ///
    /// - Parameter level: 0 (stored) to 9 (smallest).
    package static func compress(_ bytes: [UInt8], level: Int = defaultLevel) throws(GzipError) -> [UInt8] {
        try bytes.withUnsafeBytes { raw in
            Result { () throws(GzipError) in try compress(raw, level: level) }
        }.get()
    }

    /// Compresses a buffer without copying the input into an array.
    package static func compress(
        _ bytes: UnsafeRawBufferPointer, level: Int = defaultLevel,
    ) throws(GzipError) -> [UInt8] {
        guard let zlibLevel = Int32(exactly: level), (0...9).contains(level) else { throw .levelOutOfRange(level) }
        let deflater = try Deflater(level: zlibLevel)
        return try deflater.compress(bytes)
    }

    /// Decompresses and concatenates all members of `bytes`.
    ///
    /// - Parameter limit: Maximum bytes of output. Decompression fails as soon as the output exceeds the limit, so that
    ///   a small request cannot exhaust the memory.
    package static func decompress(_ bytes: [UInt8], limit: Int) throws(GzipError) -> [UInt8] {
        try bytes.withUnsafeBytes { raw in
            Result { () throws(GzipError) in try decompress(raw, limit: limit) }
        }.get()
    }

    /// Decompresses a buffer without copying the input into an array.
    package static func decompress(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(GzipError) -> [UInt8] {
        let inflater = try Inflater(limit: limit)
        return try inflater.decompress(bytes)
    }
}
