package import AstrolabeTelemetryModel

/// Reads the fields of one small protobuf message, one after the other.
///
///     var reader = WireReader(bytes)
///     while let field = reader.next() {
///         if case (StatusField.message, .bytes(let text)) = field { … }
///     }
///     guard reader.isIntact else { return nil }
///
/// It is what an app needs to read: attributes that the SDK itself wrote, and the collector's response. Requests are
/// read by the decoder of `AstrolabeOTLP`, which bounds memory and says where a fault is.
package struct WireReader {
    package enum Value {
        case varint(UInt64)
        case fixed64(UInt64)
        case fixed32(UInt32)
        case bytes(UnsafeRawBufferPointer)
    }

    private var rest: UnsafeRawBufferPointer
    /// `false` after a byte that is not protobuf, or a group; no fields follow.
    package private(set) var isIntact = true

    package init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes
    }

    /// The number of bytes after the last field.
    package var remaining: Int { rest.count }

    /// The next field; `nil` at the end of the message and at a fault.
    package mutating func next() -> (field: UInt32, value: Value)? {
        guard !rest.isEmpty else { return nil }
        if let tag = varint(), let field = UInt32(exactly: tag >> 3), field > 0, let type = WireType(tag: tag),
            let value = value(type)
        {
            return (field, value)
        }
        isIntact = false
        rest = UnsafeRawBufferPointer(start: nil, count: 0)
        return nil
    }

    private mutating func value(_ type: WireType) -> Value? {
        switch type {
        case .varint: varint().map(Value.varint)
        case .fixed64: take(8).map { .fixed64(UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self))) }
        case .fixed32: take(4).map { .fixed32(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))) }
        case .delimited: varint().flatMap { Int(exactly: $0) }.flatMap { take($0) }.map(Value.bytes)
        case .startGroup, .endGroup: nil
        }
    }

    private mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count <= rest.count else { return nil }
        let taken = UnsafeRawBufferPointer(rebasing: rest[..<count])
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        return taken
    }

    private mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        for (index, byte) in rest.prefix(10).enumerated() {
            value |= UInt64(byte & 0x7F) << UInt64(index * 7)
            guard byte < 0x80 else { continue }
            rest = UnsafeRawBufferPointer(rebasing: rest[(index + 1)...])
            return value
        }
        return nil
    }
}

extension WireReader.Value {
    /// A trace's id; `nil` unless there are 16 bytes.
    package var traceID: TraceID? {
        guard case .bytes(let id) = self, id.count == 16 else { return nil }
        return TraceID(high: Self.word(of: id, at: 0), low: Self.word(of: id, at: 8))
    }

    /// A span's id; `nil` unless there are 8 bytes.
    package var spanID: SpanID? {
        guard case .bytes(let id) = self, id.count == 8 else { return nil }
        return SpanID(Self.word(of: id, at: 0))
    }

    /// The eight bytes from `offset` on, which must be there.
    private static func word(of bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
