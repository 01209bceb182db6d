public import AstrolabeTelemetryModel

extension TelemetryCollector {
    /// All spans, in the order in which they came: a child before its parent, as a rule.
    public var spans: [Collected<SpanData>] { contents.spans }

    /// All events and log lines, the SDK's own `session.start` among them.
    public var events: [Collected<LogRecordData>] { contents.events }

    /// All metrics, one for each time that they were collected, the SDK's own among them.
    public var metrics: [Collected<MetricData>] { contents.metrics }

    public func spans(named name: String) -> [Collected<SpanData>] { spans.filter { $0.name == name } }

    public func events(named name: String) -> [Collected<LogRecordData>] { events.filter { $0.eventName == name } }

    public func metrics(named name: String) -> [Collected<MetricData>] { metrics.filter { $0.name == name } }

    /// The sum of what a counter has counted; 0 where it never came, and for what is no sum of deltas.
    public func total(ofCounter name: String) -> Double {
        metrics(named: name).reduce(0) { total, metric in
            guard case .sum(let points, .delta, _) = metric.data else { return total }
            return points.reduce(total) { $0 + $1.value.doubleValue }
        }
    }

    /// The spans right below one, by their start.
    public func children(of span: Collected<SpanData>) -> [Collected<SpanData>] {
        spans.filter { $0.context.traceID == span.context.traceID && $0.parentSpanID == span.context.spanID }
            .sorted { $0.startTimeUnixNano < $1.startTimeUnixNano }
    }

    /// The events that belong to a span.
    public func events(of span: Collected<SpanData>) -> [Collected<LogRecordData>] {
        events.filter { $0.traceID == span.context.traceID && $0.spanID == span.context.spanID }
    }

    /// A tree for each span whose parent has not come, by their start: one for a trace that is whole.
    public var traces: [TraceTree] { TraceTree.all(of: spans) }
}

extension TelemetryCollector: CustomStringConvertible {
    /// The message of a failed expectation: the trees of all spans, then the events and the metrics, a line each.
    public var description: String {
        let sections = [
            ("spans", traces.map(\.description)), ("events", events.map(\.description)),
            ("metrics", metrics.map(\.description)),
        ]
        return sections.map { name, lines in
            lines.isEmpty ? "no \(name)" : "\(name):\n" + lines.map { $0.indented }.joined(separator: "\n")
        }.joined(separator: "\n")
    }
}

extension String {
    /// Every line two columns further in.
    var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }.joined(separator: "\n")
    }
}
