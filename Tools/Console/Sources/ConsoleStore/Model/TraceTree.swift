import AstrolabeTelemetryModel

/// Arranges the spans of a trace in waterfall order.
///
/// Every span appears exactly once. A span whose parent is missing, is the span itself, or is one of its descendants
/// becomes a root marked as an orphan.
struct TraceTree {
    private(set) var nodes: [TraceNode] = []

    init(_ spans: [SpanRecord]) {
        nodes.reserveCapacity(spans.count)
        var indexOfSpan: [SpanID: Int] = [:]
        for (index, span) in spans.enumerated() where indexOfSpan[span.spanID] == nil {
            indexOfSpan[span.spanID] = index
        }
        var children: [Int: [Int]] = [:]
        var roots: [Int] = []
        for (index, span) in spans.enumerated() {
            if span.parentSpanID.isValid, let parent = indexOfSpan[span.parentSpanID], parent != index {
                children[parent, default: []].append(index)
            } else {
                roots.append(index)
            }
        }
        var isPlaced = [Bool](repeating: false, count: spans.count)
        for root in roots { place(root, in: spans, children, &isPlaced) }
        // Spans that no root leads to form cycles. The earliest span of each cycle becomes a root.
        for index in spans.indices where !isPlaced[index] { place(index, in: spans, children, &isPlaced) }
        countDescendants()
        CriticalPath.mark(&nodes)
    }

    private mutating func place(
        _ root: Int, in spans: [SpanRecord], _ children: [Int: [Int]], _ isPlaced: inout [Bool],
    ) {
        var pending: [(index: Int, parent: Int?)] = [(root, nil)]
        while let (index, parent) = pending.popLast() {
            guard !isPlaced[index] else { continue }
            isPlaced[index] = true
            let span = spans[index]
            nodes.append(
                TraceNode(
                    span: span,
                    depth: parent.map { nodes[$0].depth + 1 } ?? 0,
                    parent: parent,
                    isOrphan: parent == nil && span.parentSpanID.isValid,
                    shiftNano: parent.map { Self.shift(of: span, under: nodes[$0]) } ?? 0,
                )
            )
            let place = nodes.count - 1
            for child in (children[index] ?? []).reversed() { pending.append((child, place)) }
        }
    }

    /// Returns what to add to a span's times. What the server calls within its own process moves along.
    private static func shift(of span: SpanRecord, under parent: TraceNode) -> Int64 {
        if span.origin == parent.span.origin { return parent.shiftNano }
        guard span.kind == .server, parent.span.kind == .client else { return 0 }
        return ClockSkew.shift(
            server: ClockSkew.Interval(start: span.startUnixNano, duration: span.durationNano),
            client: ClockSkew.Interval(start: parent.startUnixNano, duration: parent.span.durationNano),
        )
    }

    private mutating func countDescendants() {
        for index in nodes.indices.reversed() {
            if let parent = nodes[index].parent { nodes[parent].descendants += nodes[index].descendants + 1 }
        }
    }
}
