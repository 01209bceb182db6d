import AstrolabeTelemetryModel

/// A log record as its fields are read, in either encoding.
struct LogRecordBuilder {
    var timeUnixNano: UInt64 = 0
    var observedTimeUnixNano: UInt64 = 0
    var severityNumber: Int32 = 0
    var severityText = ""
    var eventName = ""
    var body = AttributeValue.empty
    var attributes = AttributesBuilder()
    var droppedAttributesCount: UInt32 = 0
    var flags: UInt32 = 0
    var traceID = TraceID.invalid
    var spanID = SpanID.invalid

    @inline(__always)
    consuming func finish(_ budget: inout MemoryBudget) -> LogRecordData {
        var record = LogRecordData(
            timeUnixNano: timeUnixNano, observedTimeUnixNano: observedTimeUnixNano, severityNumber: severityNumber,
            severityText: severityText, eventName: eventName, body: body, attributes: attributes.finish(&budget),
            droppedAttributesCount: droppedAttributesCount, flags: TraceFlags(otlp: flags), traceID: traceID,
            spanID: spanID,
        )
        record.reservedFlags = flags & ~0xFF
        return record
    }
}
