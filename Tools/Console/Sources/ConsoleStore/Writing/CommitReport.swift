import AstrolabeTelemetryModel
import ConsoleModel

/// The changes of one transaction.
struct CommitReport: Sendable {
    /// The last sequence number on disk.
    var cursor: Int64 = 0
    var storedRecords = 0
    /// The numbers of the changed sessions.
    var sessions: Set<Int64> = []
    var traces: Set<TraceID> = []
    var hasMetrics = false
    /// The rejected records of each request, in their order.
    var rejections: [Rejection] = []
    /// The new spans and log records of each request that has some.
    var arrivals: [ArrivedRows] = []
}

extension Change {
    init(_ report: CommitReport) {
        self.init(
            cursor: report.cursor, sessions: report.sessions, traces: report.traces, hasMetrics: report.hasMetrics)
    }
}
