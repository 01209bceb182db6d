import AstrolabeTelemetryModel
import AstrolabeWire

extension SpanData: OTLPRecord {
    static let protobufNames = (resources: "resource_spans", scopes: "scope_spans", records: "spans")

    static func read(
        _ message: ProtobufReader, with reader: inout ProtobufRequestReader,
    ) throws(OTLPDecodingError) -> SpanData {
        try reader.span(message)
    }
}

extension ProtobufRequestReader {
    fileprivate mutating func span(_ message: ProtobufReader) throws(OTLPDecodingError) -> SpanData {
        var message = message
        let start = message
        var span = DecodedSpanBuilder()
        while let field = try message.nextField() {
            do {
                switch field.number {
                case SpanField.traceID: span.traceID = try TraceID(protobuf: message.payload(field))
                case SpanField.spanID: span.spanID = try SpanID(protobuf: message.payload(field))
                case SpanField.traceState: span.traceState = traceStates.state(try text(message.payload(field)))
                case SpanField.parentSpanID: span.parentSpanID = try SpanID(protobuf: message.payload(field))
                case SpanField.name: span.name = try text(message.payload(field))
                case SpanField.kind: span.kind = try message.int32(field)
                case SpanField.startTime: span.startTimeUnixNano = try message.fixed64(field)
                case SpanField.endTime: span.endTimeUnixNano = try message.fixed64(field)
                case SpanField.attributes: try attribute(&message, field, into: &span.attributes)
                case SpanField.droppedAttributesCount: span.droppedAttributesCount = try message.uint32(field)
                case SpanField.events:
                    try reserve(&span.events, for: field, in: message)
                    try budget.append(event(message.payload(field)), to: &span.events, at: field.offset)
                case SpanField.droppedEventsCount: span.droppedEventsCount = try message.uint32(field)
                case SpanField.links:
                    try reserve(&span.links, for: field, in: message)
                    try budget.append(link(message.payload(field)), to: &span.links, at: field.offset)
                case SpanField.droppedLinksCount: span.droppedLinksCount = try message.uint32(field)
                case SpanField.status: try status(message.payload(field), into: &span.status)
                case SpanField.flags: span.flags = try message.fixed32(field)
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .span, in: start)
            }
        }
        return try span.finish(at: start.position, &budget)
    }

    private mutating func event(_ message: ProtobufReader) throws(OTLPDecodingError) -> SpanEvent {
        var message = message
        let start = message
        var event = SpanEventBuilder()
        while let field = try message.nextField() {
            do {
                switch field.number {
                case SpanEventField.time: event.timeUnixNano = try message.fixed64(field)
                case SpanEventField.name: event.name = try text(message.payload(field))
                case SpanEventField.attributes: try attribute(&message, field, into: &event.attributes)
                case SpanEventField.droppedAttributesCount: event.droppedAttributesCount = try message.uint32(field)
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .spanEvent, in: start)
            }
        }
        return event.finish(&budget)
    }

    private mutating func link(_ message: ProtobufReader) throws(OTLPDecodingError) -> SpanLink {
        var message = message
        let start = message
        var link = SpanLinkBuilder()
        while let field = try message.nextField() {
            do {
                switch field.number {
                case SpanLinkField.traceID: link.traceID = try TraceID(protobuf: message.payload(field))
                case SpanLinkField.spanID: link.spanID = try SpanID(protobuf: message.payload(field))
                case SpanLinkField.traceState: link.traceState = traceStates.state(try text(message.payload(field)))
                case SpanLinkField.attributes: try attribute(&message, field, into: &link.attributes)
                case SpanLinkField.droppedAttributesCount: link.droppedAttributesCount = try message.uint32(field)
                case SpanLinkField.flags: link.flags = try message.fixed32(field)
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .spanLink, in: start)
            }
        }
        return link.finish(&budget)
    }

    private mutating func status(
        _ message: ProtobufReader, into status: inout StatusBuilder,
    ) throws(OTLPDecodingError) {
        var message = message
        let start = message
        while let field = try message.nextField() {
            do {
                switch field.number {
                case StatusField.message: status.message = try text(message.payload(field))
                case StatusField.code: status.code = try message.int32(field)
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .status, in: start)
            }
        }
    }
}
