import AstrolabeOfflineQueue
import AstrolabeTestSupport
import Testing

struct LedgerTests {
    private let bench = QueueBench()

    @Test func `the caller's counters and marks change together with their records`() throws {
        do {
            let queue = try bench.open()
            let change = QueueChange(counters: ["created": 3, "sampled": 1], marks: ["moved": [1, 2], "gone": [7]])
            try queue.enqueue(bench.batch([1, 1, 1]), change: change)
            let lease = try #require(try queue.leaseAll())
            let later = QueueChange(
                counters: ["delivered": 2, "created": 1], marks: ["moved": [3]], removedMarks: ["gone"],
            )
            try queue.acknowledge(lease.ids.prefix(2), change: later)
            try queue.recordFailure(lease.ids.suffix(1), of: lease, change: QueueChange(counters: ["refused": 1]))
            try queue.apply(QueueChange(counters: ["created": -1]))
        }
        let queue = try bench.open()
        let counters = try queue.statistics().counters
        #expect(counters["created"] == 3)
        #expect(counters["sampled"] == 1)
        #expect(counters["delivered"] == 2)
        #expect(counters["refused"] == 1)
        #expect(try queue.mark("moved") == [3])
        #expect(try queue.mark("gone") == nil)
        #expect(try queue.mark("never") == nil)
    }

    @Test func `a failed call changes nothing`() throws {
        let queue = try bench.open { $0.maximumPages = 64 }
        try queue.enqueue(bench.batch([1, 1]), change: QueueChange(counters: ["mine": 2]))
        let before = try queue.statistics()
        let large = bench.batch([UInt8](repeating: 3, count: 400), size: 1_000)
        let error = #expect(throws: QueueError.self) {
            try queue.enqueue(large, change: QueueChange(counters: ["mine": 400], marks: ["lost": [1]]))
        }
        #expect(error?.reason == .diskFull)
        #expect(try queue.statistics() == before)
        #expect(try queue.mark("lost") == nil)
        try queue.enqueue(bench.batch([1]))
        #expect(try queue.statistics().records == 3)
    }
}
