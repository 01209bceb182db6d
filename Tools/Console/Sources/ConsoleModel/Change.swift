package import AstrolabeTelemetryModel

/// A notification that new records are on disk. It may cover several commits.
package struct Change: Sendable, Hashable {
    /// The last sequence number of the change. Later records have higher numbers.
    package var cursor: Int64
    package var sessions: Set<Int64>
    package var traces: Set<TraceID>
    package var hasMetrics: Bool
    /// True if the sets are incomplete, so that readers must reload everything they show.
    package var isPartial: Bool

    /// A change of which it is not known what changed, so that readers reload everything they show.
    package init(everythingAt cursor: Int64) {
        self.cursor = cursor
        sessions = []
        traces = []
        hasMetrics = true
        isPartial = true
    }

    /// The maximum number of sessions and of traces in one change.
    static let listLimit = 512

    package init(cursor: Int64, sessions: Set<Int64>, traces: Set<TraceID>, hasMetrics: Bool) {
        self.cursor = cursor
        self.sessions = sessions
        self.traces = traces
        self.hasMetrics = hasMetrics
        isPartial = false
        bound()
    }

    mutating func merge(_ later: Change) {
        cursor = max(cursor, later.cursor)
        sessions.formUnion(later.sessions)
        traces.formUnion(later.traces)
        hasMetrics = hasMetrics || later.hasMetrics
        isPartial = isPartial || later.isPartial
        bound()
    }

    private mutating func bound() {
        if sessions.count > Self.listLimit {
            sessions = []
            isPartial = true
        }
        if traces.count > Self.listLimit {
            traces = []
            isPartial = true
        }
    }
}
