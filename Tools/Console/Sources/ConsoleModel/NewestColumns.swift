package import TelemetryQuery

/// The newest records of a dataset as columns.
package struct NewestColumns: Sendable {
    /// The oldest first.
    package private(set) var segments: [Segment] = []
    package private(set) var rowCount = 0
    /// True if older records are left out.
    package var leavesOut = false
    private var builder = SegmentBuilder()
    private let limit: Int

    /// - Parameter limit: The largest number of records.
    package init(limit: Int) { self.limit = limit }

    /// Adds the next older record.
    package mutating func append(_ record: QueryRecord) {
        guard rowCount < limit else {
            leavesOut = true
            return
        }
        if builder.isFull { finish() }
        builder.append(record)
        rowCount += 1
    }

    /// Makes the last records a segment.
    package mutating func finish() {
        if let segment = builder.segment() { segments.insert(segment, at: 0) }
        builder = SegmentBuilder()
    }
}
