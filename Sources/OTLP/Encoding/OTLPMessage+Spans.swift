import AstrolabeTelemetryModel
import AstrolabeWire

extension SpanData {
    func write(to message: inout some OTLPMessage) {
        message.id(SpanField.traceID, "traceId", context.traceID)
        message.id(SpanField.spanID, "spanId", context.spanID)
        message.text(SpanField.traceState, "traceState", context.traceState.header)
        message.id(SpanField.parentSpanID, "parentSpanId", parentSpanID)
        message.fixed32(SpanField.flags, "flags", flags)
        message.text(SpanField.name, "name", name)
        message.int32(SpanField.kind, "kind", kind?.rawValue ?? 0)
        message.fixed64(SpanField.startTime, "startTimeUnixNano", startTimeUnixNano)
        message.fixed64(SpanField.endTime, "endTimeUnixNano", endTimeUnixNano)
        message.attributes(SpanField.attributes, "attributes", attributes)
        message.uint32(SpanField.droppedAttributesCount, "droppedAttributesCount", droppedAttributesCount)
        message.messages(SpanField.events, "events", events) { $0.write($1) }
        message.uint32(SpanField.droppedEventsCount, "droppedEventsCount", droppedEventsCount)
        message.messages(SpanField.links, "links", links) { $0.write($1) }
        message.uint32(SpanField.droppedLinksCount, "droppedLinksCount", droppedLinksCount)
        switch status {
        case .unset:
            guard !statusNote.isEmpty else { break }
            message.message(SpanField.status, "status") { $0.text(StatusField.message, "message", statusNote) }
        case .ok:
            message.message(SpanField.status, "status") {
                $0.text(StatusField.message, "message", statusNote)
                $0.int32(StatusField.code, "code", 1)
            }
        case .error(let text):
            message.message(SpanField.status, "status") {
                $0.text(StatusField.message, "message", text)
                $0.int32(StatusField.code, "code", 2)
            }
        }
    }
}

extension OTLPMessage {
    fileprivate mutating func write(_ event: SpanEvent) {
        fixed64(SpanEventField.time, "timeUnixNano", event.timeUnixNano)
        text(SpanEventField.name, "name", event.name)
        attributes(SpanEventField.attributes, "attributes", event.attributes)
        uint32(SpanEventField.droppedAttributesCount, "droppedAttributesCount", event.droppedAttributesCount)
    }

    fileprivate mutating func write(_ link: SpanLink) {
        id(SpanLinkField.traceID, "traceId", link.context.traceID)
        id(SpanLinkField.spanID, "spanId", link.context.spanID)
        text(SpanLinkField.traceState, "traceState", link.context.traceState.header)
        attributes(SpanLinkField.attributes, "attributes", link.attributes)
        uint32(SpanLinkField.droppedAttributesCount, "droppedAttributesCount", link.droppedAttributesCount)
        fixed32(SpanLinkField.flags, "flags", link.flags)
    }
}
