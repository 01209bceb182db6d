public import AstrolabeTelemetryModel

/// Writes `opentelemetry.proto.common.v1.AnyValue`.
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
        case .bytes(let value): WireSize.field(size: value.count)
        case .array(let values): WireSize.field(size: Self.wireSize(ofElements: values))
        case .map(let values): WireSize.field(size: values.wireSize)
        }
    }

    @inlinable @inline(__always)
    package func write(to writer: inout WireWriter) {
        switch self {
        case .bool(let value): writer.varint(AnyValueField.bool, value ? 1 : 0)
        case .int(let value): writer.varint(AnyValueField.int, UInt64(bitPattern: value))
        case .double(let value): writer.double(AnyValueField.double, value)
        case .empty, .string, .bytes, .array, .map: writeVariable(to: &writer)
        }
    }

    @usableFromInline
    func writeVariable(to writer: inout WireWriter) {
        switch self {
        case .empty, .bool, .int, .double: break
        case .string(let value): writer.field(AnyValueField.string, value)
        case .bytes(let value): value.withUnsafeBytes { writer.field(AnyValueField.bytes, $0) }
        case .array(let values):
            writer.header(AnyValueField.array, size: Self.wireSize(ofElements: values))
            for value in values {
                writer.header(ListField.values, size: value.wireSize)
                value.write(to: &writer)
            }
        case .map(let values):
            writer.header(AnyValueField.map, size: values.wireSize)
            values.write(as: ListField.values, to: &writer)
        }
    }

    private static func wireSize(ofElements values: [AttributeValue]) -> Int {
        values.reduce(0) { $0 + WireSize.field(size: $1.wireSize) }
    }
}

/// Writes `opentelemetry.proto.common.v1.KeyValue`, repeated.
extension Attributes {
    /// The size of all pairs as repeated fields below 16.
    package var wireSize: Int {
        reduce(0) { $0 + WireSize.field(size: KeyValueWire.size(key: $1.key, valueSize: $1.value.wireSize)) }
    }

    /// Writes each pair as this field.
    package func write(as field: UInt32, to writer: inout WireWriter) {
        for element in self {
            let valueSize = element.value.wireSize
            KeyValueWire.writeHeader(as: field, key: element.key, valueSize: valueSize, to: &writer)
            element.value.write(to: &writer)
        }
    }
}

/// The frame of one attribute, for callers that write the value themselves.
package enum KeyValueWire {
    /// The size of the `KeyValue` message, without its own tag and length.
    @inline(__always)
    package static func size(key: String, valueSize: Int) -> Int {
        WireSize.field(key) + WireSize.field(size: valueSize)
    }

    /// All that comes before the bytes of the `AnyValue`.
    @inline(__always)
    package static func writeHeader(as field: UInt32, key: String, valueSize: Int, to writer: inout WireWriter) {
        writer.header(field, size: size(key: key, valueSize: valueSize))
        writer.field(KeyValueField.key, key)
        writer.header(KeyValueField.value, size: valueSize)
    }
}
