import ConsoleModel
import TelemetryQuery

/// The rows of a table whose rows change after they were written, as columns: sessions and issues.
///
/// Each block of the table is one segment. A block in which a row was added, changed or removed has another stamp, and
/// is read again. Blocks that are left alone are kept in files, if there is a place for them. It belongs to one actor,
/// which must not update it twice at the same time.
final class ChangingColumns {
    private let reader: BlockReader
    private let rowLimit: Int
    private let files: SegmentFiles?
    private let basis: Int64
    private var isStarted = false
    /// The blocks that are in files, or could not be written.
    private var saved: [Int64: RowBlock] = [:]
    /// The blocks at the last call of ``save(isolation:)``.
    private var atLastSave: [Int64: RowBlock] = [:]
    private var known: [Int64: (block: RowBlock, segment: Segment?)] = [:]
    private(set) var segments: [Segment] = []
    /// The blocks that are left out to bound memory, the oldest.
    private(set) var leftOut: [RowBlock] = []
    /// The share of the rows that the current update has, from 0 to 1.
    private(set) var progress = 0.0

    /// - Parameters:
    ///   - files: The files of blocks. Without it all are in memory.
    ///   - basis: Identifies what the rows depend on beside the store. Files of another one are made again.
    init(_ reader: BlockReader, rowLimit: Int, files: SegmentFiles? = nil, basis: Int64 = 0) {
        self.reader = reader
        self.rowLimit = rowLimit
        self.files = files
        self.basis = basis
    }

    var rowCount: Int { segments.reduce(0) { $0 + $1.rowCount } }

    func update(isolation: isolated any Actor) async throws {
        let blocks = try await reader.blocks()
        var kept: [RowBlock] = []
        var rows = 0
        for block in blocks.reversed() {
            rows += block.rowCount
            guard rows <= rowLimit || kept.isEmpty else { break }
            kept.append(block)
        }
        leftOut = blocks.dropLast(kept.count)
        if !isStarted {
            try await open(kept, isolation: isolation)
            isStarted = true
        }
        var current: [Int64: (block: RowBlock, segment: Segment?)] = [:]
        let total = kept.reduce(0) { $0 + $1.rowCount }
        var done = 0
        for block in kept.reversed() {
            try Task.checkCancellation()
            progress = Double(done) / Double(max(total, 1))
            done += block.rowCount
            if let entry = known[block.number], entry.block == block {
                current[block.number] = entry
            } else {
                current[block.number] = (block, try await reader.segment(block))
            }
        }
        known = current
        segments = kept.reversed().compactMap { current[$0.number]?.segment }
        for (number, block) in saved where current[number] == nil {
            saved[number] = nil
            files?.remove(endingAt: block.range.upperBound)
        }
    }

    /// Writes the blocks to files that have not changed since the last call.
    func save(isolation: isolated any Actor) async {
        guard let files else { return }
        for (number, entry) in known where saved[number] != entry.block && atLastSave[number] == entry.block {
            guard let segment = entry.segment else { continue }
            let kept = await files.keep(segment, of: entry.block.sequence, stamp: stamp(of: entry.block))
            // One that could not be written is tried again when it changes.
            saved[number] = entry.block
            if let kept, known[number]?.block == entry.block { known[number] = (entry.block, kept) }
        }
        atLastSave = known.mapValues { $0.block }
    }

    /// Opens the files of an earlier run whose blocks have not changed since, and removes the others.
    private func open(_ blocks: [RowBlock], isolation: isolated any Actor) async throws {
        guard let files else { return }
        let stamps = Dictionary(uniqueKeysWithValues: blocks.map { ($0.sequence, stamp(of: $0)) })
        let opened = await files.open(try await files.ranges().filter { stamps[$0.sequence] == $0.stamp })
        let found = Dictionary(uniqueKeysWithValues: opened.map { ($0.key.sequence, $0.value) })
        for block in blocks {
            guard let segment = found[block.sequence] else { continue }
            known[block.number] = (block, segment)
            saved[block.number] = block
        }
        files.removeOthers(than: Set(saved.values.map(\.range.upperBound)))
    }

    private func stamp(of block: RowBlock) -> Int64 {
        let hash = ([basis, Int64(block.rowCount)] + block.stamp).withUnsafeBytes { StableHash($0) }
        return Int64(bitPattern: hash.low)
    }
}

extension RowBlock {
    /// The sequence numbers of the rows, which begin at 1.
    fileprivate var sequence: ClosedRange<Int64> { max(1, range.lowerBound)...range.upperBound }
}

/// Reads blocks of a table from the store as the engine sees their rows.
struct BlockReader: Sendable {
    let blocks: @Sendable () async throws -> [RowBlock]
    let records: @Sendable (RowBlock) async throws -> [(number: Int64, record: QueryRecord)]

    func segment(_ block: RowBlock) async throws -> Segment? {
        var builder = SegmentBuilder()
        for (number, record) in try await records(block) { builder.append(record, sequence: number) }
        return builder.segment()
    }

    static func sessions(of store: any ArrivalSource) -> BlockReader {
        BlockReader {
            try await store.sessionBlocks()
        } records: { block in
            let stored = try await store.storedSessions(in: block.range)
            let resources = stored.origins.mapValues { QueryRecord.resourceFields($0) }
            return stored.sessions.map { ($0.id, QueryRecord($0, resource: resources[$0.origin] ?? [:])) }
        }
    }

    static func issues(of store: any ArrivalSource) -> BlockReader {
        BlockReader {
            try await store.issueEventBlocks()
        } records: { block in
            let stored = try await store.storedIssueEvents(in: block.range)
            let resources = stored.origins.mapValues { QueryRecord.resourceFields($0) }
            return stored.issueEvents.map { ($0.seq, QueryRecord($0, resource: resources[$0.origin] ?? [:])) }
        }
    }
}
