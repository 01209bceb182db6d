import AstrolabeTelemetryModel

extension LogRecordData {
    static let jsonNames = (resources: "resourceLogs", scopes: "scopeLogs", records: "logRecords")

    static func read(with reader: inout JSONRequestReader) throws(OTLPDecodingError) -> LogRecordData {
        try reader.logRecord()
    }
}

extension JSONRequestReader {
    fileprivate mutating func logRecord() throws(OTLPDecodingError) -> LogRecordData {
        var record = LogRecordBuilder()
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "timeUnixNano": record.timeUnixNano = try uint64()
                case "observedTimeUnixNano": record.observedTimeUnixNano = try uint64()
                case "severityNumber": record.severityNumber = try enumeration(.severity)
                case "severityText": record.severityText = try text()
                case "eventName": record.eventName = try text()
                case "body": record.body = try anyValue()
                case "attributes": record.attributes = try attributes()
                case "droppedAttributesCount": record.droppedAttributesCount = try uint32()
                case "flags": record.flags = try uint32()
                case "traceId": record.traceID = try traceID()
                case "spanId": record.spanID = try spanID()
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return record.finish(&budget)
    }
}
