import AstrolabeOTLP
import AstrolabeTelemetryModel

/// `opentelemetry.proto.logs.v1.LogRecord`: time 1, severity number 2 and text 3, body 5, attributes 6, dropped 7,
/// flags 8, trace id 9, span id 10, observed time 11, event name 12.
extension LogRecordData {
    var wireSize: Int {
        let bodySize = body.wireSize
        var size = 9 + 9 + attributes.wireSize
        if severityNumber > 0 { size += 2 }
        if !severityText.isEmpty { size += WireSize.field(severityText) }
        if bodySize > 0 { size += 1 + WireSize.delimited(bodySize) }
        if droppedAttributesCount > 0 { size += 1 + WireSize.varint(UInt64(droppedAttributesCount)) }
        if traceID.isValid { size += 18 + 5 }
        if spanID.isValid { size += 10 }
        if !eventName.isEmpty { size += WireSize.field(eventName) }
        return size
    }

    func write(to writer: inout WireWriter) {
        writer.byte(0x09)
        writer.fixed64(timeUnixNano)
        if severityNumber > 0 {
            writer.byte(0x10)
            writer.varint(UInt64(UInt32(bitPattern: severityNumber)))
        }
        if !severityText.isEmpty { writer.field(0x1A, severityText) }
        let bodySize = body.wireSize
        if bodySize > 0 {
            writer.header(0x2A, size: bodySize)
            body.write(to: &writer)
        }
        attributes.write(tag: 0x32, to: &writer)
        writer.count(0x38, droppedAttributesCount)
        if traceID.isValid {
            writer.byte(0x45)
            writer.fixed32(UInt32(flags.rawValue))
            writer.header(0x4A, size: 16)
            writer.bigEndian64(traceID.high)
            writer.bigEndian64(traceID.low)
        }
        if spanID.isValid {
            writer.header(0x52, size: 8)
            writer.bigEndian64(spanID.value)
        }
        writer.byte(0x59)
        writer.fixed64(observedTimeUnixNano)
        if !eventName.isEmpty { writer.field(0x62, eventName) }
    }
}
