import AstrolabeTelemetryModel
import ConsoleModel

extension RowBinaryWriter {
    /// Writes the rows of ``OTelTable/traces``, but not those of spans without valid ids. Returns their number.
    mutating func write(traces groups: [ResourceGroup<SpanData>], _ times: RecordTimes) -> Int {
        var count = 0
        for group in groups {
            for scope in group.scopes {
                for span in scope.records where span.context.isValid {
                    write(span, group.resource, scope.scope, times)
                    count += 1
                }
            }
        }
        return count
    }

    private mutating func write(
        _ span: SpanData, _ resource: Resource, _ scope: InstrumentationScope, _ times: RecordTimes,
    ) {
        let (start, duration) = times.interval(of: span)
        write(time: start)
        write(span.context.traceID)
        write(span.context.spanID)
        write(span.parentSpanID)
        write(span.context.traceState.header)
        write(span.name)
        write(span.kind.exporterText)
        write(serviceOf: resource)
        write(resource.attributes)
        write(scope.name)
        write(scope.version)
        write(span.attributes)
        write(duration)
        switch span.status {
        case .unset: write("Unset")
        case .ok: write("Ok")
        case .error: write("Error")
        }
        if case .error(let message) = span.status { write(message) } else { write(span.statusNote) }
        write(span.events) { $0.write(time: $1.timeUnixNano) }
        write(span.events) { $0.write($1.name) }
        write(span.events) { $0.write($1.attributes) }
        write(span.links) { $0.write($1.context.traceID) }
        write(span.links) { $0.write($1.context.spanID) }
        write(span.links) { $0.write($1.context.traceState.header) }
        write(span.links) { $0.write($1.attributes) }
    }
}

extension SpanKind? {
    /// The exporter's name of a kind.
    fileprivate var exporterText: String {
        switch self {
        case nil: "Unspecified"
        case .internal: "Internal"
        case .server: "Server"
        case .client: "Client"
        case .producer: "Producer"
        case .consumer: "Consumer"
        }
    }
}
