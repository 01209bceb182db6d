import ConsoleStore
import TelemetryQuery

/// The records of one dataset as columns in memory, filled from the store.
///
/// It belongs to one actor, which must not call it twice at the same time.
final class RecordColumns {
    struct Limits: Sendable {
        /// The largest number of records in memory, the newest.
        var rows = 5_000_000
        /// The largest number of sessions in memory, the newest, unless a block of them has more.
        var sessions = 200_000
        /// The same of crashes and hangs.
        var issues = 50_000
        /// The largest size of the sealed columns.
        var bytes = 1 << 30
        /// The number of records that one read of the store returns.
        var chunk = 2_000
        /// The number of records of a sealed segment.
        var segmentRows = Segment.rowLimit
    }

    private let reader: RecordReader
    private let limits: Limits
    private var table = ColumnTable()
    /// The last sequence number that was read.
    private var last: Int64 = 0
    /// The number of records that are not sealed.
    private var unsealed = 0
    private var isStarted = false
    /// All records up to this sequence number were removed by retention.
    private var trimmedThrough: Int64 = 0
    /// Records up to this sequence number are left out to bound memory.
    private var leftOutThrough: Int64 = 0

    init(_ reader: RecordReader, limits: Limits) {
        self.reader = reader
        self.limits = limits
    }

    var rowCount: Int { table.rowCount }
    /// Whether records that the store still has are left out.
    var leavesOut: Bool { leftOutThrough > trimmedThrough }
    var segments: [Segment] { table.segments() }
    /// The values that were left out of the columns since the start.
    var omittedValues: Int { table.omittedValues }

    /// Adds the records that arrived since the last call, and removes those that retention removed.
    func update(isolation: isolated any Actor) async throws {
        if !isStarted {
            if let before = try await reader.beforeNewest(limits.rows) {
                last = before
                leftOutThrough = before
            }
            isStarted = true
        }
        var isComplete = false
        while !isComplete {
            try Task.checkCancellation()
            let chunk = try await reader.records(after: last, through: .max, limit: limits.chunk)
            if chunk.trimmedThrough > trimmedThrough {
                // The chunk is read again, because trimming may lower `last`.
                try await trim(through: chunk.trimmedThrough, isolation: isolation)
                continue
            }
            for (sequence, record) in chunk.records {
                table.append(record, sequence: sequence)
                last = sequence
                unsealed += 1
                if unsealed >= limits.segmentRows {
                    table.seal()
                    unsealed = 0
                }
            }
            leaveOutOldest()
            isComplete = chunk.records.count < limits.chunk
        }
    }

    /// Removes the records up to `bound`. A segment of which a part remains is made again.
    private func trim(through bound: Int64, isolation: isolated any Actor) async throws {
        var kept = table.sealed.filter { $0.sequence.upperBound > bound }
        if let first = kept.first, first.sequence.lowerBound <= bound {
            kept.removeFirst()
            if let rest = try await remade(after: bound, through: first.sequence.upperBound, isolation: isolation) {
                kept.insert(rest, at: 0)
            }
        }
        // The records that are not sealed are read again.
        table = ColumnTable(sealed: kept, omittedValues: table.omittedValues)
        unsealed = 0
        last = max(kept.last?.sequence.upperBound ?? 0, bound, leftOutThrough)
        trimmedThrough = bound
    }

    private func remade(
        after bound: Int64, through end: Int64, isolation: isolated any Actor,
    ) async throws -> Segment? {
        var builder = SegmentBuilder()
        var position = bound
        while true {
            try Task.checkCancellation()
            let chunk = try await reader.records(after: position, through: end, limit: limits.chunk)
            for (sequence, record) in chunk.records {
                builder.append(record, sequence: sequence)
                position = sequence
            }
            if chunk.records.count < limits.chunk { return builder.segment() }
        }
    }

    private func leaveOutOldest() {
        var rows = table.rowCount
        var bytes = table.sealed.reduce(0) { $0 + $1.image.count }
        guard rows > limits.rows || bytes > limits.bytes else { return }
        var through = leftOutThrough
        for segment in table.sealed where rows > limits.rows || bytes > limits.bytes {
            rows -= segment.rowCount
            bytes -= segment.image.count
            through = segment.sequence.upperBound
        }
        table.remove { $0.sequence.upperBound <= through }
        leftOutThrough = through
    }
}

/// Reads the spans, events or metric points of the store as the engine sees them.
struct RecordReader: Sendable {
    struct Chunk: Sendable {
        var records: [(sequence: Int64, record: QueryRecord)]
        var trimmedThrough: Int64
    }

    let store: TelemetryStore
    let dataset: Dataset

    func beforeNewest(_ count: Int) async throws -> Int64? {
        switch dataset {
        case .spans: try await store.spanBeforeNewest(count)
        case .metrics: try await store.pointBeforeNewest(count)
        default: try await store.eventBeforeNewest(count)
        }
    }

    func records(after last: Int64, through end: Int64, limit: Int) async throws -> Chunk {
        guard last < end else { return Chunk(records: [], trimmedThrough: 0) }
        let range = last + 1...end
        if dataset == .spans {
            let stored = try await store.spans(arrivedIn: range, limit: limit)
            return chunk(stored) {
                ($0.seq, QueryRecord($0, session: $1, resource: $2))
            } origin: {
                $0.origin
            }
        }
        if dataset == .metrics {
            let stored = try await store.points(arrivedIn: range, limit: limit)
            return chunk(stored) {
                ($0.seq, QueryRecord($0, session: $1, resource: $2))
            } origin: {
                $0.origin
            }
        }
        let stored = try await store.events(arrivedIn: range, limit: limit)
        return chunk(stored) {
            ($0.seq, QueryRecord($0, session: $1, resource: $2))
        } origin: {
            $0.origin
        }
    }

    private func chunk<Record>(
        _ stored: Arrivals<Record>, _ convert: (Record, String?, [String: QueryValue]) -> (Int64, QueryRecord),
        origin: (Record) -> Int64,
    ) -> Chunk {
        let resources = stored.origins.mapValues { QueryRecord.resourceFields($0) }
        let records = zip(stored.records, stored.sessions).map { record, session in
            let (sequence, record) = convert(record, session, resources[origin(record)] ?? [:])
            return (sequence: sequence, record: record)
        }
        return Chunk(records: records, trimmedThrough: stored.trimmedThrough)
    }
}
