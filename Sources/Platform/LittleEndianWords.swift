extension [UInt64] {
    /// Reads words of 8 bytes, little-endian. Bytes that are left over are ignored.
    package init(littleEndian bytes: [UInt8]) {
        self = stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { offset in
            bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// 8 bytes for each word, little-endian.
    package var littleEndianBytes: [UInt8] {
        flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    }
}
