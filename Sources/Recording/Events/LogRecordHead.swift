import AstrolabeTelemetryModel
import AstrolabeWire

/// All that an event or a log line has besides attributes.
struct LogRecordHead {
    let timeUnixNano: UInt64
    let observedTimeUnixNano: UInt64
    /// OTLP's severity number; 0 if it is not known.
    let severityNumber: Int32
    let severityText: String
    /// Empty for a plain log line.
    var name: String
    var body: AttributeValue
    let flags: TraceFlags
    /// Invalid if the record belongs to no trace.
    let traceID: TraceID
    let spanID: SpanID

    /// Bytes of all but the name and the body, and of the tags and lengths of these, at most.
    static let sizeBesideTexts = 128

    /// Writes these fields of `opentelemetry.proto.logs.v1.LogRecord`.
    func write(to fields: inout FieldBuffer) {
        let number = UInt32(clamping: severityNumber)
        let bodySize = body.wireSize
        var size = 9 + 9 + WireSize.count(number)
        if !severityText.isEmpty { size += WireSize.field(severityText) }
        if bodySize > 0 { size += WireSize.field(size: bodySize) }
        if traceID.isValid { size += 18 + 5 }
        if spanID.isValid { size += 10 }
        if !name.isEmpty { size += WireSize.field(name) }
        fields.append(size) { writer in
            writer.fixed64(LogRecordField.time, timeUnixNano)
            writer.fixed64(LogRecordField.observedTime, observedTimeUnixNano)
            writer.count(LogRecordField.severityNumber, number)
            if !severityText.isEmpty { writer.field(LogRecordField.severityText, severityText) }
            if bodySize > 0 {
                writer.header(LogRecordField.body, size: bodySize)
                body.write(to: &writer)
            }
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
            if !name.isEmpty { writer.field(LogRecordField.eventName, name) }
        }
    }
}
