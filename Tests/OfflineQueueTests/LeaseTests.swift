import AstrolabePlatform
import AstrolabeTestSupport
import Testing

@testable import AstrolabeOfflineQueue

struct QueueLeaseTests {
    private let bench = QueueBench()

    @Test func `records are leased by descending priority, then by time`() throws {
        let queue = try bench.open()
        var batch = bench.batch([1, 0, 3, 1, 2, 3, 0, 7], kind: 4)
        batch.append([99], kind: 5, priority: 1, time: bench.now - 5, header: [])
        try queue.enqueue(batch)
        let lease = try #require(try queue.leaseAll())
        #expect(lease.marks == [2, 5, 7, 4, 99, 0, 3, 1, 6])
        try #require(lease.records.map(\.priority) == [3, 3, 3, 2, 1, 1, 1, 0, 0])
        #expect(lease.records.map(\.kind) == [4, 4, 4, 4, 5, 4, 4, 4, 4])
        #expect(lease.records[4].time == bench.now - 5)
        #expect(lease.records[4].payload == [99])
        #expect(lease.headers[lease.records[0].header] == [9])
        #expect(lease.headers[lease.records[4].header] == [])
        #expect(lease.records.allSatisfy { $0.failedAttempts == 0 })
    }

    @Test func `records with equal times are leased in the order of their insertion`() throws {
        let queue = try bench.open()
        var batch = QueueBatch()
        for number in 0..<40 as Range<UInt8> {
            batch.append([number], kind: 1, priority: 1, time: bench.now, header: [])
        }
        try queue.enqueue(batch)
        #expect(try queue.leaseAll()?.marks == Array(0..<40))
    }

    @Test func `an empty payload, an empty header and the longest of both survive`() throws {
        let queue = try bench.open()
        var batch = QueueBatch()
        let long = (0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        batch.append([], kind: 0, priority: 0, time: bench.now, header: [])
        batch.append(long, kind: 255, priority: 0, time: .max, header: long)
        #expect(try queue.enqueue(batch) == QueueReceipt(enqueued: 2))
        let lease = try #require(try queue.leaseAll())
        #expect(lease.records.map(\.payload) == [[], long])
        #expect(lease.records.map(\.time) == [bench.now, UInt64(Int64.max)])
        #expect(lease.records.map { lease.headers[$0.header] } == [[], long])
    }

    @Test func `a lease respects its limits but holds at least one record`() throws {
        let queue = try bench.open()
        try queue.enqueue(bench.batch([1, 1, 1, 1, 1, 1], size: 100))
        #expect(try queue.lease(maximumRecords: 2, maximumBytes: 1_000)?.marks == [0, 1])
        #expect(try queue.lease(maximumRecords: 10, maximumBytes: 250)?.marks == [2, 3])
        #expect(try queue.lease(maximumRecords: 10, maximumBytes: 5)?.marks == [4])
        #expect(try queue.lease(maximumRecords: 0, maximumBytes: 500)?.marks == [5])
        #expect(try queue.leaseAll() == nil)
    }

    @Test func `a lease may be limited to kinds and a minimum priority`() throws {
        let queue = try bench.open()
        try queue.enqueue(bench.batch([0, 1, 2, 3], kind: 1))
        try queue.enqueue(bench.batch([0, 1, 2, 3], kind: 2))
        let lease = try queue.lease(maximumRecords: 10, maximumBytes: 1_000, kinds: [2], minimumPriority: 2)
        #expect(lease?.records.map(\.priority) == [3, 2])
        #expect(lease?.records.map(\.kind) == [2, 2])
        #expect(try queue.lease(maximumRecords: 10, maximumBytes: 1_000, kinds: [7]) == nil)
        #expect(try queue.lease(maximumRecords: 10, maximumBytes: 1_000, kinds: []) == nil)
        let rest = try queue.lease(maximumRecords: 10, maximumBytes: 1_000, kinds: [1, 2, 7])
        #expect(
            rest?.records.map { [$0.priority, $0.kind] } == [[3, 1], [2, 1], [1, 1], [1, 2], [0, 1], [0, 2]])
    }

    @Test func `no two leases share a record, in one process`() async throws {
        let queues = [try bench.open(), try bench.open()]
        try queues[0].enqueue(bench.batch([UInt8](repeating: 1, count: 200)))
        let taken = try await withThrowingTaskGroup(of: [Int64].self) { group in
            for task in 0..<4 {
                group.addTask {
                    var ids: [Int64] = []
                    while let lease = try queues[task % 2].lease(maximumRecords: 7, maximumBytes: 1_000) {
                        ids += lease.ids
                    }
                    return ids
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(taken.count == 200)
        #expect(Set(taken).count == 200)
        #expect(try queues[1].statistics().leased == 200)
    }

    @Test func `acknowledged records are removed and counted once`() throws {
        let queue = try bench.open()
        try queue.enqueue(bench.batch([1, 1, 1]))
        let lease = try #require(try queue.leaseAll())
        #expect(try queue.acknowledge(lease.ids.prefix(2)) == 2)
        #expect(try queue.acknowledge(lease.ids) == 1)
        #expect(try queue.acknowledge(lease.ids) == 0)
        let statistics = try queue.statistics()
        #expect((statistics.records, statistics.acknowledged, statistics.leased, statistics.bytes) == (0, 3, 0, 0))
        #expect(statistics.isBalanced)
    }

    @Test func `released records return without a failed attempt`() throws {
        let queue = try bench.open()
        try queue.enqueue(bench.batch([1]))
        for _ in 0..<20 {
            let lease = try #require(try queue.leaseAll())
            #expect(lease.records[0].failedAttempts == 0)
            try queue.release(lease)
        }
    }

    @Test func `a failure is counted, and the sixth drops`() throws {
        let queue = try bench.open()
        try queue.enqueue(bench.batch([1, 1]))
        for failures in 0..<6 {
            let lease = try #require(try queue.leaseAll())
            #expect(lease.records.map(\.failedAttempts) == [failures, failures])
            let receipt = try queue.recordFailure(lease.ids, of: lease)
            #expect(receipt.dropped == (failures == 5 ? [.retriesExhausted: 2] : [:]))
        }
        #expect(try queue.leaseAll() == nil)
        #expect(try queue.statistics().dropped == [.retriesExhausted: 2])
        #expect(try queue.statistics().isBalanced)
    }

    @Test func `no number of failures drops a record of the highest priority`() throws {
        let queue = try bench.open()
        try queue.enqueue(bench.batch([3]))
        for _ in 0..<20 {
            let lease = try #require(try queue.leaseAll())
            #expect(try queue.recordFailure(lease.ids, of: lease).dropped == [:])
        }
        #expect(try queue.statistics().records == 1)
    }

    @Test func `records with and without failures are leased apart`() throws {
        let queue = try bench.open()
        try queue.enqueue(bench.batch([1, 1]))
        let first = try #require(try queue.lease(maximumRecords: 1, maximumBytes: .max))
        try queue.recordFailure(first.ids, of: first)
        let fresh = try #require(try queue.lease(maximumRecords: 9, maximumBytes: .max, hasFailed: false))
        let failed = try #require(try queue.lease(maximumRecords: 9, maximumBytes: .max, hasFailed: true))
        #expect(failed.ids == first.ids)
        #expect(fresh.records.map(\.failedAttempts) == [0])
        #expect(try queue.leaseAll() == nil)
    }

    @Test func `a record keeps the failed attempts that it was enqueued with`() throws {
        let queue = try bench.open()
        var batch = QueueBatch()
        for failures in [0, 5] {
            let payload = [UInt8(failures)]
            payload.withUnsafeBytes {
                batch.append($0, kind: 1, priority: 1, time: bench.now, header: [], failedAttempts: failures)
            }
        }
        try queue.enqueue(batch)
        let lease = try #require(try queue.leaseAll())
        #expect(lease.records.map(\.failedAttempts) == [0, 5])
        #expect(try queue.recordFailure(lease.ids, of: lease).dropped == [.retriesExhausted: 1])
        #expect(try queue.leaseAll()?.marks == [0])
    }

    @Test func `a lease expires, and its holder can no longer affect the records`() throws {
        let queue = try bench.open { $0.leaseDuration = 60 * QueueBench.second }
        try queue.enqueue(bench.batch([1]))
        let late = try #require(try queue.leaseAll())
        bench.steady.withLock { $0 += 59 * QueueBench.second }
        #expect(try queue.leaseAll() == nil)
        bench.steady.withLock { $0 += QueueBench.second }
        let current = try #require(try queue.leaseAll())
        #expect(current.ids == late.ids)
        // Released and failed by the previous holder: the current lease is not affected.
        try queue.release(late)
        #expect(try queue.leaseAll() == nil)
        try queue.recordFailure(late.ids, of: late)
        #expect(try queue.statistics().leased == 1)
        // Acknowledged by the previous holder: the records are delivered.
        #expect(try queue.acknowledge(late.ids) == 1)
        #expect(try queue.acknowledge(current.ids) == 0)
        #expect(try queue.statistics().acknowledged == 1)
    }

    @Test func `setting the wall clock ends no lease`() throws {
        let queue = try bench.open()
        try queue.enqueue(bench.batch([1]))
        let lease = try #require(try queue.leaseAll())
        bench.wall.withLock { $0 += 30 * 86_400 * QueueBench.second }
        #expect(try queue.leaseAll() == nil)
        #expect(try queue.acknowledge(lease.ids) == 1)
    }

    @Test func `a closed queue releases its leases immediately`() throws {
        let other = try bench.open()
        do {
            let queue = try bench.open()
            try queue.enqueue(bench.batch([1, 1]))
            #expect(try queue.lease(maximumRecords: 1, maximumBytes: 100) != nil)
            queue.close()
            #expect(throws: QueueError.self) { try queue.statistics() }
        }
        do {
            let queue = try bench.open()
            #expect(try queue.lease(maximumRecords: 1, maximumBytes: 100) != nil)
        }
        #expect(try other.leaseAll()?.records.count == 2)
        #expect(bench.directory.files.filter { $0.contains("-owner-") }.count == 1)
    }

    @Test func `opening the queue ends leases of dead processes, but not of living ones`()
        throws
    {
        let living = try bench.open()
        try living.enqueue(bench.batch([3, 1]))
        let held = try #require(try living.lease(maximumRecords: 1, maximumBytes: 100))
        #expect(held.marks == [0])
        #expect(try bench.open().leaseAll()?.marks == [1])
        // The copy has no living owner.
        let queue = try bench.crashed().open()
        #expect(try queue.leaseAll()?.marks == [0, 1])
    }

    @Test func `records share a header's row, which is removed with the last of them`() throws {
        let queue = try bench.open()
        let header = [UInt8](repeating: 7, count: 100_000)
        for _ in 0..<30 { try queue.enqueue(bench.batch([1, 1], header: header)) }
        let statistics = try queue.statistics()
        #expect((statistics.records, statistics.bytes) == (60, 600))
        let lease = try #require(try queue.leaseAll())
        #expect(lease.headers.count == 1)
        try queue.acknowledge(lease.ids)
        try queue.enqueue(bench.batch([1], header: [1]))
        #expect(try queue.leaseAll()?.headers.values.map { $0 } == [[1]])
    }
}
