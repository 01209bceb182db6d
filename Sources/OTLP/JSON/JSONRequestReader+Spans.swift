import AstrolabeTelemetryModel

extension SpanData {
    static let jsonNames = (resources: "resourceSpans", scopes: "scopeSpans", records: "spans")

    static func read(with reader: inout JSONRequestReader) throws(OTLPDecodingError) -> SpanData {
        try reader.span()
    }
}

extension JSONRequestReader {
    fileprivate mutating func span() throws(OTLPDecodingError) -> SpanData {
        let start = scanner.position
        var span = DecodedSpanBuilder()
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "traceId": span.traceID = try traceID()
                case "spanId": span.spanID = try spanID()
                case "traceState": span.traceState = traceStates.state(try text())
                case "parentSpanId": span.parentSpanID = try spanID()
                case "flags": span.flags = try uint32()
                case "name": span.name = try text()
                case "kind": span.kind = try enumeration(.spanKind)
                case "startTimeUnixNano": span.startTimeUnixNano = try uint64()
                case "endTimeUnixNano": span.endTimeUnixNano = try uint64()
                case "attributes": span.attributes = try attributes()
                case "droppedAttributesCount": span.droppedAttributesCount = try uint32()
                case "events":
                    try elements(into: &span.events) { (reader) throws(OTLPDecodingError) in try reader.event() }
                case "droppedEventsCount": span.droppedEventsCount = try uint32()
                case "links":
                    try elements(into: &span.links) { (reader) throws(OTLPDecodingError) in try reader.link() }
                case "droppedLinksCount": span.droppedLinksCount = try uint32()
                case "status": span.status = try status()
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return try span.finish(at: start, &budget)
    }

    private mutating func event() throws(OTLPDecodingError) -> SpanEvent {
        var event = SpanEventBuilder()
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "timeUnixNano": event.timeUnixNano = try uint64()
                case "name": event.name = try text()
                case "attributes": event.attributes = try attributes()
                case "droppedAttributesCount": event.droppedAttributesCount = try uint32()
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return event.finish(&budget)
    }

    private mutating func link() throws(OTLPDecodingError) -> SpanLink {
        var link = SpanLinkBuilder()
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "traceId": link.traceID = try traceID()
                case "spanId": link.spanID = try spanID()
                case "traceState": link.traceState = traceStates.state(try text())
                case "attributes": link.attributes = try attributes()
                case "droppedAttributesCount": link.droppedAttributesCount = try uint32()
                case "flags": link.flags = try uint32()
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return link.finish(&budget)
    }

    private mutating func status() throws(OTLPDecodingError) -> StatusBuilder {
        var status = StatusBuilder()
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "message": status.message = try text()
                case "code": status.code = try enumeration(.statusCode)
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return status
    }
}
