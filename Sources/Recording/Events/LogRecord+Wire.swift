import AstrolabeTelemetryModel
import AstrolabeWire

/// Writes `opentelemetry.proto.logs.v1.LogRecord`.
extension LogRecordData {
    var wireSize: Int {
        let bodySize = body.wireSize
        var size = 9 + 9 + attributes.wireSize
        if severityNumber > 0 { size += 2 }
        if !severityText.isEmpty { size += WireSize.field(severityText) }
        if bodySize > 0 { size += WireSize.field(size: bodySize) }
        size += WireSize.count(droppedAttributesCount)
        if traceID.isValid { size += 18 + 5 }
        if spanID.isValid { size += 10 }
        if !eventName.isEmpty { size += WireSize.field(eventName) }
        return size
    }

    func write(to writer: inout WireWriter) {
        writer.fixed64(LogRecordField.time, timeUnixNano)
        if severityNumber > 0 {
            writer.varint(LogRecordField.severityNumber, UInt64(UInt32(bitPattern: severityNumber)))
        }
        if !severityText.isEmpty { writer.field(LogRecordField.severityText, severityText) }
        let bodySize = body.wireSize
        if bodySize > 0 {
            writer.header(LogRecordField.body, size: bodySize)
            body.write(to: &writer)
        }
        attributes.write(as: LogRecordField.attributes, to: &writer)
        writer.count(LogRecordField.droppedAttributesCount, droppedAttributesCount)
        if traceID.isValid {
            writer.fixed32(LogRecordField.flags, UInt32(flags.rawValue))
            writer.header(LogRecordField.traceID, size: 16)
            writer.bigEndian64(traceID.high)
            writer.bigEndian64(traceID.low)
        }
        if spanID.isValid {
            writer.header(LogRecordField.spanID, size: 8)
            writer.bigEndian64(spanID.value)
        }
        writer.fixed64(LogRecordField.observedTime, observedTimeUnixNano)
        if !eventName.isEmpty { writer.field(LogRecordField.eventName, eventName) }
    }
}
