package import AstrolabeTelemetryModel

/// A trace with its spans in waterfall order.
package struct TraceDetail: Sendable {
    package let id: TraceID
    /// The spans. Each follows its parent, and siblings are ordered by start.
    package let spans: [TraceNode]
    /// The time that the trace takes; `nil` if it has no spans.
    package let extent: TraceExtent?
    package let events: [EventRecord]
    package let origins: [Int64: Origin]
    package let scopes: [Int64: Scope]
    package let sessions: [String]
    /// True if the trace has more spans than requested.
    package let isTruncated: Bool
    package let cursor: Int64

    package init(
        id: TraceID, spans: [TraceNode], extent: TraceExtent?, events: [EventRecord], origins: [Int64: Origin],
        scopes: [Int64: Scope], sessions: [String], isTruncated: Bool, cursor: Int64,
    ) {
        self.id = id
        self.spans = spans
        self.extent = extent
        self.events = events
        self.origins = origins
        self.scopes = scopes
        self.sessions = sessions
        self.isTruncated = isTruncated
        self.cursor = cursor
    }

    /// The start of the extent, or the time of the earliest event if there is no span.
    package var startUnixNano: UInt64 { extent?.start ?? events.map(\.timeUnixNano).min() ?? 0 }
}

/// A span with its position in the trace's tree.
package struct TraceNode: Sendable, Hashable {
    package let span: SpanRecord
    /// The depth in the tree; 0 for a root.
    package let depth: Int
    /// The index of the parent in the list of nodes; `nil` for a root and for an orphan.
    package let parent: Int?
    /// The number of spans below this one at any depth. They follow it in the list.
    package var descendants = 0
    /// True if at least 1 % of the trace's critical path is in the span itself, and not in its children.
    package var isCritical = false
    /// The parts of the critical path that are in the span itself, the latest first, in corrected times.
    package var criticalParts: [Range<UInt64>] = []
    /// True if the span's parent has not arrived.
    package let isOrphan: Bool
    /// True if another span of the trace has the same id, as the two sides of a call have in Zipkin.
    package let isShared: Bool
    /// The correction for clock skew that was added to the span's times in nanoseconds; 0 if none was needed.
    package let shiftNano: Int64

    package init(span: SpanRecord, depth: Int, parent: Int?, isOrphan: Bool, isShared: Bool, shiftNano: Int64) {
        self.span = span
        self.depth = depth
        self.parent = parent
        self.isOrphan = isOrphan
        self.isShared = isShared
        self.shiftNano = shiftNano
    }

    /// The part of the critical path that is in the span itself, in nanoseconds.
    package var criticalNano: UInt64 { criticalParts.reduce(0) { $0.clampedSum(UInt64($1.count)) } }

    package var startUnixNano: UInt64 {
        UInt64(clamping: Int64(clamping: span.startUnixNano).clampedSum(shiftNano))
    }
    package var endUnixNano: UInt64 { startUnixNano.clampedSum(span.durationNano) }
}
