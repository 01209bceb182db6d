/// Gzip (RFC 1952) over the system's zlib, for request and response bodies held in memory.
///
///     let body = try GzipCoder.compress(request)
///     let request = try GzipCoder.decompress(body, limit: 16 << 20)
///
/// Both directions need about 300 KB of working memory beside input and output.
package enum GzipCoder {
    /// zlib's own default: most of the gain at a third of the time of level 9.
    package static let defaultLevel = 6

    /// One gzip member that holds `bytes`, without a file name or a time, so that equal input gives equal output.
    ///
    /// - Parameter level: 0 (stored) to 9 (smallest).
    package static func compress(_ bytes: [UInt8], level: Int = defaultLevel) throws(GzipError) -> [UInt8] {
        try bytes.withUnsafeBytes { raw in
            Result { () throws(GzipError) in try compress(raw, level: level) }
        }.get()
    }

    /// The same, without copying the input into an array.
    package static func compress(
        _ bytes: UnsafeRawBufferPointer, level: Int = defaultLevel,
    ) throws(GzipError) -> [UInt8] {
        guard let zlibLevel = Int32(exactly: level), (0...9).contains(level) else { throw .levelOutOfRange(level) }
        let deflater = try Deflater(level: zlibLevel)
        return try deflater.compress(bytes)
    }

    /// The contents of all members of `bytes`, one after another.
    ///
    /// - Parameter limit: The longest output in bytes. A longer one is refused once the limit is passed, before the
    ///   rest is decompressed, so that a small request cannot fill the memory.
    package static func decompress(_ bytes: [UInt8], limit: Int) throws(GzipError) -> [UInt8] {
        try bytes.withUnsafeBytes { raw in
            Result { () throws(GzipError) in try decompress(raw, limit: limit) }
        }.get()
    }

    /// The same, without copying the input into an array.
    package static func decompress(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(GzipError) -> [UInt8] {
        let inflater = try Inflater(limit: limit)
        return try inflater.decompress(bytes)
    }
}
