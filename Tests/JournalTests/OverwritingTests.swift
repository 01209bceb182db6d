import AstrolabePlatform
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeJournal

/// A journal that overwrites its oldest segment, as the flight recorder is.
struct OverwritingTests {
    private static let overwritten = JournalOutcome(caller: 3)

    private func configuration(_ directory: TemporaryDirectory, segments: Int = 4) -> JournalConfiguration {
        var configuration = smallConfiguration(directory, segments: segments)
        configuration.firstSegmentSize = 4_096
        configuration.segmentsAhead = 1
        configuration.preparesOnDemand = true
        configuration.overwrittenOutcome = Self.overwritten
        return configuration
    }

    private func ring(_ directory: TemporaryDirectory) throws -> RecordJournal {
        try RecordJournal(configuration(directory), header: [1])
    }

    private func bytes(_ number: Int) -> [UInt8] { (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) } }

    @Test func `a full ring overwrites its oldest segment, refuses nothing and counts each record once`() throws {
        let directory = TemporaryDirectory()
        let ring = try ring(directory)
        for number in 0..<1_000 {
            guard case .appended = ring.append(bytes(number), time: UInt64(number)) else {
                Issue.record("record \(number) was refused")
                return
            }
        }
        let totals = ring.statistics().current
        #expect(totals.appended == 1_000)
        #expect(totals.refused.isEmpty)
        #expect(totals.torn == 0)
        let kept = ring.drain()
        #expect(totals.completed == [Self.overwritten: 1_000 - kept.count])
        // At least two of the four segments, and the newest records without a gap.
        #expect((32...68) ~= kept.count)
        #expect(kept.map(\.time) == (1_000 - UInt64(kept.count)..<1_000).map { $0 })
        #expect(kept.allSatisfy { $0.bytes == bytes(Int($0.time)) })
        #expect(directory.segmentFiles.count == 4)
    }

    @Test func `a ring without records takes no more of the disk, and leaves the next run nothing`() throws {
        let directory = TemporaryDirectory()
        let unused = try ring(directory)
        unused.maintain()
        #expect(directory.segmentFiles.count == 1)
        unused.close()
        #expect(try !ring(directory).hasEarlierRuns)
    }

    @Test func `a ring looks for earlier runs when it is asked, and counts none of its own records`() throws {
        let directory = TemporaryDirectory()
        let first = try ring(directory)
        let second = try ring(directory)
        first.append(bytes(1), time: 1)
        // Nothing was there when it began.
        #expect(second.hasEarlierRuns)
        #expect(!first.hasEarlierRuns)
    }

    @Test func `the next run reads what a ring has left, and the counts of both parts balance`() throws {
        let directory = TemporaryDirectory()
        do {
            let ring = try ring(directory)
            for number in 0..<300 { ring.append(bytes(number), time: UInt64(number)) }
            ring.close()
        }
        let retired = Locked<JournalTotals?>(nil)
        var settings = configuration(directory)
        settings.onRetire = { totals in
            retired.withLock { $0 = totals }
            return true
        }
        let next = try RecordJournal(settings, header: [2])
        next.recover()
        let earlier = try #require(next.runs.first)
        #expect(earlier.header == [1])
        let lease = try #require(next.lease(of: earlier.id, kind: 1) { $0.time >= 290 })
        #expect(lease.records.map(\.time) == Array(290..<300))
        next.acknowledge(lease, as: .acknowledged)
        next.abandonEarlierRuns(as: Self.overwritten)
        next.maintain()
        let totals = try #require(retired.withLock { $0 })
        #expect(totals.appended == 300)
        #expect(totals.completed == [.acknowledged: 10, Self.overwritten: 290])
        #expect(directory.runFiles.count == 1)
    }

    @Test func `of previous rings the oldest run goes first, and counts as overwritten`() throws {
        let directory = TemporaryDirectory()
        for run in 0..<3 {
            let ring = try ring(directory)
            for number in 0..<10 { ring.append(bytes(number), time: UInt64(10 * run + number)) }
            ring.close()
        }
        var settings = configuration(directory)
        settings.maximumRecoveredRecords = 15
        let next = try RecordJournal(settings, header: [2])
        next.recover()
        #expect(next.evictExcess() == 15)
        let kept = next.runs.flatMap { next.lease(of: $0.id, kind: 1) { _ in true }?.records.map(\.time) ?? [] }
        #expect(kept == Array(15..<30))
        let outcomes = next.statistics().earlier.map(\.completed)
        #expect(outcomes.reduce(0) { $0 + ($1[Self.overwritten] ?? 0) } == 15)
        #expect(next.evictExcess() == 0)
    }

    @Test func `a segment whose records are leased is not overwritten`() throws {
        let directory = TemporaryDirectory()
        let ring = try ring(directory)
        for number in 0..<5 { ring.append(bytes(number), time: UInt64(number)) }
        let lease = try #require(ring.lease(of: ring.run.id, kind: 1) { $0.time < 5 })
        for number in 5..<500 { ring.append(bytes(number), time: UInt64(number)) }
        #expect(lease.records.map { Array($0.bytes) } == (0..<5).map(bytes))
        ring.acknowledge(lease)
        let totals = ring.statistics().current
        #expect(totals.completed[.acknowledged] == 5)
        #expect(totals.appended == 500)
        #expect(totals.pending + totals.completedCount == 500)
    }

    @Test func `a record that is being written holds its segment alone, and costs nothing but itself`() throws {
        let directory = TemporaryDirectory()
        let ring = try ring(directory)
        ring.append(bytes(0), time: 0)
        let region = try #require(ring.ring.region(of: ring.ring.currentLink?.slot ?? 0))
        // A thread that was stopped between its claim and its first store.
        guard case .made = region.claim(RecordFrame.size(length: 200), isLast: false) else {
            Issue.record("no room")
            return
        }
        for number in 1..<500 {
            guard case .appended = ring.append(bytes(number), time: UInt64(number)) else {
                Issue.record("record \(number) was refused")
                return
            }
        }
        ring.close()
        let next = try RecordJournal(configuration(directory), header: [2])
        next.recover()
        let totals = try #require(next.statistics().earlier.first)
        #expect(totals.appended == 501)
        #expect(totals.torn == 1)
        #expect(totals.pending + totals.completedCount + totals.torn == 501)
    }

    @Test func `damaged bytes cost the damaged records alone`() throws {
        let directory = TemporaryDirectory()
        var written: Set<[UInt8]> = []
        do {
            let ring = try ring(directory)
            for number in 0..<300 {
                ring.append(bytes(number), time: UInt64(number))
                written.insert(bytes(number))
            }
            ring.close()
        }
        let random = IDGenerator(firstSeed: 7, secondSeed: 11)
        var whole = 0
        for round in 0..<Thoroughness.count(40, thorough: 1_000) {
            let copy = TemporaryDirectory()
            let source = URL(fileURLWithPath: directory.path)
            for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
                try FileManager.default.copyItem(
                    at: source.appendingPathComponent(name),
                    to: URL(fileURLWithPath: copy.path).appendingPathComponent(name))
            }
            let damages = round % 4
            for _ in 0..<damages {
                let file = copy.segmentFiles[Int(random.next64() % UInt64(copy.segmentFiles.count))]
                var data = try Data(contentsOf: URL(fileURLWithPath: file))
                data[Int(random.next64() % UInt64(data.count))] ^= UInt8(1 << (random.next64() % 8))
                try data.write(to: URL(fileURLWithPath: file))
            }
            let next = try RecordJournal(configuration(copy), header: [2])
            next.recover()
            let totals = try #require(next.statistics().earlier.first, "round \(round)")
            let drained = next.drain()
            if damages == 0 { whole = drained.count }
            #expect(written.isSuperset(of: drained.map(\.bytes)), "round \(round)")
            #expect(drained.count >= whole - damages, "round \(round)")
            #expect(totals.pending == drained.count, "round \(round)")
        }
    }

    #if os(macOS) || os(Linux)
    @Test func `after a kill the next run finds whole records, and each is counted once`() throws {
        for round in 0..<Thoroughness.count(3, thorough: 200) {
            let directory = TemporaryDirectory()
            let threads = round % 4 + 1
            let promises = 1 + round * 397 % 3_000
            let messages = try KilledProcess.messages(
                of: ["ring", directory.path, String(threads)], killAfter: promises)
            var appended: [UInt64: UInt64] = [:]
            for message in messages { appended[message.second] = message.first }
            let next = try RecordJournal(configuration(directory), header: [])
            next.recover()
            let totals = try #require(next.statistics().earlier.first, "kill \(round)")
            #expect(totals.appended >= appended.count, "kill \(round)")
            #expect(totals.torn <= threads, "kill \(round): \(totals)")
            let found = next.drain()
            #expect(totals.pending == found.count, "kill \(round)")
            #expect(Set(found.map(\.sequence)).count == found.count, "kill \(round)")
            for record in found {
                #expect(record.bytes.elementsEqual(payload(record.time)), "kill \(round)")
                #expect(appended[record.sequence] ?? record.time == record.time, "kill \(round)")
            }
            // Nothing of the last records is missing: a ring holds at least half of its segments.
            let last = Set(appended.keys.sorted().suffix(50))
            #expect(last.subtracting(found.map(\.sequence)).count <= threads, "kill \(round)")
        }
    }
    #endif
}
