/// A protobuf message that grows field by field, for messages that are small or rare.
///
///     var message = WireMessage()
///     message.varint(StatusField.code, 2)
///     message.text(StatusField.message, "timeout")
///     send(message.bytes)
///
/// Every field is written, 0 and "" too. The SDK's records are sized first and written by ``WireWriter``.
package struct WireMessage: Equatable, Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func varint(_ field: UInt32, _ value: UInt64) {
        append(field, size: WireSize.varint(value)) { $0.varint(field, value) }
    }

    package mutating func fixed64(_ field: UInt32, _ value: UInt64) {
        append(field, size: 8) { $0.fixed64(field, value) }
    }

    package mutating func double(_ field: UInt32, _ value: Double) {
        fixed64(field, value.bitPattern)
    }

    package mutating func fixed32(_ field: UInt32, _ value: UInt32) {
        append(field, size: 4) { $0.fixed32(field, value) }
    }

    /// Bytes, or a message that is already encoded.
    package mutating func bytes(_ field: UInt32, _ content: [UInt8]) {
        append(field, size: WireSize.delimited(content.count)) { writer in
            content.withUnsafeBytes { writer.field(field, $0) }
        }
    }

    package mutating func text(_ field: UInt32, _ text: String) {
        append(field, size: WireSize.delimited(text.utf8.count)) { $0.field(field, text) }
    }

    /// The start or the end of a group; its fields come between the two.
    package mutating func group(_ field: UInt32, _ edge: WireType) {
        append(field, size: 0) { $0.tag(field, edge) }
    }

    /// Fields that `write` writes, which are `size` bytes.
    package mutating func fields(size: Int, _ write: (inout WireWriter) -> Void) {
        bytes.appendWire(size, write)
    }

    private mutating func append(_ field: UInt32, size: Int, _ body: (inout WireWriter) -> Void) {
        fields(size: WireSize.varint(UInt64(field) << 3) + size, body)
    }
}
