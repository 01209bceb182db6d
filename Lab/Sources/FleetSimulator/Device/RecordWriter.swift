import AstrolabeTelemetryModel
import AstrolabeWire

/// Writes records as the SDK does: small valid OTLP messages, whose ids contain the device and the number of the
/// record.
struct RecordWriter: Sendable {
    /// The id `<device>.<number>` of an event or a data point.
    static let uid = "log.record.uid"
    /// The number of the device, in the resource.
    static let device = "fleet.device"

    /// The first half of the device's trace ids; never 0.
    static func traceHigh(of device: Int) -> UInt64 { 0xF1EE_0000_0000_0000 | UInt64(device) }

    let device: Int

    struct Span {
        var name: String
        var trace: UInt64
        var parent: UInt64?
        /// Nanoseconds since 1970.
        var start: UInt64
        var end: UInt64
        var kind: SpanKind
        var attributes: Attributes
        var hasFailed = false
    }

    func span(_ number: UInt64, _ span: Span) -> [UInt8] {
        var message = Message()
        message.bytes(0x0A, bigEndian: [Self.traceHigh(of: device), span.trace])
        message.bytes(0x12, bigEndian: [number])
        if let parent = span.parent { message.bytes(0x22, bigEndian: [parent]) }
        message.text(0x2A, span.name)
        message.number(0x30, UInt64(span.kind.rawValue))
        message.fixed(0x39, span.start)
        message.fixed(0x41, span.end)
        message.attributes(0x4A, span.attributes)
        // Status { code: ERROR }.
        if span.hasFailed { message.append(0x7A, [0x18, 2]) }
        return message.content
    }

    func event(
        _ number: UInt64, named name: String, severity: Severity, at time: UInt64, attributes: Attributes,
    ) -> [UInt8] {
        var message = Message()
        message.fixed(0x09, time)
        message.number(0x10, UInt64(severity.rawValue))
        message.text(0x1A, severity.text)
        message.attributes(0x32, attributes)
        message.attributes(0x32, [Self.uid: .string(uid(number))])
        message.fixed(0x59, time)
        message.text(0x62, name)
        return message.content
    }

    func gauge(_ number: UInt64, named name: String, unit: String, value: Double, at time: UInt64) -> [UInt8] {
        var point = Message()
        point.attributes(0x3A, [Self.uid: .string(uid(number))])
        point.fixed(0x19, time)
        point.fixed(0x21, value.bitPattern)
        var gauge = Message()
        gauge.append(0x0A, point.content)
        var message = Message()
        message.text(0x0A, name)
        message.text(0x1A, unit)
        message.append(0x2A, gauge.content)
        return message.content
    }

    private func uid(_ number: UInt64) -> String { String(device) + "." + String(number) }
}

/// A protobuf message to which fields are appended. Tags have one byte.
private struct Message {
    private(set) var content: [UInt8] = []

    init() {
        content.reserveCapacity(320)
    }

    mutating func number(_ tag: UInt8, _ value: UInt64) {
        content.append(tag)
        varint(value)
    }

    mutating func fixed(_ tag: UInt8, _ value: UInt64) {
        content.append(tag)
        withUnsafeBytes(of: value.littleEndian) { content.append(contentsOf: $0) }
    }

    mutating func bytes(_ tag: UInt8, bigEndian values: [UInt64]) {
        content.append(tag)
        varint(UInt64(8 * values.count))
        for value in values { withUnsafeBytes(of: value.bigEndian) { content.append(contentsOf: $0) } }
    }

    mutating func text(_ tag: UInt8, _ text: String) {
        content.append(tag)
        varint(UInt64(text.utf8.count))
        content.append(contentsOf: text.utf8)
    }

    mutating func append(_ tag: UInt8, _ bytes: [UInt8]) {
        content.append(tag)
        varint(UInt64(bytes.count))
        content.append(contentsOf: bytes)
    }

    mutating func attributes(_ tag: UInt8, _ attributes: Attributes) {
        content.appendWire(attributes.wireSize) { attributes.write(tag: tag, to: &$0) }
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            content.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        content.append(UInt8(truncatingIfNeeded: rest))
    }
}
