/// Writes protobuf's wire format forward into memory that the caller has sized beforehand with `WireSize`.
///
/// Nothing is checked here: sizing and writing are one arithmetic, kept side by side so that they cannot drift apart,
/// and the tests write every message with the memory's end guarded.
@usableFromInline
package struct WireWriter {
    @usableFromInline package private(set) var cursor: UnsafeMutableRawPointer

    @inlinable @inline(__always)
    package init(_ start: UnsafeMutableRawPointer) {
        cursor = start
    }

    @inlinable @inline(__always)
    package mutating func byte(_ value: UInt8) {
        cursor.storeBytes(of: value, as: UInt8.self)
        cursor += 1
    }

    @inlinable @inline(__always)
    package mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            byte(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        byte(UInt8(truncatingIfNeeded: rest))
    }

    @inlinable @inline(__always)
    package mutating func varint(_ value: Int) {
        varint(UInt64(UInt(bitPattern: value)))
    }

    @inlinable @inline(__always)
    package mutating func fixed64(_ value: UInt64) {
        cursor.storeBytes(of: value.littleEndian, as: UInt64.self)
        cursor += 8
    }

    @inlinable @inline(__always)
    package mutating func fixed32(_ value: UInt32) {
        cursor.storeBytes(of: value.littleEndian, as: UInt32.self)
        cursor += 4
    }

    @inlinable @inline(__always)
    package mutating func bigEndian64(_ value: UInt64) {
        cursor.storeBytes(of: value.bigEndian, as: UInt64.self)
        cursor += 8
    }

    @inlinable @inline(__always)
    package mutating func bytes(_ source: UnsafeRawBufferPointer) {
        if let base = source.baseAddress {
            cursor.copyMemory(from: base, byteCount: source.count)
            cursor += source.count
        }
    }

    /// The UTF-8 of `text`, without its length.
    @inlinable @inline(__always)
    package mutating func utf8(_ text: String) {
        if text.utf8.withContiguousStorageIfAvailable({ bytes(UnsafeRawBufferPointer($0)) }) == nil {
            for unit in text.utf8 { byte(unit) }
        }
    }

    /// A length-delimited field with a one-byte tag: tag, length, bytes.
    @inlinable @inline(__always)
    package mutating func field(_ tag: UInt8, _ content: UnsafeBufferPointer<UInt8>) {
        header(tag, size: content.count)
        bytes(UnsafeRawBufferPointer(content))
    }

    /// A length-delimited field with a one-byte tag: tag, length, UTF-8.
    @inlinable @inline(__always)
    package mutating func field(_ tag: UInt8, _ text: String) {
        byte(tag)
        varint(text.utf8.count)
        utf8(text)
    }

    /// Tag and length of a submessage whose `size` bytes the caller writes next.
    @inlinable @inline(__always)
    package mutating func header(_ tag: UInt8, size: Int) {
        byte(tag)
        varint(size)
    }
}

/// How many bytes `WireWriter` will write.
@usableFromInline
package enum WireSize {
    @inlinable @inline(__always)
    package static func varint(_ value: UInt64) -> Int {
        // 7 bits a byte: (bits + 6) / 7 without a division; 0 takes one byte.
        let bits = 64 - (value | 1).leadingZeroBitCount
        return (bits * 9 + 64) >> 6
    }

    @inlinable @inline(__always)
    package static func varint(_ value: Int) -> Int {
        varint(UInt64(UInt(bitPattern: value)))
    }

    /// Length prefix and `size` bytes, without a tag.
    @inlinable @inline(__always)
    package static func delimited(_ size: Int) -> Int {
        varint(size) + size
    }

    /// One-byte tag, length prefix and UTF-8.
    @inlinable @inline(__always)
    package static func field(_ text: String) -> Int {
        1 + delimited(text.utf8.count)
    }
}

extension [UInt8] {
    /// Appends exactly `size` bytes that `body` writes.
    package mutating func appendWire(_ size: Int, _ body: (inout WireWriter) -> Void) {
        let start = count
        append(contentsOf: repeatElement(0, count: size))
        withUnsafeMutableBytes { memory in
            guard let base = memory.baseAddress else { return }
            var writer = WireWriter(base + start)
            body(&writer)
            assert(writer.cursor == base + start + size, "sized \(size) bytes, wrote another number")
        }
    }
}
