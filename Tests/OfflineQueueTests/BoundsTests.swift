import AstrolabePlatform
import AstrolabeTestSupport
import Testing

@testable import AstrolabeOfflineQueue

struct BoundsTests {
    private let bench = QueueBench()

    @Test func `over the record limit, the lowest priority and its oldest records go first`() throws {
        let queue = try bench.open { $0.maximumRecords = 5 }
        #expect(try queue.enqueue(bench.batch([2, 0, 1, 0, 3])).dropped.isEmpty)
        let receipt = try queue.enqueue(bench.batch([1, 3, 0], kind: 2, later: 10))
        #expect(receipt == QueueReceipt(enqueued: 3, dropped: [.evicted: 3]))
        let lease = try #require(try queue.leaseAll())
        #expect(lease.records.map(\.priority) == [3, 3, 2, 1, 1])
        #expect(lease.records.map(\.kind) == [1, 2, 1, 1, 2])
        #expect(try queue.statistics().isBalanced)
    }

    @Test func `a batch larger than the queue keeps its most urgent records`() throws {
        let queue = try bench.open { $0.maximumRecords = 3 }
        try queue.enqueue(bench.batch([1, 1, 1, 0, 1, 2]))
        #expect(try queue.leaseAll()?.marks == [5, 2, 4])
        #expect(try queue.statistics().dropped == [.evicted: 3])
    }

    @Test func `over the byte limit, as many go as necessary`() throws {
        let queue = try bench.open { $0.maximumBytes = 1_000 }
        try queue.enqueue(bench.batch([1, 1, 1, 1, 1, 1, 1, 1, 1, 1], size: 100))
        #expect(try queue.statistics().bytes == 1_000)
        try queue.enqueue(bench.batch([1], kind: 2, size: 250, later: 60))
        let statistics = try queue.statistics()
        #expect((statistics.records, statistics.bytes) == (8, 950))
        #expect(statistics.byKind == [1: 7, 2: 1])
        #expect(statistics.isBalanced)
    }

    @Test func `leased records are not evicted`() throws {
        let queue = try bench.open { $0.maximumRecords = 3 }
        try queue.enqueue(bench.batch([0, 0, 0]))
        let lease = try #require(try queue.lease(maximumRecords: 2, maximumBytes: 100))
        try queue.enqueue(bench.batch([1, 1], kind: 2))
        #expect(try queue.statistics().records == 3)
        #expect(try queue.acknowledge(lease.ids) == 2)
        #expect(try queue.leaseAll()?.records.map(\.kind) == [2])
        #expect(try queue.statistics().dropped == [.evicted: 2])
    }

    @Test func `a record that is too long is dropped with its reason, and the others are not`() throws {
        let queue = try bench.open { $0.maximumRecordBytes = 10 }
        var batch = bench.batch([1, 1])
        batch.append([UInt8](repeating: 0, count: 11), kind: 1, priority: 3, time: bench.now, header: [])
        #expect(try queue.enqueue(batch) == QueueReceipt(enqueued: 3, dropped: [.oversized: 1]))
        #expect(try queue.statistics().records == 2)
        #expect(try queue.statistics().isBalanced)
    }

    private func pass(_ nanoseconds: UInt64) {
        bench.wall.withLock { $0 += nanoseconds }
        bench.steady.withLock { $0 += nanoseconds }
    }

    @Test func `expired records are dropped at any priority, but not while they are leased`() throws {
        let queue = try bench.open()
        try queue.enqueue(bench.batch([0, 1, 2, 3]))
        let week: UInt64 = 7 * 86_400 * QueueBench.second
        pass(week)
        #expect(try queue.leaseAll()?.marks == [3, 2, 1, 0])
        pass(QueueBench.second)
        try queue.maintain()
        #expect(try queue.statistics().records == 4, "they are out on a lease")
        pass(600 * QueueBench.second)
        #expect(try queue.leaseAll() == nil)
        #expect(try queue.statistics().dropped == [.expired: 4])
        #expect(try queue.statistics().isBalanced)
    }

    @Test(arguments: [0, UInt64.max]) func `the time of a record makes it neither old nor young`(time: UInt64) throws {
        let queue = try bench.open()
        var batch = QueueBatch()
        batch.append([1], kind: 1, priority: 3, time: time, header: [])
        #expect(try queue.enqueue(batch) == QueueReceipt(enqueued: 1, dropped: [:]))
        pass(7 * 86_400 * QueueBench.second + 1)
        try queue.maintain()
        #expect(try queue.statistics().dropped == [.expired: 1])
    }

    @Test func `the statistics match the contents`() throws {
        let queue = try bench.open()
        try queue.enqueue(bench.batch([0, 1, 1], kind: 1, size: 10))
        try queue.enqueue(bench.batch([3], kind: 2, size: 7))
        let statistics = try queue.statistics()
        #expect((statistics.records, statistics.bytes, statistics.leased) == (4, 37, 0))
        #expect(statistics.byKind == [1: 3, 2: 1])
        #expect(statistics.byPriority == [0: 1, 1: 2, 3: 1])
        #expect(statistics.oldest == bench.now)
        #expect(statistics.enqueued == 4)
    }

    @Test func `disk space is returned when the queue has emptied`() throws {
        let queue = try bench.open()
        for _ in 0..<20 { try queue.enqueue(bench.batch([UInt8](repeating: 1, count: 100), size: 1_000)) }
        func pages() throws -> Int { try queue.pageCount() }
        while let lease = try queue.lease(maximumRecords: 500, maximumBytes: .max) { try queue.acknowledge(lease.ids) }
        let before = try pages()
        #expect(before > 500)
        for _ in 0..<4 { try queue.maintain() }
        #expect(try pages() < before / 4)
    }
}
