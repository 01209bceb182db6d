import AstrolabeTestSupport
import Testing

@testable import AstrolabeJournal

struct LeaseTests {
    private let directory = TemporaryDirectory()

    private func journal() throws -> RecordJournal {
        let journal = try RecordJournal(smallConfiguration(directory), header: [])
        journal.maintain()
        return journal
    }

    @Test func `the most urgent come first, then the oldest`() throws {
        let journal = try journal()
        for (number, priority) in [1, 0, 3, 1, 2, 3, 0, 1].enumerated() {
            journal.append([], priority: UInt8(priority), time: UInt64(number))
        }
        #expect(journal.drain(batch: 3).map(\.time) == [2, 5, 4, 0, 3, 7, 1, 6])
    }

    @Test func `a lease holds one kind, that of the most urgent and oldest record`() throws {
        let journal = try journal()
        journal.append([], kind: 1, priority: 1, time: 0)
        journal.append([], kind: 2, priority: 3, time: 1)
        journal.append([], kind: 1, priority: 3, time: 2)
        journal.append([], kind: 2, priority: 0, time: 3)
        let first = try #require(journal.lease(maximumRecords: 10, maximumBytes: 1_000))
        #expect(first.kind == 2)
        #expect(first.records.map(\.time) == [1, 3])
        let second = try #require(journal.lease(maximumRecords: 10, maximumBytes: 1_000))
        #expect(second.kind == 1)
        #expect(second.records.map(\.time) == [2, 0])
        #expect(journal.lease(maximumRecords: 10, maximumBytes: 1_000) == nil)
    }

    @Test func `a lease respects its limits but holds at least one record`() throws {
        let journal = try journal()
        for _ in 0..<5 { journal.append([UInt8](repeating: 0, count: 100)) }
        #expect(journal.lease(maximumRecords: 2, maximumBytes: 1_000)?.records.count == 2)
        let lease = journal.lease(maximumRecords: 10, maximumBytes: 250)
        #expect(lease?.records.count == 2)
        #expect(lease?.byteCount == 200)
        #expect(journal.lease(maximumRecords: 10, maximumBytes: 10)?.records.count == 1)
        #expect(journal.lease(maximumRecords: 0, maximumBytes: 1_000)?.records.count == 1)
    }

    @Test func `records below the minimum priority stay`() throws {
        let journal = try journal()
        journal.append([], priority: 1, time: 1)
        journal.append([], priority: 2, time: 2)
        let lease = try #require(journal.lease(maximumRecords: 10, maximumBytes: 100, minimumPriority: 2))
        #expect(lease.records.map(\.time) == [2])
        #expect(journal.lease(maximumRecords: 10, maximumBytes: 100, minimumPriority: 2) == nil)
        #expect(journal.statistics().pendingRecords == 2)
    }

    @Test func `two leases never hold the same record`() throws {
        let journal = try journal()
        for number in 0..<20 as Range<UInt64> { journal.append([], time: number) }
        let first = try #require(journal.lease(maximumRecords: 7, maximumBytes: 100))
        let second = try #require(journal.lease(maximumRecords: 20, maximumBytes: 100))
        #expect(first.records.map(\.time) == Array(0..<7))
        #expect(second.records.map(\.time) == Array(7..<20))
        #expect(journal.statistics().leasedRecords == 20)
    }

    @Test func `released records return in their old order`() throws {
        let journal = try journal()
        for number in 0..<6 as Range<UInt64> { journal.append([], priority: UInt8(number % 2), time: number) }
        let first = try #require(journal.lease(maximumRecords: 4, maximumBytes: 100))
        let second = try #require(journal.lease(maximumRecords: 4, maximumBytes: 100))
        journal.release(second)
        journal.release(first)
        #expect(journal.drain().map(\.time) == [1, 3, 5, 0, 2, 4])
    }

    @Test func `an abandoned lease releases its records with its last reference`() throws {
        let journal = try journal()
        journal.append([1])
        do {
            let lease = try #require(journal.lease(maximumRecords: 1, maximumBytes: 100))
            #expect(journal.lease(maximumRecords: 1, maximumBytes: 100) == nil)
            withExtendedLifetime(lease) {}
        }
        #expect(journal.drain().count == 1)
    }

    @Test func `ending a lease twice does nothing the second time`() throws {
        let journal = try journal()
        journal.append([1])
        let lease = try #require(journal.lease(maximumRecords: 1, maximumBytes: 100))
        journal.acknowledge(lease)
        journal.release(lease)
        journal.acknowledge(lease)
        #expect(journal.drain().isEmpty)
        #expect(journal.statistics().current.completed == [.acknowledged: 1])
        #expect(journal.statistics().leasedRecords == 0)
    }

    @Test func `outcomes are counted separately`() throws {
        let journal = try journal()
        let moved = try #require(JournalOutcome(rawValue: 1))
        for _ in 0..<5 { journal.append([1]) }
        let lease = try #require(journal.lease(maximumRecords: 3, maximumBytes: 100))
        journal.acknowledge(lease, as: moved)
        _ = journal.drain()
        #expect(journal.statistics().current.completed == [moved: 3, .acknowledged: 2])
        #expect(JournalOutcome(rawValue: 16) == nil)
    }

    @Test func `the last records of a lease may have another outcome`() throws {
        let journal = try journal()
        let rejected = JournalOutcome(caller: 2)
        for number in 0..<5 as Range<UInt64> { journal.append([1], priority: UInt8(number % 2), time: number) }
        let lease = try #require(journal.lease(maximumRecords: 5, maximumBytes: 100))
        #expect(lease.records.map(\.time) == [1, 3, 0, 2, 4])
        journal.acknowledge(lease, as: .acknowledged, exceptLast: 2, as: rejected)
        #expect(journal.statistics().current.completed == [.acknowledged: 3, rejected: 2])
        #expect(JournalOutcome(caller: 200) == JournalOutcome(rawValue: 14), "15 is the journal's own")
    }

    @Test func `a definition keeps its tag, and different definitions have different tags`() throws {
        let journal = try journal()
        #expect(journal.register([1]) == 1)
        #expect(journal.register([2]) == 2)
        #expect(journal.register([1]) == 1)
        #expect(journal.run.definition(2) == [2])
        #expect(journal.run.definition(3) == nil)
        #expect(journal.register([UInt8](repeating: 0, count: 10_000)) == nil)
        #expect(journal.statistics().refusedDefinitions == 1)
    }

    @Test func `leased bytes do not change while the journal is in use`() throws {
        let journal = try journal()
        journal.append([UInt8](repeating: 42, count: 1_000))
        let lease = try #require(journal.lease(maximumRecords: 1, maximumBytes: 2_000))
        for _ in 0..<20 {
            journal.append([UInt8](repeating: 1, count: 1_000))
            let other = journal.lease(maximumRecords: 1, maximumBytes: 2_000)
            other.map { journal.acknowledge($0) }
            journal.maintain()
        }
        let intact = lease.records.allSatisfy { $0.bytes.allSatisfy { $0 == 42 } }
        #expect(intact)
    }
}
