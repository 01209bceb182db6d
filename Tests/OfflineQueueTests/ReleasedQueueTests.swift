import AstrolabePlatform
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeOfflineQueue

/// Files of each version of the queue's schema, as SQL in `Tests/Fixtures`.
struct ReleasedQueueTests {
    private struct Found: Hashable {
        var id: Int64
        var kind: UInt8
        var priority: UInt8
        var failedAttempts: Int
        var header: [UInt8]?
        var payload: [UInt8]
    }

    @Test(arguments: 1...QueueSchema.version)
    func `the queue of each version keeps its records, counts and marks`(version: Int64) throws {
        let bench = QueueBench()
        try PrivateFiles.makeDirectory(bench.directory.path)
        let sql = try String(contentsOf: Repository.file("Tests/Fixtures/queue-\(version).sql"), encoding: .utf8)
        try SQLiteDatabase(path: bench.path, busyTimeout: 1_000).execute(sql)

        let queue = try bench.open()
        let statistics = try queue.statistics()
        #expect((statistics.records, statistics.bytes, statistics.leased) == (4, 7, 0))
        #expect((statistics.enqueued, statistics.acknowledged, statistics.unknownLosses) == (5, 1, 0))
        #expect(statistics.counters["mine"] == 12)
        #expect(statistics.isBalanced)
        #expect(try queue.mark("mark") == [42])

        var found: Set<Found> = []
        while let lease = try queue.leaseAll() {
            for record in lease.records {
                found.insert(
                    Found(
                        id: record.id, kind: record.kind, priority: record.priority,
                        failedAttempts: record.failedAttempts, header: lease.headers[record.header],
                        payload: record.payload,
                    ))
            }
            try queue.acknowledge(lease.ids)
        }
        let (first, second): ([UInt8], [UInt8]) = ([1, 2, 3], [4, 5])
        let expected: Set = [
            Found(id: 1_000_001, kind: 1, priority: 1, failedAttempts: 0, header: first, payload: [10]),
            Found(id: 1_000_002, kind: 2, priority: 0, failedAttempts: 0, header: second, payload: [11, 11]),
            Found(id: 1_000_003, kind: 3, priority: 2, failedAttempts: 1, header: first, payload: [12, 12, 12]),
            Found(id: 1_000_004, kind: 1, priority: 3, failedAttempts: 0, header: second, payload: [13]),
        ]
        #expect(found == expected)

        try queue.enqueue(bench.batch([1, 1]))
        #expect(try queue.leaseAll()?.records.map(\.id) == [1_000_006, 1_000_007])
    }
}
