import AstrolabeTelemetryModel

/// What one transaction changed.
struct CommitReport: Sendable {
    /// The last number of the sequence that is now on disk.
    var cursor: Int64 = 0
    var storedRecords = 0
    /// Numbers of the sessions that changed.
    var sessions: Set<Int64> = []
    var traces: Set<TraceID> = []
    var hasMetrics = false
}
