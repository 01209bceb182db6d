import AstrolabeTelemetryModel
import ConsoleModel

/// Arranges the spans of a trace in waterfall order.
///
/// Every span appears exactly once. A span whose parent is missing, is the span itself, or is one of its descendants
/// becomes a root marked as an orphan. Of spans with one id, the caller's is the parent of the others.
struct SpanWaterfall {
    private(set) var nodes: [TraceNode] = []

    init(_ spans: [SpanRecord]) {
        nodes.reserveCapacity(spans.count)
        let places = SpanPlaces(spans)
        var children: [Int: [Int]] = [:]
        var roots: [Int] = []
        for index in spans.indices {
            if let parent = places.parent(of: index), parent != index {
                children[parent, default: []].append(index)
            } else {
                roots.append(index)
            }
        }
        var isPlaced = [Bool](repeating: false, count: spans.count)
        for root in roots { place(root, in: places, children, &isPlaced) }
        // Spans that no root leads to form cycles. The earliest span of each cycle becomes a root.
        for index in spans.indices where !isPlaced[index] { place(index, in: places, children, &isPlaced) }
        countDescendants()
        CriticalPath.mark(&nodes)
    }

    private mutating func place(
        _ root: Int, in places: SpanPlaces, _ children: [Int: [Int]], _ isPlaced: inout [Bool],
    ) {
        var pending: [(index: Int, parent: Int?)] = [(root, nil)]
        while let (index, parent) = pending.popLast() {
            guard !isPlaced[index] else { continue }
            isPlaced[index] = true
            let span = places.spans[index]
            nodes.append(
                TraceNode(
                    span: span,
                    depth: parent.map { nodes[$0].depth + 1 } ?? 0,
                    parent: parent,
                    isOrphan: parent == nil && span.parentSpanID.isValid,
                    isShared: places.isShared(span.spanID),
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

/// The spans of a trace by their ids, which the two sides of a call may share, as in Zipkin.
private struct SpanPlaces {
    let spans: [SpanRecord]
    private var first: [SpanID: Int] = [:]
    /// The spans with an id that is not one span's alone.
    private var shared: [SpanID: Sides] = [:]

    private struct Sides {
        /// The first client or producer or, if there is none, the first span.
        var caller: Int
        /// The first span of each origin.
        var ofOrigin: [Int64: Int]
    }

    init(_ spans: [SpanRecord]) {
        self.spans = spans
        for (index, span) in spans.enumerated() {
            guard let known = first[span.spanID] else {
                first[span.spanID] = index
                continue
            }
            var sides =
                shared.removeValue(forKey: span.spanID)
                ?? Sides(caller: known, ofOrigin: [spans[known].origin: known])
            if span.isCaller, !spans[sides.caller].isCaller { sides.caller = index }
            if sides.ofOrigin[span.origin] == nil { sides.ofOrigin[span.origin] = index }
            shared[span.spanID] = sides
        }
    }

    func isShared(_ id: SpanID) -> Bool { shared[id] != nil }

    /// Returns the parent of a span; `nil` if it has none or it has not arrived.
    func parent(of index: Int) -> Int? {
        let span = spans[index]
        if let sides = shared[span.spanID], sides.caller != index { return sides.caller }
        guard span.parentSpanID.isValid else { return nil }
        guard let sides = shared[span.parentSpanID] else { return first[span.parentSpanID] }
        return sides.ofOrigin[span.origin] ?? sides.caller
    }
}

extension SpanRecord {
    fileprivate var isCaller: Bool { kind == .client || kind == .producer }
}
