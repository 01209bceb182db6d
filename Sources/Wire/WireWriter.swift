/// Writes protobuf's wire format forward into memory that the caller has sized beforehand with `WireSize`.
///
/// Nothing is checked here. Sizing and writing use the same arithmetic and are kept side by side. The tests write every
/// message to memory whose end is guarded.
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

    /// A tag; of one byte for fields below 16, which the sizes of ``WireSize`` take for granted.
    @inlinable @inline(__always)
    package mutating func tag(_ field: UInt32, _ type: WireType) {
        varint(UInt64(field) << 3 | UInt64(type.bits))
    }

    @inlinable @inline(__always)
    package mutating func varint(_ field: UInt32, _ value: UInt64) {
        tag(field, .varint)
        varint(value)
    }

    /// A counter field. Omits 0, as proto3 does.
    @inlinable @inline(__always)
    package mutating func count(_ field: UInt32, _ value: UInt32) {
        if value > 0 { varint(field, UInt64(value)) }
    }

    @inlinable @inline(__always)
    package mutating func fixed64(_ field: UInt32, _ value: UInt64) {
        tag(field, .fixed64)
        fixed64(value)
    }

    @inlinable @inline(__always)
    package mutating func double(_ field: UInt32, _ value: Double) {
        fixed64(field, value.bitPattern)
    }

    @inlinable @inline(__always)
    package mutating func fixed32(_ field: UInt32, _ value: UInt32) {
        tag(field, .fixed32)
        fixed32(value)
    }

    /// A length-delimited field: tag, length, bytes.
    @inlinable @inline(__always)
    package mutating func field(_ field: UInt32, _ content: UnsafeRawBufferPointer) {
        header(field, size: content.count)
        bytes(content)
    }

    /// A length-delimited field: tag, length, UTF-8.
    @inlinable @inline(__always)
    package mutating func field(_ field: UInt32, _ text: String) {
        header(field, size: text.utf8.count)
        utf8(text)
    }

    /// Tag and length of a submessage whose `size` bytes the caller writes next.
    @inlinable @inline(__always)
    package mutating func header(_ field: UInt32, size: Int) {
        tag(field, .delimited)
        varint(size)
    }
}

/// The number of bytes that ``WireWriter`` will write.
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

    /// Tag and length of a length-delimited field below 16 with `size` bytes of content.
    @inlinable @inline(__always)
    package static func header(_ size: Int) -> Int {
        1 + varint(size)
    }

    /// A length-delimited field below 16 with `size` bytes of content.
    @inlinable @inline(__always)
    package static func field(size: Int) -> Int {
        header(size) + size
    }

    /// A text field below 16.
    @inlinable @inline(__always)
    package static func field(_ text: String) -> Int {
        field(size: text.utf8.count)
    }

    /// A counter field below 16; nothing for 0.
    @inlinable @inline(__always)
    package static func count(_ value: UInt32) -> Int {
        value == 0 ? 0 : 1 + varint(UInt64(value))
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
