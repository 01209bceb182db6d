import AstrolabeTelemetryModel
import AstrolabeWire

extension LogRecordData {
    func write(to message: inout some OTLPMessage) {
        message.fixed64(LogRecordField.time, "timeUnixNano", timeUnixNano)
        message.fixed64(LogRecordField.observedTime, "observedTimeUnixNano", observedTimeUnixNano)
        message.int32(LogRecordField.severityNumber, "severityNumber", severityNumber)
        message.text(LogRecordField.severityText, "severityText", severityText)
        message.text(LogRecordField.eventName, "eventName", eventName)
        message.value(LogRecordField.body, "body", body)
        message.attributes(LogRecordField.attributes, "attributes", attributes)
        message.uint32(LogRecordField.droppedAttributesCount, "droppedAttributesCount", droppedAttributesCount)
        message.fixed32(LogRecordField.flags, "flags", UInt32(flags.rawValue) | reservedFlags)
        message.id(LogRecordField.traceID, "traceId", traceID)
        message.id(LogRecordField.spanID, "spanId", spanID)
    }
}
