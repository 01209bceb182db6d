import AstrolabeTelemetryModel
import AstrolabeWire

/// Protobuf.
extension WireMessage: OTLPMessage {
    mutating func text(_ number: UInt32, _ name: String, _ value: String) {
        if !value.isEmpty { text(number, value) }
    }

    mutating func id(_ number: UInt32, _ name: String, _ value: TraceID) {
        if value.isValid { bytes(number, Self.bigEndian(value.high) + Self.bigEndian(value.low)) }
    }

    mutating func id(_ number: UInt32, _ name: String, _ value: SpanID) {
        if value.isValid { bytes(number, Self.bigEndian(value.value)) }
    }

    private static func bigEndian(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }

    mutating func bool(_ number: UInt32, _ name: String, _ value: Bool) {
        if value { varint(number, 1) }
    }

    mutating func uint32(_ number: UInt32, _ name: String, _ value: UInt32) {
        if value != 0 { varint(number, UInt64(value)) }
    }

    mutating func int32(_ number: UInt32, _ name: String, _ value: Int32) {
        if value != 0 { varint(number, UInt64(bitPattern: Int64(value))) }
    }

    mutating func sint32(_ number: UInt32, _ name: String, _ value: Int32) {
        uint32(number, name, UInt32(bitPattern: value << 1 ^ value >> 31))
    }

    mutating func fixed32(_ number: UInt32, _ name: String, _ value: UInt32) {
        if value != 0 { fixed32(number, value) }
    }

    mutating func fixed64(_ number: UInt32, _ name: String, _ value: UInt64) {
        if value != 0 { fixed64(number, value) }
    }

    mutating func optional(_ number: UInt32, _ name: String, _ value: Int64?) {
        if let value { fixed64(number, UInt64(bitPattern: value)) }
    }

    mutating func optional(_ number: UInt32, _ name: String, _ value: Double?) {
        if let value { double(number, value) }
    }

    mutating func varints(_ number: UInt32, _ name: String, _ values: [UInt64]) {
        packed(number, values, size: WireSize.varint) { $0.varint($1) }
    }

    mutating func fixed64s(_ number: UInt32, _ name: String, _ values: [UInt64]) {
        packed(number, values, size: { _ in 8 }) { $0.fixed64($1) }
    }

    mutating func doubles(_ number: UInt32, _ name: String, _ values: [Double]) {
        packed(number, values, size: { _ in 8 }) { $0.fixed64($1.bitPattern) }
    }

    private mutating func packed<Value>(
        _ number: UInt32, _ values: [Value], size: (Value) -> Int, _ write: (inout WireWriter, Value) -> Void,
    ) {
        guard !values.isEmpty else { return }
        var content: [UInt8] = []
        content.appendWire(values.reduce(0) { $0 + size($1) }) { writer in
            for value in values { write(&writer, value) }
        }
        bytes(number, content)
    }

    mutating func attributes(_ number: UInt32, _ name: String, _ attributes: Attributes) {
        fields(size: attributes.wireSize) { attributes.write(as: number, to: &$0) }
    }

    mutating func value(_ number: UInt32, _ name: String, _ value: AttributeValue) {
        guard value != .empty else { return }
        let size = value.wireSize
        fields(size: WireSize.field(size: size)) {
            $0.header(number, size: size)
            value.write(to: &$0)
        }
    }

    mutating func message(_ number: UInt32, _ name: String, _ write: (inout WireMessage) -> Void) {
        var inner = WireMessage()
        write(&inner)
        bytes(number, inner.bytes)
    }

    mutating func messages<Element>(
        _ number: UInt32, _ name: String, _ elements: [Element], _ write: (inout WireMessage, Element) -> Void,
    ) {
        for element in elements { message(number, name) { write(&$0, element) } }
    }
}
