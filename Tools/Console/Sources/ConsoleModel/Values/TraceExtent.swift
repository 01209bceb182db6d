/// The time that a trace takes, with its clocks corrected.
///
/// A span that began more than a week before the last one does not count: its sender did not know the time.
package struct TraceExtent: Sendable, Hashable {
    package let start: UInt64
    package let end: UInt64

    package init(start: UInt64, end: UInt64) {
        self.start = start
        self.end = end
    }

    /// - Returns: `nil` if there are no spans.
    package init?(_ nodes: [TraceNode]) {
        guard let last = nodes.map(\.startUnixNano).max() else { return nil }
        let earliest = last.clampedDifference(RecordTimes.tolerance)
        let counted = nodes.filter { $0.startUnixNano >= earliest }
        self.init(
            start: counted.map(\.startUnixNano).min() ?? last, end: counted.map(\.endUnixNano).max() ?? last)
    }

    package var durationNano: UInt64 { end > start ? end - start : 0 }

    /// Returns whether a span counts.
    package func includes(_ node: TraceNode) -> Bool { node.startUnixNano >= start }
}
