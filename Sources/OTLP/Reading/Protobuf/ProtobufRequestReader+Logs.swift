import AstrolabeTelemetryModel

extension LogRecordData: OTLPRecord {
    static let protobufNames = (resources: "resource_logs", scopes: "scope_logs", records: "log_records")

    static func read(
        _ message: ProtobufReader, with reader: inout ProtobufRequestReader,
    ) throws(OTLPDecodingError) -> LogRecordData {
        try reader.logRecord(message)
    }
}

extension ProtobufRequestReader {
    fileprivate mutating func logRecord(_ message: ProtobufReader) throws(OTLPDecodingError) -> LogRecordData {
        var message = message
        let start = message
        var record = LogRecordBuilder()
        var body = AnyValueBuilder()
        while let field = try message.nextField() {
            do {
                switch field.number {
                case 1: record.timeUnixNano = try message.fixed64(field)
                case 2: record.severityNumber = try message.int32(field)
                case 3: record.severityText = try text(message.payload(field))
                case 5: try anyValue(message.payload(field), into: &body)
                case 6: try attribute(&message, field, into: &record.attributes)
                case 7: record.droppedAttributesCount = try message.uint32(field)
                case 8: record.flags = try message.fixed32(field)
                case 9: record.traceID = try TraceID(protobuf: message.payload(field))
                case 10: record.spanID = try SpanID(protobuf: message.payload(field))
                case 11: record.observedTimeUnixNano = try message.fixed64(field)
                case 12: record.eventName = try text(message.payload(field))
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .logRecord, in: start)
            }
        }
        record.body = body.finish(&budget)
        return record.finish(&budget)
    }
}
