import AstrolabeTelemetryModel

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
        var span = SpanBuilder()
        while let field = try message.nextField() {
            do {
                switch field.number {
                case 1: span.traceID = try TraceID(protobuf: message.payload(field))
                case 2: span.spanID = try SpanID(protobuf: message.payload(field))
                case 3: span.traceState = traceStates.state(try text(message.payload(field)))
                case 4: span.parentSpanID = try SpanID(protobuf: message.payload(field))
                case 5: span.name = try text(message.payload(field))
                case 6: span.kind = try message.int32(field)
                case 7: span.startTimeUnixNano = try message.fixed64(field)
                case 8: span.endTimeUnixNano = try message.fixed64(field)
                case 9: try attribute(&message, field, into: &span.attributes)
                case 10: span.droppedAttributesCount = try message.uint32(field)
                case 11:
                    try reserve(&span.events, for: field, in: message)
                    try budget.append(event(message.payload(field)), to: &span.events, at: field.offset)
                case 12: span.droppedEventsCount = try message.uint32(field)
                case 13:
                    try reserve(&span.links, for: field, in: message)
                    try budget.append(link(message.payload(field)), to: &span.links, at: field.offset)
                case 14: span.droppedLinksCount = try message.uint32(field)
                case 15: try status(message.payload(field), into: &span.status)
                case 16: span.flags = try message.fixed32(field)
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
                case 1: event.timeUnixNano = try message.fixed64(field)
                case 2: event.name = try text(message.payload(field))
                case 3: try attribute(&message, field, into: &event.attributes)
                case 4: event.droppedAttributesCount = try message.uint32(field)
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
                case 1: link.traceID = try TraceID(protobuf: message.payload(field))
                case 2: link.spanID = try SpanID(protobuf: message.payload(field))
                case 3: link.traceState = traceStates.state(try text(message.payload(field)))
                case 4: try attribute(&message, field, into: &link.attributes)
                case 5: link.droppedAttributesCount = try message.uint32(field)
                case 6: link.flags = try message.fixed32(field)
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
                case 2: status.message = try text(message.payload(field))
                case 3: status.code = try message.int32(field)
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .status, in: start)
            }
        }
    }
}
