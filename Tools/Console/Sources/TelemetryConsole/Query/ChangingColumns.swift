import ConsoleModel
import TelemetryQuery

/// The rows of a table whose rows change after they were written, as columns in memory: sessions and issues.
///
/// Each block of the table is one segment. A block in which a row was added, changed or removed has another stamp, and
/// is read again. It belongs to one actor, which must not call it twice at the same time.
final class ChangingColumns {
    private let reader: BlockReader
    private let rowLimit: Int
    private var known: [Int64: (block: RowBlock, segment: Segment?)] = [:]
    private(set) var segments: [Segment] = []
    /// Whether rows that the store has are left out, the oldest, to bound memory.
    private(set) var leavesOut = false

    init(_ reader: BlockReader, rowLimit: Int) {
        self.reader = reader
        self.rowLimit = rowLimit
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
        leavesOut = kept.count < blocks.count
        var current: [Int64: (block: RowBlock, segment: Segment?)] = [:]
        for block in kept.reversed() {
            try Task.checkCancellation()
            if let entry = known[block.number], entry.block == block {
                current[block.number] = entry
            } else {
                current[block.number] = (block, try await reader.segment(block))
            }
        }
        known = current
        segments = kept.reversed().compactMap { current[$0.number]?.segment }
    }
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
            try await store.problemBlocks()
        } records: { block in
            let stored = try await store.storedProblems(in: block.range)
            let resources = stored.origins.mapValues { QueryRecord.resourceFields($0) }
            return stored.problems.map { ($0.seq, QueryRecord($0, resource: resources[$0.origin] ?? [:])) }
        }
    }
}
