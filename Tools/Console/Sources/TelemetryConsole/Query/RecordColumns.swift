import ConsoleModel
import TelemetryQuery

/// The records of one dataset as columns, filled from the store: sealed segments in files, and the newest in memory.
///
/// It belongs to one actor, which must not call it twice at the same time.
final class RecordColumns {
    struct Limits: Sendable {
        /// The largest number of records, the newest.
        var rows = 50_000_000
        /// The largest number of sessions in memory, the newest, unless a block of them has more.
        var sessions = 200_000
        /// The same of crashes and hangs.
        var issues = 50_000
        /// The largest size of the sealed columns that are in memory because no file could be written.
        var bytes = 1 << 30
        /// The number of records that one read of the store returns.
        var chunk = 2_000
        /// The number of records of a sealed segment.
        var segmentRows = Segment.rowLimit
        /// The number of records from which a segment of records that are not sealed is not made again.
        var pieceRows = 4_096
        /// The number of new records, at most, that are left to the next query to make columns from.
        var waitingRows = 512
    }

    private struct Sealed {
        /// All records of the dataset with these sequence numbers are in the segment.
        var sequence: ClosedRange<Int64>
        var segment: Segment
        var isFile: Bool

        var bytesInMemory: Int { isFile ? 0 : segment.image.count }
    }

    /// Records that are not sealed yet.
    private struct Open {
        /// The first sequence number that may be among them.
        var start: Int64
        var builder = SegmentBuilder()
        /// Segments of the oldest of them.
        private var pieces: [Segment] = []

        init(start: Int64) {
            self.start = start
        }

        private var rowsInPieces: Int { pieces.reduce(0) { $0 + $1.rowCount } }
        /// The number of records that are in no segment yet.
        var rowsInNoPiece: Int { builder.rowCount - rowsInPieces }

        /// Returns segments of all records, the oldest first.
        ///
        /// New records become a segment of their own, together with each segment before them that has no more records
        /// and fewer than `pieceRows`. So a record is written again only a few times, and the segments are few.
        mutating func segments(pieceRows: Int) -> [Segment] {
            var first = rowsInPieces
            guard first < builder.rowCount else { return pieces }
            while let last = pieces.last, last.rowCount < pieceRows, last.rowCount <= builder.rowCount - first {
                first -= last.rowCount
                pieces.removeLast()
            }
            if let piece = builder.segment(from: first) { pieces.append(piece) }
            return pieces
        }
    }

    private let reader: RecordReader
    private let files: SegmentFiles
    private let limits: Limits
    private var sealed: [Sealed] = []
    private var newest = Open(start: 1)
    /// The last sequence number that was read.
    private(set) var last: Int64 = 0
    private var isStarted = false
    /// All records up to this sequence number were removed by retention.
    private var trimmedThrough: Int64 = 0
    /// The segments that are left out to bound memory, with their last sequence numbers.
    private var leftOutSegments: [(last: Int64, part: LeftOutRows.Part)] = []

    init(_ reader: RecordReader, files: SegmentFiles, limits: Limits) {
        self.reader = reader
        self.files = files
        self.limits = limits
    }

    var rowCount: Int { sealed.reduce(newest.builder.rowCount) { $0 + $1.segment.rowCount } }
    /// The records that the store still has and that are left out.
    var leftOut: [LeftOutRows.Part] { leftOutSegments.map { $0.part } }
    /// The share of the records up to sequence number `end` that was read, from 0 to 1.
    func progress(to end: Int64) -> Double {
        end > trimmedThrough ? min(1, max(0, Double(last - trimmedThrough) / Double(end - trimmedThrough))) : 1
    }

    /// Names of columns that queries have asked for. They are in all segments that are not sealed yet.
    var keptNames: Set<String> = []

    /// The attributes that have no columns, by service.
    var omitted: [String: OmittedKeys] {
        var omitted: [String: OmittedKeys] = [:]
        for keys in segments.flatMap(\.omitted) {
            omitted[keys.service, default: OmittedKeys(service: keys.service)].add(keys)
        }
        return omitted
    }

    var segments: [Segment] { sealed.map(\.segment) + newest.segments(pieceRows: limits.pieceRows) }

    /// Adds the records that arrived since the last call, and removes those that retention removed.
    func update(isolation: isolated any Actor) async throws {
        if !isStarted {
            try await start(isolation: isolation)
            isStarted = true
        }
        var isComplete = false
        while !isComplete {
            try Task.checkCancellation()
            let chunk = try await reader.records(after: last, through: .max, limit: limits.chunk)
            newest.builder.keptNames = keptNames
            if chunk.trimmedThrough > trimmedThrough {
                // The chunk is read again, because trimming may change `last`.
                try await trim(through: chunk.trimmedThrough, isolation: isolation)
                continue
            }
            for (sequence, record, shared) in chunk.arrivals {
                newest.builder.append(record, sharing: shared, sequence: sequence)
                last = sequence
                if newest.builder.rowCount >= limits.segmentRows {
                    sealed += await sealing(newest, through: sequence, isolation: isolation)
                    newest = Open(start: sequence + 1)
                }
            }
            leaveOutOldest()
            isComplete = chunk.arrivals.count < limits.chunk
        }
        // A query makes a segment of fewer.
        if newest.rowsInNoPiece >= limits.pieceRows { _ = newest.segments(pieceRows: limits.pieceRows) }
    }

    /// Opens the files of an earlier run, and reads the records between them.
    private func start(isolation: isolated any Actor) async throws {
        let (ranges, trimmed) = try await reader.sealedRanges()
        let segments = await files.open(ranges)
        sealed = []
        trimmedThrough = trimmed
        last = trimmed
        for range in ranges where range.sequence.lowerBound > last {
            guard let segment = segments[range] else { continue }
            if last + 1 < range.sequence.lowerBound {
                sealed += try await reading(last + 1...range.sequence.lowerBound - 1, isolation: isolation)
            }
            sealed.append(
                Sealed(sequence: range.sequence, segment: segment, isFile: true))
            last = range.sequence.upperBound
        }
        newest = Open(start: last + 1)
        leaveOutOldest()
        files.removeOthers(than: Set(sealed.lazy.filter(\.isFile).map(\.sequence.upperBound)))
    }

    /// Reads the records in a range again. The segments that are full are written to files.
    private func reading(_ range: ClosedRange<Int64>, isolation: isolated any Actor) async throws -> [Sealed] {
        var segments: [Sealed] = []
        var open = Open(start: range.lowerBound)
        var position = range.lowerBound - 1
        var isComplete = false
        while !isComplete {
            try Task.checkCancellation()
            let chunk = try await reader.records(after: position, through: range.upperBound, limit: limits.chunk)
            open.builder.keptNames = keptNames
            for (sequence, record, shared) in chunk.arrivals {
                open.builder.append(record, sharing: shared, sequence: sequence)
                position = sequence
                if open.builder.rowCount >= limits.segmentRows {
                    segments += await sealing(open, through: sequence, isolation: isolation)
                    open = Open(start: sequence + 1)
                }
            }
            isComplete = chunk.arrivals.count < limits.chunk
        }
        if let rest = open.builder.segment() {
            segments.append(Sealed(sequence: open.start...range.upperBound, segment: rest, isFile: false))
        }
        return segments
    }

    private func sealing(
        _ open: Open, through end: Int64, isolation: isolated any Actor,
    ) async -> [Sealed] {
        guard let segment = open.builder.segment() else { return [] }
        let kept = await files.keep(segment, of: open.start...end)
        return [Sealed(sequence: open.start...end, segment: kept ?? segment, isFile: kept != nil)]
    }

    /// Removes the records up to `bound`. What remains of a segment stays in memory.
    private func trim(through bound: Int64, isolation: isolated any Actor) async throws {
        let count = sealed.prefix { $0.sequence.lowerBound <= bound }.count
        var rest: [Sealed] = []
        if count > 0, sealed[count - 1].sequence.upperBound > bound {
            rest = try await cutting(sealed[count - 1], after: bound, isolation: isolation)
        }
        for gone in sealed.prefix(count) where gone.isFile { files.remove(endingAt: gone.sequence.upperBound) }
        sealed.replaceSubrange(..<count, with: rest)
        if newest.start <= bound {
            newest = Open(start: bound + 1)
            last = bound
        }
        leftOutSegments.removeAll { $0.last <= bound }
        trimmedThrough = bound
    }

    /// Returns the rows of a segment whose records are left, the last ones: rows are in the order of arrival.
    private func cutting(
        _ cut: Sealed, after bound: Int64, isolation: isolated any Actor,
    ) async throws -> [Sealed] {
        let range = bound + 1...cut.sequence.upperBound
        let first = max(0, cut.segment.rowCount - (try await reader.recordCount(in: range)))
        guard let segment = cut.segment.suffix(from: first, sequence: range) else { return [] }
        return [Sealed(sequence: range, segment: segment, isFile: false)]
    }

    private func leaveOutOldest() {
        var rows = rowCount
        var bytes = sealed.reduce(0) { $0 + $1.bytesInMemory }
        var count = 0
        while count < sealed.count, rows > limits.rows || bytes > limits.bytes {
            rows -= sealed[count].segment.rowCount
            bytes -= sealed[count].bytesInMemory
            let segment = sealed[count].segment
            let part = LeftOutRows.Part(rowCount: segment.rowCount, end: segment.maxTime)
            leftOutSegments.append((sealed[count].sequence.upperBound, part))
            count += 1
        }
        sealed.removeFirst(count)
    }
}
