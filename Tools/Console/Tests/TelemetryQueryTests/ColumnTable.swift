@testable import TelemetryQuery

/// Records as columns: sealed segments, and the newest records in a builder.
struct ColumnTable {
    private var sealed: [Segment] = []
    private var builder = SegmentBuilder()

    mutating func append(_ record: QueryRecord, sequence: Int64 = 0) {
        builder.append(record, sequence: sequence)
        if builder.isFull { seal() }
    }

    mutating func seal() {
        sealed += [builder.segment()].compactMap { $0 }
        builder = SegmentBuilder()
    }

    func segments() -> [Segment] { sealed + [builder.segment()].compactMap { $0 } }
}
