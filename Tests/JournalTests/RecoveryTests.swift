import AstrolabePlatform
import AstrolabeTestSupport
import Dispatch
import Foundation
import Testing

@testable import AstrolabeJournal

struct RecoveryTests {
    private let directory = TemporaryDirectory()

    private func open(_ configure: (inout JournalConfiguration) -> Void = { _ in }) throws -> RecordJournal {
        var configuration = smallConfiguration(directory)
        configure(&configuration)
        let journal = try RecordJournal(configuration, header: Array("resource".utf8))
        journal.maintain()
        return journal
    }

    @Test func `the next run receives pending records with header and definitions`() throws {
        var first: RunID?
        do {
            let journal = try open()
            first = journal.run.id
            let tag = try #require(journal.register(Array("scope".utf8)))
            for number in 0..<30 as Range<UInt64> { journal.append(payload(number), tag: tag, time: number) }
        }
        let journal = try open()
        #expect(journal.statistics().recoveredRecords == 30)
        let lease = try #require(journal.lease(maximumRecords: 100, maximumBytes: .max))
        #expect(lease.run.id == first)
        #expect(lease.run.isRecovered)
        #expect(lease.run.header == Array("resource".utf8))
        #expect(lease.run.definition(1) == Array("scope".utf8))
        #expect(lease.records.map(\.time) == Array(0..<30))
        let intact = lease.records.allSatisfy { Array($0.bytes) == payload($0.time) }
        #expect(intact)
    }

    @Test func `acknowledged records do not return`() throws {
        do {
            let journal = try open()
            for number in 0..<30 as Range<UInt64> { journal.append([1], time: number) }
            let lease = try #require(journal.lease(maximumRecords: 10, maximumBytes: 100))
            journal.acknowledge(lease)
            let held = journal.lease(maximumRecords: 5, maximumBytes: 100)
            withExtendedLifetime(held) {}
        }
        do {
            let journal = try open()
            let lease = try #require(journal.lease(maximumRecords: 10, maximumBytes: 100))
            #expect(lease.records.map(\.time) == Array(10..<20))
            journal.acknowledge(lease)
        }
        let journal = try open()
        #expect(journal.drain().map(\.time) == Array(20..<30))
    }

    @Test func `recovered records are leased by priority, then the older run first`() throws {
        do {
            let journal = try open()
            journal.append([], priority: 1, time: 1)
            journal.append([], priority: 3, time: 2)
        }
        let journal = try open()
        journal.append([], priority: 2, time: 3)
        journal.append([], priority: 1, time: 4)
        #expect(journal.drain(batch: 1).map(\.time) == [2, 3, 1, 4])
    }

    @Test func `filling an urgent lease does not overtake older records of its kind`() throws {
        do {
            let first = try open()
            first.append([1], kind: 1, priority: 1)
            first.append([2], kind: 2, priority: 0)
        }
        let second = try open()
        second.append([3], kind: 1, priority: 3)
        second.append([4], kind: 1, priority: 2)
        second.append([5], kind: 1, priority: 1)
        second.append([6], kind: 2, priority: 3)
        second.append([7], kind: 2, priority: 1)
        second.maintain()
        let leases: [[UInt8]] = [[3, 4], [6, 7], [1], [5], [2]]
        for expected in leases {
            let lease = try #require(second.lease(maximumRecords: 10, maximumBytes: 1_000))
            #expect(lease.copies.flatMap(\.bytes) == expected)
            second.acknowledge(lease)
        }
        #expect(second.lease(maximumRecords: 10, maximumBytes: 1_000) == nil)
    }

    @Test func `a run without pending records reports its counts and is removed`() throws {
        let told = Locked<[JournalTotals]>([])
        let moved = try #require(JournalOutcome(rawValue: 4))
        var id: RunID?
        do {
            let journal = try open()
            id = journal.run.id
            // More than the segments hold together, so that recycled segments are counted too.
            for _ in 0..<20 {
                for _ in 0..<6 { journal.append([UInt8](repeating: 0, count: 1_000)) }
                #expect(journal.drain(as: moved).count == 6)
                journal.maintain()
            }
            for _ in 0..<7 { journal.append([1]) }
            journal.append([UInt8](repeating: 0, count: 5_000))
        }
        do {
            let journal = try open {
                $0.onRetire = { totals in
                    told.withLock { $0.append(totals) }
                    return true
                }
            }
            #expect(journal.statistics().earlier.map(\.pending) == [7])
            #expect(journal.drain().count == 7)
            #expect(told.withLock { $0 }.isEmpty)
            journal.maintain()
            #expect(journal.statistics().earlier.isEmpty)
        }
        let totals = try #require(told.withLock { $0 }.first)
        #expect(told.withLock(\.count) == 1)
        #expect(totals.run == id)
        #expect((totals.appended, totals.torn, totals.pending) == (127, 0, 0))
        #expect(totals.completed == [moved: 120, .acknowledged: 7])
        #expect(totals.refused == [.oversized: 1])
        #expect(directory.runFiles.count == 1)
    }

    @Test(arguments: 0..<4)
    func `a kill while a segment is recycled counts its records once`(step: Int) throws {
        let journal = try open()
        for number in 0..<12 { journal.append([UInt8](repeating: 0, count: 900), time: UInt64(number)) }
        let lease = try #require(journal.lease(maximumRecords: 10, maximumBytes: .max))
        journal.acknowledge(lease)
        let done = journal.reader.withLock { $0.current.done(before: journal.ring.currentLink) }
        #expect(done.count == 2)
        let segment = try #require(done.first)
        if step > 0 { journal.file.retire(segment.counts, slot: segment.slot, number: segment.number) }
        if step > 1 { SegmentHeader.invalidate(segment.region) }
        if step > 2 { segment.region.clear() }
        let copy = try directory.copy()
        let next = try RecordJournal(smallConfiguration(copy), header: [])
        next.recover()
        let totals = try #require(next.statistics().earlier.first)
        #expect((totals.appended, totals.completedCount, totals.torn, totals.pending) == (12, 10, 0, 2))
        #expect(next.drain().map(\.time) == [10, 11])
    }

    @Test func `counts that were not accepted are reported again`() throws {
        do { _ = try open() }
        let told = Locked(0)
        do {
            let journal = try open {
                $0.onRetire = { _ in
                    told.withLock { $0 += 1 }
                    return false
                }
            }
            journal.maintain()
            #expect(told.withLock { $0 } == 2)
        }
        #expect(directory.runFiles.count == 2)
        do {
            _ = try open {
                $0.onRetire = { _ in
                    told.withLock { $0 += 1 }
                    return true
                }
            }
        }
        #expect(told.withLock { $0 } == 4, "both runs that have ended are told and removed")
        #expect(directory.runFiles.count == 1)
    }

    @Test func `a concurrent call waits for the recovery in progress`() throws {
        do {
            let journal = try open()
            for number in 0..<500 as Range<UInt64> {
                while case .refused = journal.append([1], time: number) { journal.maintain() }
            }
        }
        let journal = try RecordJournal(smallConfiguration(directory), header: [])
        let found = Locked<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            journal.recover()
            found.withLock { $0.append(journal.statistics().recoveredRecords) }
        }
        #expect(found.withLock { $0 } == Array(repeating: 500, count: 8))
    }

    @Test func `records that another store has taken over are completed by their sequence numbers`() throws {
        var sequences: [UInt64] = []
        var run: RunID?
        do {
            let journal = try open()
            run = journal.run.id
            for number in 0..<9 as Range<UInt64> {
                if case .appended(let sequence) = journal.append([1], time: number) { sequences.append(sequence) }
            }
        }
        let journal = try open()
        let id = try #require(run)
        #expect(journal.acknowledge(run: id, sequences: sequences.prefix(4)) == 4)
        #expect(journal.acknowledge(run: id, sequences: sequences.prefix(4)) == 0)
        #expect(journal.drain().map(\.time) == Array(4..<9))
    }

    @Test func `two journals in one directory do not touch each other's runs`() throws {
        let first = try open()
        first.append([1])
        let second = try open()
        second.append([2])
        #expect(second.statistics().runsInUse == 1)
        #expect(second.drain().map(\.bytes) == [[2]])
        #expect(first.drain().map(\.bytes) == [[1]])
        first.append([3])
        first.close()
        #expect(first.drain().isEmpty, "it belongs to the next journal now")
        let third = try open()
        #expect(third.drain().map(\.bytes) == [[3]])
        #expect(third.statistics().runsInUse == 1)
    }

    /// Runs of four records each, of priorities 3, 1, 1, 0 and 1,000 bytes.
    private func leave(runs: Int) throws {
        for run in 0..<runs {
            let journal = try open()
            for (number, priority) in [3, 1, 1, 0].enumerated() {
                let time = UInt64(run * 10 + number)
                journal.append([UInt8](repeating: 0, count: 1_000), priority: UInt8(priority), time: time)
            }
        }
    }

    @Test func `nothing of previous runs is evicted before it is known that it cannot be delivered`() throws {
        try leave(runs: 3)
        let journal = try open {
            $0.maximumRecoveredBytes = 1_000
            $0.maximumRecoveredRecords = 1
        }
        #expect(journal.drain().count == 12)
    }

    @Test func `previous runs are bounded by the bytes of their records, and the least urgent and oldest go first`()
        throws
    {
        try leave(runs: 3)
        let journal = try open { $0.maximumRecoveredBytes = 6_000 }
        journal.evictExcess()
        #expect(Set(journal.drain().map(\.time)) == [0, 10, 20, 12, 21, 22])
        #expect(journal.statistics().earlier.reduce(0) { $0 + ($1.completed[.evicted] ?? 0) } == 6)
        journal.maintain()
        #expect(directory.runFiles.count == 1)
    }

    @Test func `previous runs are bounded by the number of their records`() throws {
        try leave(runs: 3)
        let journal = try open { $0.maximumRecoveredRecords = 2 }
        journal.evictExcess()
        #expect(Set(journal.drain().map(\.time)) == [10, 20], "of the most urgent, the newest")
    }

    @Test func `more runs than may be open at a time are recovered one after another`() throws {
        try leave(runs: 10)
        let journal = try open { $0.maximumOpenRuns = 3 }
        var times: Set<UInt64> = []
        var rounds = 0
        while journal.hasMoreRuns || journal.statistics().pendingRecords > 0 {
            rounds += 1
            #expect(journal.statistics().earlier.count <= 3)
            times.formUnion(journal.drain().map(\.time))
            journal.maintain()
            journal.recover()
        }
        #expect(times.count == 40)
        #expect(rounds >= 4)
        #expect(directory.runFiles.count == 1)
    }

    @Test func `a run of a newer format is left unchanged`() throws {
        do {
            let journal = try open()
            journal.append([1])
        }
        let path = try #require(directory.runFiles.first)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[8] = 2
        let checksum = bytes.withUnsafeBytes { checksumOfHeader($0) }
        withUnsafeBytes(of: checksum) { bytes.replaceSubrange(44..<48, with: $0) }
        try bytes.write(to: URL(fileURLWithPath: path))
        let journal = try open()
        let statistics = journal.statistics()
        #expect((statistics.newerRuns, statistics.recoveredRecords) == (1, 0))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    @Test func `leftovers of runs being created or removed are deleted`() throws {
        let manager = FileManager.default
        let id = RunID(high: 1, low: 2).description
        for name in [".done-\(id)", ".new-\(id)"] {
            try manager.createDirectory(atPath: directory.path + "/" + name, withIntermediateDirectories: true)
            _ = manager.createFile(atPath: directory.path + "/" + name + "/run", contents: Data([1]))
        }
        try manager.createDirectory(atPath: directory.path + "/something else", withIntermediateDirectories: true)
        let old = Date(timeIntervalSinceNow: -2 * 86_400)
        try manager.setAttributes([.modificationDate: old], ofItemAtPath: directory.path + "/.new-\(id)")
        let journal = try open()
        #expect(
            try Set(manager.contentsOfDirectory(atPath: directory.path)) == [
                journal.run.id.description, "something else",
            ])
    }

    @Test(arguments: [0, 600, -600, 8 * 86_400, -8 * 86_400, 40 * 31_536_000, -40 * 31_536_000])
    func `a run that is being created stays, however far the clock was set`(step: Int) throws {
        let id = RunID(high: 1, low: 2).description
        let folder = directory.path + "/.new-\(id)"
        try PrivateFiles.makeDirectory(folder)
        let now = try #require(PrivateFiles.modified(folder))
        do {
            let file = try PrivateFile(folder + "/run")
            #expect(file.tryLock())
            RunDirectory.removeLeftovers(in: directory.path, now: now + step)
            #expect(PrivateFiles.isDirectory(folder))
        }
        // Its process was killed.
        RunDirectory.removeLeftovers(in: directory.path, now: now + step)
        #expect(PrivateFiles.isDirectory(folder) == (abs(step) <= 86_400))
    }
}
