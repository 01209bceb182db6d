public import AstrolabeTelemetryModel

/// A span with all that came below it.
///
///     #expect(collector.traces.map(\.description) == [
///         """
///         checkout
///           charge card
///           ship order
///         """
///     ])
public struct TraceTree: Hashable, Sendable {
    public let span: Collected<SpanData>
    /// By their start, and then by their name.
    public let children: [TraceTree]

    /// The trees of spans whose parents are not among them, by their start.
    static func all(of spans: [Collected<SpanData>]) -> [TraceTree] {
        let known = Set(spans.map(\.place))
        let children = Dictionary(grouping: spans, by: \.parentPlace)
        return spans.filter { !$0.parentSpanID.isValid || !known.contains($0.parentPlace) }
            .map { TraceTree($0, below: children) }.sorted { ($0.start, $0.span.name) < ($1.start, $1.span.name) }
    }

    private init(_ span: Collected<SpanData>, below children: [SpanPlace: [Collected<SpanData>]]) {
        self.span = span
        self.children = (children[span.place] ?? []).map { TraceTree($0, below: children) }
            .sorted { ($0.start, $0.span.name) < ($1.start, $1.span.name) }
    }

    private var start: UInt64 { span.startTimeUnixNano }
}

extension TraceTree: CustomStringConvertible {
    /// The names, a line each, the children's two columns further in.
    public var description: String {
        ([span.name] + children.map { $0.description.indented }).joined(separator: "\n")
    }
}

/// The place of a span in its trace.
struct SpanPlace: Hashable {
    let trace: TraceID
    let span: SpanID
}

extension Collected<SpanData> {
    var place: SpanPlace { SpanPlace(trace: record.context.traceID, span: record.context.spanID) }
    var parentPlace: SpanPlace { SpanPlace(trace: record.context.traceID, span: record.parentSpanID) }
}
