import TelemetryQuery

/// The rows of a dataset that a query does not see, the oldest, because the console reads only the newest.
struct LeftOutRows: Sendable {
    struct Part: Sendable {
        let rowCount: Int
        /// The latest time of the rows, in nanoseconds since 1970.
        let end: Int64
    }

    let dataset: Dataset
    let parts: [Part]
    /// The number of rows that are read.
    let rowCount: Int

    /// Says how many rows are left out that a query from a time on asks for, or that its records may belong to.
    ///
    /// - Parameter start: Nanoseconds since 1970.
    /// - Returns: `nil` if the rows left out ended before.
    func sentence(from start: Int64) -> String? {
        let count = parts.reduce(0) { $1.end >= start ? $0 + $1.rowCount : $0 }
        guard count > 0 else { return nil }
        let newest = "the console reads the newest \(rowCount). Ask for a later time."
        return switch dataset {
        case .sessions: "Up to \(count) older sessions are left out, also as sessions of records: \(newest)"
        case .issues: "Up to \(count) older issues are left out: \(newest)"
        case .spans, .events, .metrics:
            "Older records are left out. The query covers the newest \(rowCount) \(dataset.rawValue)."
        }
    }
}
