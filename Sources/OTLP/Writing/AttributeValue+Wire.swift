public import AstrolabeTelemetryModel

/// `opentelemetry.proto.common.v1.AnyValue`: string 1, bool 2, int 3, double 4, array 5, kvlist 6, bytes 7.
extension AttributeValue {
    /// The size of the `AnyValue` message, without tag and length.
    @inlinable @inline(__always)
    package var wireSize: Int {
        switch self {
        case .bool: 2
        case .int(let value): 1 + WireSize.varint(UInt64(bitPattern: value))
        case .double: 9
        case .empty, .string, .bytes, .array, .map: variableWireSize
        }
    }

    @usableFromInline
    var variableWireSize: Int {
        switch self {
        case .empty, .bool, .int, .double: 0
        case .string(let value): WireSize.field(value)
        case .bytes(let value): 1 + WireSize.delimited(value.count)
        case .array(let values): 1 + WireSize.delimited(Self.wireSize(ofElements: values))
        case .map(let values): 1 + WireSize.delimited(values.wireSize)
        }
    }

    @inlinable @inline(__always)
    package func write(to writer: inout WireWriter) {
        switch self {
        case .bool(let value):
            writer.byte(0x10)
            writer.byte(value ? 1 : 0)
        case .int(let value):
            writer.byte(0x18)
            writer.varint(UInt64(bitPattern: value))
        case .double(let value):
            writer.byte(0x21)
            writer.fixed64(value.bitPattern)
        case .empty, .string, .bytes, .array, .map: writeVariable(to: &writer)
        }
    }

    @usableFromInline
    func writeVariable(to writer: inout WireWriter) {
        switch self {
        case .empty, .bool, .int, .double: break
        case .string(let value): writer.field(0x0A, value)
        case .bytes(let value):
            writer.header(0x3A, size: value.count)
            value.withUnsafeBytes { writer.bytes($0) }
        case .array(let values):
            writer.header(0x2A, size: Self.wireSize(ofElements: values))
            for value in values {
                writer.header(0x0A, size: value.wireSize)
                value.write(to: &writer)
            }
        case .map(let values):
            writer.header(0x32, size: values.wireSize)
            values.write(tag: 0x0A, to: &writer)
        }
    }

    private static func wireSize(ofElements values: [AttributeValue]) -> Int {
        values.reduce(0) { $0 + 1 + WireSize.delimited($1.wireSize) }
    }
}

/// `opentelemetry.proto.common.v1.KeyValue`, repeated: key 1, value 2.
extension Attributes {
    /// The size of all pairs as repeated fields with a one-byte tag.
    package var wireSize: Int {
        reduce(0) { $0 + 1 + WireSize.delimited(KeyValueWire.size(key: $1.key, valueSize: $1.value.wireSize)) }
    }

    /// Writes each pair as a field with this tag.
    package func write(tag: UInt8, to writer: inout WireWriter) {
        for element in self {
            let valueSize = element.value.wireSize
            KeyValueWire.writeHeader(tag: tag, key: element.key, valueSize: valueSize, to: &writer)
            element.value.write(to: &writer)
        }
    }
}

/// The frame of one attribute, for callers that write the value themselves.
package enum KeyValueWire {
    /// The size of the `KeyValue` message, without its own tag and length.
    @inline(__always)
    package static func size(key: String, valueSize: Int) -> Int {
        WireSize.field(key) + 1 + WireSize.delimited(valueSize)
    }

    /// All that comes before the bytes of the `AnyValue`.
    @inline(__always)
    package static func writeHeader(tag: UInt8, key: String, valueSize: Int, to writer: inout WireWriter) {
        writer.header(tag, size: size(key: key, valueSize: valueSize))
        writer.field(0x0A, key)
        writer.header(0x12, size: valueSize)
    }
}
