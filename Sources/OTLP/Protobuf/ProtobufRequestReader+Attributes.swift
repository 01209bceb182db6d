import AstrolabeTelemetryModel
import AstrolabeWire

/// An `AnyValue` while it is read: parts of a value given twice are merged where both are lists or both are maps, and
/// otherwise the last one counts.
struct AnyValueBuilder {
    /// A list or a map, apart from the scalar that nearly every value is.
    final class Compound {
        let isMap: Bool
        fileprivate(set) var list: [AttributeValue] = []
        fileprivate(set) var map = AttributesBuilder()

        fileprivate init(isMap: Bool) {
            self.isMap = isMap
        }
    }

    private var scalar = AttributeValue.empty
    private var compound: Compound?

    @inline(__always)
    mutating func set(_ value: consuming AttributeValue) {
        scalar = value
        compound = nil
    }

    /// The list or the map that this value now is, with what it already holds.
    mutating func begin(isMap: Bool) -> Compound {
        if let compound, compound.isMap == isMap { return compound }
        let fresh = Compound(isMap: isMap)
        compound = fresh
        return fresh
    }

    @inline(__always)
    consuming func finish(_ budget: inout MemoryBudget) -> AttributeValue {
        guard let compound else { return scalar }
        return compound.isMap ? .map(compound.map.finish(&budget)) : .array(compound.list)
    }
}

extension ProtobufRequestReader {
    /// Reads one `KeyValue`, the value of `field`, and sets it among `attributes`.
    @inline(__always)
    mutating func attribute(
        _ message: inout ProtobufReader, _ field: ProtobufReader.Field, into attributes: inout AttributesBuilder,
        depth: Int = 0,
    ) throws(OTLPDecodingError) {
        try attributes.expect(message.run(of: field), at: field.offset, &budget)
        let payload = try message.payload(field)
        if try !plainKeyValue(payload, into: &attributes) {
            try keyValue(payload, into: &attributes, depth: depth)
        }
    }

    /// Reads a `KeyValue` in the layout that encoders write: the key, then one scalar, each shorter than 128 bytes.
    ///
    /// - Returns: `false` where it has another layout or a fault, and ``keyValue(_:into:depth:)`` must look closer.
    @inline(__always)
    private mutating func plainKeyValue(
        _ message: ProtobufReader, into attributes: inout AttributesBuilder,
    ) throws(OTLPDecodingError) -> Bool {
        let bytes = message.bytes
        guard bytes.count >= 6, bytes[0] == WireType.delimited.tag(KeyValueField.key) else { return false }
        let keyLength = Int(bytes[1])
        let valueStart = keyLength + 4
        let valueLength = bytes.count - valueStart
        guard valueLength >= 2, keyLength < 0x80, bytes[keyLength + 2] == WireType.delimited.tag(KeyValueField.value),
            valueLength < 0x80, bytes[keyLength + 3] == UInt8(valueLength),
            let value = plainScalar(
                UnsafeRawBufferPointer(rebasing: bytes[valueStart...]), at: message.position + valueStart,
            ),
            let key = try? keys.entry(
                for: UnsafeRawBufferPointer(rebasing: bytes[2..<2 + keyLength]), at: message.position, &budget,
            )
        else { return false }
        try attributes.set(key, to: value, at: message.position, &budget)
        return true
    }

    /// Reads an `AnyValue` of one scalar field.
    @inline(__always)
    private mutating func plainScalar(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> AttributeValue? {
        switch bytes[0] {
        case WireType.delimited.tag(AnyValueField.string) where Int(bytes[1]) == bytes.count - 2:
            let text = UnsafeRawBufferPointer(rebasing: bytes[2...])
            guard let entry = try? values.entry(for: text, at: offset, &budget) else { return nil }
            return .string(entry.text)
        case WireType.varint.tag(AnyValueField.bool) where bytes.count == 2 && bytes[1] < 2:
            return .bool(bytes[1] == 1)
        case WireType.varint.tag(AnyValueField.int) where bytes.count == 2 && bytes[1] < 0x80:
            return .int(Int64(bytes[1]))
        case WireType.varint.tag(AnyValueField.int) where bytes.count == 3 && bytes[1] >= 0x80 && bytes[2] < 0x80:
            return .int(Int64(bytes[1] & 0x7F) | Int64(bytes[2]) << 7)
        case WireType.fixed64.tag(AnyValueField.double) where bytes.count == 9:
            let bits = bytes.loadUnaligned(fromByteOffset: 1, as: UInt64.self)
            return .double(Double(bitPattern: UInt64(littleEndian: bits)))
        default:
            return nil
        }
    }

    private mutating func keyValue(
        _ message: ProtobufReader, into attributes: inout AttributesBuilder, depth: Int,
    ) throws(OTLPDecodingError) {
        var message = message
        let start = message
        var key = StringCache.Entry(text: "", bit: 1)
        var value = AnyValueBuilder()
        while let field = try message.nextField() {
            do {
                switch field.number {
                case KeyValueField.key:
                    let payload = try message.payload(field)
                    key = try keys.entry(for: payload.bytes, at: payload.position, &budget)
                case KeyValueField.value: try anyValue(message.payload(field), into: &value, depth: depth)
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .keyValue, in: start)
            }
        }
        try attributes.set(key, to: value.finish(&budget), at: start.position, &budget)
    }

    /// Reads an `AnyValue` into what may hold an earlier part of the same value.
    mutating func anyValue(
        _ message: ProtobufReader, into value: inout AnyValueBuilder, depth: Int = 0,
    ) throws(OTLPDecodingError) {
        var message = message
        let start = message
        while let field = try message.nextField() {
            do {
                switch field.number {
                case AnyValueField.string: value.set(.string(try text(message.payload(field))))
                case AnyValueField.bool: value.set(.bool(try message.bool(field)))
                case AnyValueField.int: value.set(.int(Int64(bitPattern: try message.varint(field))))
                case AnyValueField.double: value.set(.double(try message.double(field)))
                case AnyValueField.array: try list(message.payload(field), into: &value, depth: depth + 1)
                case AnyValueField.map: try map(message.payload(field), into: &value, depth: depth + 1)
                case AnyValueField.bytes:
                    let payload = try message.payload(field)
                    try budget.chargeElements(payload.bytes.count, of: UInt8.self, at: payload.position)
                    value.set(.bytes(Array(payload.bytes)))
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .anyValue, in: start)
            }
        }
    }

    private mutating func list(
        _ message: ProtobufReader, into value: inout AnyValueBuilder, depth: Int,
    ) throws(OTLPDecodingError) {
        try NestingLimit.checkAnyValue(depth, at: message.position)
        var message = message
        let start = message
        let compound = value.begin(isMap: false)
        while let field = try message.nextField() {
            do {
                switch field.number {
                case ListField.values:
                    try reserve(&compound.list, for: field, in: message)
                    var element = AnyValueBuilder()
                    try anyValue(message.payload(field), into: &element, depth: depth)
                    try budget.append(element.finish(&budget), to: &compound.list, at: field.offset)
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .values, in: start)
            }
        }
    }

    private mutating func map(
        _ message: ProtobufReader, into value: inout AnyValueBuilder, depth: Int,
    ) throws(OTLPDecodingError) {
        try NestingLimit.checkAnyValue(depth, at: message.position)
        var message = message
        let start = message
        let compound = value.begin(isMap: true)
        while let field = try message.nextField() {
            do {
                switch field.number {
                case ListField.values: try attribute(&message, field, into: &compound.map, depth: depth)
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .values, in: start)
            }
        }
    }
}

extension NestingLimit {
    static func checkAnyValue(_ depth: Int, at offset: Int) throws(OTLPDecodingError) {
        guard depth <= anyValue else {
            throw OTLPDecodingError(at: offset, "expected values to nest at most \(anyValue) deep")
        }
    }
}
