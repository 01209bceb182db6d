package import AstrolabeTelemetryModel

/// That something new is on disk; several commits may be one change.
package struct Change: Sendable, Hashable {
    /// The last number of the sequence: what arrives later has a greater one.
    package var cursor: Int64
    package var sessions: Set<Int64>
    package var traces: Set<TraceID>
    package var hasMetrics: Bool
    /// True where more changed than the sets hold, and a reader should look again whatever it shows.
    package var isPartial: Bool

    /// The most sessions, and the most traces, that one change lists.
    static let listLimit = 512

    init(_ report: CommitReport) {
        cursor = report.cursor
        sessions = report.sessions
        traces = report.traces
        hasMetrics = report.hasMetrics
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
