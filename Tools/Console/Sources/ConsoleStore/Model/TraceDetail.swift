package import AstrolabeTelemetryModel

/// A trace as a waterfall shows it.
package struct TraceDetail: Sendable {
    package let id: TraceID
    /// Each span after its parent, siblings by their start.
    package let spans: [TraceNode]
    package let events: [EventRecord]
    package let origins: [Int64: Origin]
    package let sessions: [String]
    /// True where the trace has more spans than were asked for.
    package let isTruncated: Bool
    package let cursor: Int64
}

/// A span with its place in the tree of its trace.
package struct TraceNode: Sendable, Hashable {
    package let span: SpanRecord
    /// 0 for a root.
    package let depth: Int
    /// Index of the parent in the list of nodes; `nil` for a root and for an orphan.
    package let parent: Int?
    /// Spans below this one, at any depth; they follow it in the list.
    package internal(set) var descendants = 0
    /// True where the trace would have been shorter had this span been.
    package internal(set) var isCritical = false
    /// True where the span names a parent that has not arrived.
    package let isOrphan: Bool
    /// What was added to the span's times so that they fit its caller's clock; 0 where they fit as they are.
    package let shiftNano: Int64

    package var startUnixNano: UInt64 { UInt64(clamping: Int64(clamping: span.startUnixNano) &+ shiftNano) }
    package var endUnixNano: UInt64 { startUnixNano + span.durationNano }
}
