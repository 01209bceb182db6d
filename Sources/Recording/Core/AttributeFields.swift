#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Finds and replaces attributes among fields that are already encoded.
enum AttributeFields {
    /// One of 64 bits that stands for a key: where it is not set in a record's filter, the key is new for certain.
    @inline(__always)
    static func filterBit(of key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let count = key.count
        guard count > 0 else { return 1 }
        let hash =
            count &* 7 &+ Int(key[count - 1]) &* 13 &+ Int(key[count / 2]) &* 5 &+ Int(key[count &* 3 / 4])
        return 1 << UInt64(hash & 63)
    }

    static func filterBit(of key: String) -> UInt64 {
        key.withUTF8Bytes { filterBit(of: $0) }
    }

    /// The range of the field with this tag and key within `bytes`, which holds length-delimited fields alone.
    static func range(
        of key: UnsafeBufferPointer<UInt8>, tag: UInt8, in bytes: UnsafeRawBufferPointer,
    ) -> Range<Int>? {
        var offset = 0
        while offset < bytes.count {
            let start = offset
            let fieldTag = bytes[offset]
            offset += 1
            let size = readVarint(bytes, &offset)
            let end = offset + size
            if fieldTag == tag {
                offset += 1
                let keySize = readVarint(bytes, &offset)
                if isEqual(key, UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + keySize])) {
                    return start..<end
                }
            }
            offset = end
        }
        return nil
    }

    /// The range of the largest field with this tag within `bytes`; `nil` if there is none.
    static func largest(tag: UInt8, in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        var found: Range<Int>?
        for range in FieldRanges(bytes: bytes) where bytes[range.lowerBound] == tag && range.count > found?.count ?? 0 {
            found = range
        }
        return found
    }

    /// The range of the last field within `bytes`; `nil` if there is none.
    static func last(in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        var found: Range<Int>?
        for range in FieldRanges(bytes: bytes) { found = range }
        return found
    }

    /// The ranges of length-delimited fields, one after the other.
    private struct FieldRanges: Sequence, IteratorProtocol {
        let bytes: UnsafeRawBufferPointer
        private var offset = 0

        init(bytes: UnsafeRawBufferPointer) {
            self.bytes = bytes
        }

        mutating func next() -> Range<Int>? {
            guard offset < bytes.count else { return nil }
            let start = offset
            offset += 1
            let size = readVarint(bytes, &offset)
            offset += size
            return start..<offset
        }
    }

    private static func readVarint(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> Int {
        var value = 0
        var shift = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            value |= Int(byte & 0x7F) << shift
            if byte < 0x80 { break }
            shift += 7
        }
        return value
    }

    private static func isEqual(_ key: UnsafeBufferPointer<UInt8>, _ other: UnsafeRawBufferPointer) -> Bool {
        guard key.count == other.count, let left = key.baseAddress, let right = other.baseAddress else { return false }
        return memcmp(left, right, key.count) == 0
    }
}
