import AstrolabeTelemetryModel

/// The parents and the events of spans.
struct CollectedSpanRelations: Sendable {
    private let spans: [SpanPlace: Collected<SpanData>]
    private let logs: [SpanPlace: [LogRecordData]]

    init(_ store: CollectorStore) {
        spans = Dictionary(store.spans.map { ($0.place, $0) }, uniquingKeysWith: { first, _ in first })
        logs = Dictionary(grouping: store.events.lazy.map(\.record).filter { !$0.eventName.isEmpty }) {
            SpanPlace(trace: $0.traceID, span: $0.spanID)
        }
    }

    func parent(of span: Collected<SpanData>) -> Collected<SpanData>? {
        span.parentSpanID.isValid ? spans[span.parentPlace] : nil
    }

    /// From the parent upwards. Damaged telemetry may have a cycle, which ends here.
    func ancestors(of span: Collected<SpanData>) -> [Collected<SpanData>] {
        var found: [Collected<SpanData>] = []
        var seen: Set<SpanPlace> = [span.place]
        var next = parent(of: span)
        while let ancestor = next, seen.insert(ancestor.place).inserted {
            found.append(ancestor)
            next = parent(of: ancestor)
        }
        return found
    }

    /// The events on the span and those with a name that were recorded while it was current, by their time.
    func events(of span: Collected<SpanData>) -> [SpanEvent] {
        let recorded = (logs[span.place] ?? []).map { log in
            SpanEvent(name: log.eventName, timeUnixNano: log.timeUnixNano, attributes: log.attributes)
        }
        return (span.record.events + recorded).sorted { ($0.timeUnixNano, $0.name) < ($1.timeUnixNano, $1.name) }
    }

    func span(_ context: SpanContext) -> Collected<SpanData>? {
        spans[SpanPlace(trace: context.traceID, span: context.spanID)]
    }
}
