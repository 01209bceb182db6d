import AstrolabeOfflineQueue
import AstrolabeTestSupport
import Foundation
import Testing

/// Damaged files: nothing traps or hangs, no false record is returned, and everything is counted.
struct QueueCorruptionTests {
    private struct Found: Hashable {
        var kind: UInt8
        var priority: UInt8
        var time: UInt64
        var header: [UInt8]
        var payload: [UInt8]
    }

    /// The file of a queue with 40 records of which 4 were removed, and its contents.
    private struct Left {
        let bytes: Data
        let records: Set<Found>

        init() throws {
            let bench = QueueBench()
            do {
                let queue = try bench.open()
                for round in 0..<4 as Range<UInt8> {
                    let header = [UInt8](repeating: round, count: 50)
                    let batch = bench.batch([1, 0, 3, 1, 2, 1, 0, 1, 3, 1], kind: round, header: header, size: 300)
                    try queue.enqueue(batch, change: QueueChange(counters: ["mine": 10], marks: ["mark": [round]]))
                }
                let lease = try #require(try queue.lease(maximumRecords: 4, maximumBytes: .max))
                try queue.acknowledge(lease.ids)
            }
            bytes = try Data(contentsOf: URL(fileURLWithPath: bench.path))
            records = Set(try Self.drain(try bench.open()))
            #expect(records.count == 36)
        }

        static func drain(_ queue: RecordQueue) throws -> [Found] {
            var found: [Found] = []
            while let lease = try queue.lease(maximumRecords: 7, maximumBytes: .max) {
                found += try lease.records.map { record in
                    let header = try #require(lease.headers[record.header])
                    return Found(
                        kind: record.kind, priority: record.priority, time: record.time, header: header,
                        payload: record.payload,
                    )
                }
                try queue.acknowledge(lease.ids)
            }
            return found
        }
    }

    /// Opens a queue with these bytes and checks what must hold whatever has happened to them.
    private func check(_ bytes: Data, _ left: Left, _ what: Comment) throws {
        let bench = QueueBench()
        try FileManager.default.createDirectory(atPath: bench.directory.path, withIntermediateDirectories: true)
        try bytes.write(to: URL(fileURLWithPath: bench.path))
        let queue = try bench.open()
        let found = try Left.drain(queue)
        #expect(left.records.isSuperset(of: found), "a record came out that was never put in: \(what)")
        #expect(Set(found).count == found.count, "a record came out twice: \(what)")
        let statistics = try queue.statistics()
        #expect(statistics.records == 0 && statistics.bytes == 0, what)
        #expect(statistics.isBalanced, what)
        #expect(statistics.enqueued == 40 || statistics.unknownLosses > 0, what)
        try queue.enqueue(bench.batch([1]))
        #expect(try queue.leaseAll()?.records.count == 1, what)
    }

    @Test func `whichever byte has changed, returned records are unchanged and the counts match`() throws {
        let left = try Left()
        let header = stride(from: 0, to: 100, by: Thoroughness.count(5, thorough: 2))
        let rest = stride(from: 100, to: left.bytes.count, by: Thoroughness.count(5_501, thorough: 3))
        for offset in Array(header) + Array(rest) {
            var bytes = left.bytes
            bytes[offset] ^= [0xFF, 0x01, 0x10, 0x80][offset % 4]
            do { try check(bytes, left, "offset \(offset)") } catch { Issue.record("offset \(offset): \(error)") }
        }
    }

    @Test func `a truncated file is replaced and counted`() throws {
        let left = try Left()
        for length in stride(from: 1, to: left.bytes.count, by: Thoroughness.count(9_001, thorough: 3_001)) {
            try check(left.bytes.prefix(length), left, "cut at \(length)")
        }
    }
}
