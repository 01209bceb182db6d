#if os(macOS) || os(Linux)
import AstrolabeOfflineQueue
import AstrolabeTestSupport
import Testing

/// A process that enqueues, leases, acknowledges and records failures is killed after some of its promises.
struct QueueKillTests {
    /// The time of the process's first record, from which its records are numbered.
    private static let epoch = UInt64(Int64.max) - 1_000_000_000

    @Test func `the queue is consistent after each kill: nothing is lost or duplicated, and all counts match`() throws {
        let bench = QueueBench()
        var removing: Set<UInt64> = []
        var removed: Set<UInt64> = []
        for round in 0..<KilledProcess.count {
            let promises = 1 + round * 97 % 300
            let what: Comment = "kill \(round) after \(promises) promises"
            let messages = try KilledProcess.messages(
                of: ["queue", bench.path, String(round)], killAfter: promises,
            )
            removing.formUnion(messages.filter { $0.kind == .removing }.map(\.first))
            removed.formUnion(messages.filter { $0.kind == .removed }.map(\.first))
            let last = messages.filter { $0.kind == .enqueued }.map(\.first).max()

            let queue = try bench.open { $0.maximumRecords = 500 }
            let statistics = try queue.statistics()
            let batches = statistics.counters["batches"] ?? 0
            #expect(batches >= (last.map { Int($0) + 1 } ?? 0), what)
            #expect(statistics.enqueued == batches * 10, what)
            #expect(statistics.isBalanced, what)
            #expect(statistics.leased == 0, what)
            #expect(statistics.acknowledged >= removed.count, what)
            #expect(statistics.acknowledged <= removing.count, what)

            guard let lease = try queue.leaseAll() else { continue }
            let numbers = lease.records.map { $0.time - Self.epoch }
            #expect(lease.records.count == statistics.records, what)
            #expect(Set(numbers).count == numbers.count, what)
            #expect(removed.isDisjoint(with: numbers), what)
            for (record, number) in zip(lease.records, numbers) {
                #expect(record.payload == payload(number), what)
                #expect(record.priority == UInt8(number % 4), what)
            }
            try queue.release(lease)
        }
    }

    @Test func `a living process keeps its leases, and a killed one does not`() throws {
        let bench = QueueBench()
        let process = try KilledProcess(["hold", bench.path])
        let message = try #require(process.receive())
        #expect((message.kind, message.first) == (.enqueued, 0))
        let queue = try bench.open()
        #expect(try queue.statistics().leased == 4)
        let lease = try #require(try queue.leaseAll())
        #expect(lease.records.count == 6)
        process.kill()
        #expect(try queue.leaseAll() == nil, "nobody has looked yet who is alive")
        #expect(try bench.open().leaseAll()?.records.count == 4)
    }
}
#endif
