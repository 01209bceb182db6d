import AstrolabeTelemetryModel

/// Reads spans from ``OTelTable/traces``, each with its resource.
enum SpanTableRows {
    /// Duplicates, as of an exporter that sent a batch again, are left out.
    static func select(where condition: String, limit: Int) -> String {
        let columns = OTelTable.traces.columns.map { "`\($0.name)`" }.joined(separator: ", ")
        return """
            SELECT \(columns) FROM \(OTelTable.traces.rawValue) WHERE \(condition) \
            ORDER BY Timestamp LIMIT 1 BY TraceId, SpanId LIMIT \(limit)
            """
    }

    @Sendable static func group(_ reader: inout RowBinaryReader) throws -> ResourceGroup<SpanData> {
        let start = UInt64(clamping: try reader.integer(Int64.self))
        let trace = TraceID(hex: try reader.string()) ?? .invalid
        let span = SpanID(hex: try reader.string()) ?? .invalid
        let parent = SpanID(hex: try reader.string()) ?? .invalid
        let state = TraceState(header: try reader.string()) ?? TraceState()
        let name = try reader.string()
        let kind = SpanKind(exported: try reader.string())
        _ = try reader.string()
        let resource = Resource(attributes: try reader.attributes())
        let scope = InstrumentationScope(name: try reader.string(), version: try reader.string())
        let attributes = try reader.attributes()
        let duration = try reader.integer(UInt64.self)
        let code = try reader.string()
        let message = try reader.string()
        let eventTimes = try reader.array { UInt64(clamping: try $0.integer(Int64.self)) }
        let eventNames = try reader.array { try $0.string() }
        let eventAttributes = try reader.array { try $0.attributes() }
        let linkTraces = try reader.array { TraceID(hex: try $0.string()) ?? .invalid }
        let linkSpans = try reader.array { SpanID(hex: try $0.string()) ?? .invalid }
        let linkStates = try reader.array { TraceState(header: try $0.string()) ?? TraceState() }
        let linkAttributes = try reader.array { try $0.attributes() }
        let events = zip(zip(eventTimes, eventNames), eventAttributes).map { event, attributes in
            SpanEvent(name: event.1, timeUnixNano: event.0, attributes: attributes)
        }
        let links = zip(zip(linkTraces, linkSpans), zip(linkStates, linkAttributes)).map { ids, rest in
            SpanLink(
                context: SpanContext(traceID: ids.0, spanID: ids.1, traceState: rest.0), attributes: rest.1)
        }
        var data = SpanData(
            context: SpanContext(traceID: trace, spanID: span, traceState: state), parentSpanID: parent, name: name,
            kind: kind, startTimeUnixNano: start, endTimeUnixNano: start &+ duration, attributes: attributes,
            events: events, links: links, status: SpanStatus(exported: code, message: message))
        if !data.status.isError { data.statusNote = message }
        return ResourceGroup(resource: resource, scopes: [ScopeGroup(scope: scope, records: [data])])
    }
}

extension SpanStatus {
    fileprivate init(exported code: String, message: String) {
        switch code {
        case "Error", "STATUS_CODE_ERROR": self = .error(message)
        case "Ok", "STATUS_CODE_OK": self = .ok
        default: self = .unset
        }
    }
}

extension SpanKind {
    fileprivate init?(exported name: String) {
        switch name {
        case "Internal", "SPAN_KIND_INTERNAL": self = .internal
        case "Server", "SPAN_KIND_SERVER": self = .server
        case "Client", "SPAN_KIND_CLIENT": self = .client
        case "Producer", "SPAN_KIND_PRODUCER": self = .producer
        case "Consumer", "SPAN_KIND_CONSUMER": self = .consumer
        default: return nil
        }
    }
}
