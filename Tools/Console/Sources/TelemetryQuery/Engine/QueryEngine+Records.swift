/// The order of the records behind a result.
package enum RecordOrder: String, CaseIterable, Sendable {
    /// The latest time first.
    case newest
    /// The longest `duration` first. Records without one come last.
    case slowest
}

/// Some of the records that fulfil a query's condition in its window.
package struct RecordsResult: Sendable {
    /// Equal ones in the order of the plan are ordered by time, then by arrival, the last first.
    package var records: [QueryRecord]
    /// The number of all that fulfil the condition.
    package var matchedRecords: Int

    package init(records: [QueryRecord], matchedRecords: Int) {
        self.records = records
        self.matchedRecords = matchedRecords
    }
}

extension QueryEngine {
    /// Returns the first `limit` records that fulfil the plan's condition in its window.
    ///
    /// - Throws: `QueryError` if a limit is exceeded, or `CancellationError`.
    package func records(
        _ plan: QueryPlan, order: RecordOrder, limit: Int, over segments: [Segment],
    ) async throws -> RecordsResult {
        let parts = try await gather(plan, from: segments, into: BestRows(limit: limit)) { scan, best in
            best.add(scan, plan: plan, order: order)
        }
        let best = parts.reduce(into: BestRows(limit: limit)) { $0.merge($1) }
        return RecordsResult(
            records: best.rows.map { $0.segment.record(at: $0.row) }, matchedRecords: best.matchedRecords)
    }
}

/// The place of a record in the order: larger ranks come first.
private struct RecordRank: Comparable {
    /// Negative infinity for a record without a duration, and 0 for all if the order does not ask for it.
    let duration: Double
    let time: Int64
    /// Increases with the arrival.
    let arrival: (sequence: Int64, row: Int)

    static func < (left: Self, right: Self) -> Bool {
        (left.duration, left.time, left.arrival.sequence, left.arrival.row)
            < (right.duration, right.time, right.arrival.sequence, right.arrival.row)
    }

    static func == (left: Self, right: Self) -> Bool {
        left.duration == right.duration && left.time == right.time && left.arrival == right.arrival
    }
}

/// The rows that come first, of those that were added.
private struct BestRows: Sendable {
    struct Row: Sendable {
        let rank: RecordRank
        let segment: Segment
        let row: Int
    }

    let limit: Int
    private(set) var rows: [Row] = []
    private(set) var matchedRecords = 0

    mutating func add(_ scan: SegmentScan, plan: QueryPlan, order: RecordOrder) {
        let mask = scan.mask(of: plan.condition, in: plan.window)
        if case .none = mask { return }
        let times = scan.times
        let durations = order == .slowest ? scan.numbers(of: .field("duration")).numbers : nil
        let selected = mask.rows() ?? (0..<Int32(scan.rowCount)).map(\.self)
        matchedRecords += selected.count
        let worst = rows.count == limit ? rows.last?.rank : nil
        for row in selected.lazy.map({ Int($0) }) {
            let duration = durations.map { $0[row].isNaN ? -Double.infinity : $0[row] } ?? 0
            let rank = RecordRank(
                duration: duration, time: times[row], arrival: (scan.segment.sequence.lowerBound, row))
            if let worst, rank < worst { continue }
            rows.append(Row(rank: rank, segment: scan.segment, row: row))
        }
        keepBest()
    }

    mutating func merge(_ other: BestRows) {
        matchedRecords += other.matchedRecords
        rows += other.rows
        keepBest()
    }

    private mutating func keepBest() {
        rows.sort { $0.rank > $1.rank }
        rows.removeLast(max(0, rows.count - limit))
    }
}
