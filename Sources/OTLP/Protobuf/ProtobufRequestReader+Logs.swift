import AstrolabeTelemetryModel
import AstrolabeWire

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
                case LogRecordField.time: record.timeUnixNano = try message.fixed64(field)
                case LogRecordField.severityNumber: record.severityNumber = try message.int32(field)
                case LogRecordField.severityText: record.severityText = try text(message.payload(field))
                case LogRecordField.body: try anyValue(message.payload(field), into: &body)
                case LogRecordField.attributes: try attribute(&message, field, into: &record.attributes)
                case LogRecordField.droppedAttributesCount: record.droppedAttributesCount = try message.uint32(field)
                case LogRecordField.flags: record.flags = try message.fixed32(field)
                case LogRecordField.traceID: record.traceID = try TraceID(protobuf: message.payload(field))
                case LogRecordField.spanID: record.spanID = try SpanID(protobuf: message.payload(field))
                case LogRecordField.observedTime: record.observedTimeUnixNano = try message.fixed64(field)
                case LogRecordField.eventName: record.eventName = try text(message.payload(field))
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
