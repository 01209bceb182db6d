import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeJournal

struct AppendTests {
    private let directory = TemporaryDirectory()

    @Test func `an appended record is returned unchanged`() throws {
        let journal = try RecordJournal(smallConfiguration(directory), header: [])
        let first = journal.append([1, 2, 3], kind: 9, priority: 2, tag: 77, time: 123_456_789_012)
        let records = journal.drain()
        #expect(records.count == 1)
        let record = try #require(records.first)
        #expect(record.bytes == [1, 2, 3])
        #expect((record.kind, record.priority, record.tag, record.time) == (9, 2, 77, 123_456_789_012))
        #expect(first == .appended(sequence: record.sequence))
        #expect(record.run == journal.run.id)
    }

    @Test func `a record may be empty or fill a segment, but not exceed it`() throws {
        let journal = try RecordJournal(smallConfiguration(directory), header: [])
        journal.maintain()
        let longest = 4_096 - SegmentHeader.size - RecordFrame.headerSize
        #expect(journal.append([UInt8](repeating: 7, count: longest)) != .refused(.oversized))
        #expect(journal.append([]) != .refused(.oversized))
        #expect(journal.append([UInt8](repeating: 7, count: longest + 1)) == .refused(.oversized))
        #expect(journal.drain().map(\.bytes.count) == [longest, 0])
        #expect(journal.statistics().current.refused == [.oversized: 1])
    }

    @Test func `records fill segment after segment in order`() throws {
        let journal = try RecordJournal(smallConfiguration(directory), header: [])
        journal.maintain()
        var appended: [UInt64] = []
        for number in 0..<200 as Range<UInt64> {
            guard case .appended(let sequence) = journal.append([UInt8(number)], time: number) else { break }
            appended.append(sequence)
        }
        #expect(appended.count == 200)
        #expect(appended == appended.sorted())
        let records = journal.drain()
        #expect(records.map(\.sequence) == appended)
        #expect(records.map(\.time) == Array(0..<200))
    }

    @Test func `a record that ends with its segment is complete`() throws {
        let journal = try RecordJournal(smallConfiguration(directory, segments: 2), header: [])
        journal.maintain()
        // 4,096 - 128 = 3,968 = 31 records of 128.
        let bytes = [UInt8](repeating: 3, count: 96)
        for _ in 0..<10 {
            for _ in 0..<31 { #expect(journal.append(bytes) != .refused(.notReady)) }
            #expect(journal.drain().count == 31)
            journal.maintain()
        }
        let totals = journal.statistics().current
        #expect((totals.appended, totals.completedCount, totals.torn) == (310, 310, 0))
    }

    @Test func `a full journal refuses, counts, and accepts again after acknowledgement and upkeep`() throws {
        let journal = try RecordJournal(smallConfiguration(directory, segments: 3), header: [])
        journal.maintain()
        let bytes = [UInt8](repeating: 1, count: 1_000)
        var taken = 0
        while case .appended = journal.append(bytes) { taken += 1 }
        #expect(taken == 9)
        #expect(journal.append(bytes) == .refused(.notReady), "maintenance has not yet found that there is no room")
        journal.maintain()
        #expect(journal.append(bytes) == .refused(.full))
        #expect(journal.drain().count == 9)
        journal.maintain()
        #expect(journal.append(bytes) != .refused(.full))
        let totals = journal.statistics().current
        #expect(totals.refused == [.notReady: 2, .full: 1])
        #expect((totals.appended, totals.completedCount, totals.pending) == (10, 9, 1))
    }

    @Test func `the last segment is reserved for urgent records until there is room again`() throws {
        var configuration = smallConfiguration(directory, segments: 3)
        configuration.reservePriority = 2
        let journal = try RecordJournal(configuration, header: [])
        journal.maintain()
        let bytes = [UInt8](repeating: 1, count: 1_000)
        var taken = 0
        while case .appended = journal.append(bytes) { taken += 1 }
        #expect(taken == 6)
        #expect(journal.isFilling)
        while case .appended = journal.append(bytes, priority: 2) { taken += 1 }
        #expect(taken == 9)
        journal.maintain()
        #expect(journal.append(bytes, priority: 3) == .refused(.full))
        #expect(journal.drain().count == 9)
        journal.maintain()
        #expect(!journal.isFilling)
        #expect(journal.append(bytes) != .refused(.full))
    }

    @Test func `segments are recycled and the counts continue`() throws {
        let journal = try RecordJournal(smallConfiguration(directory, segments: 3), header: [])
        for round in 0..<50 {
            journal.maintain()
            for number in 0..<5 { journal.append([UInt8](repeating: UInt8(number), count: 700), time: UInt64(round)) }
            #expect(journal.drain().count == 5)
        }
        let statistics = journal.statistics()
        #expect(statistics.current.appended == 250)
        #expect(statistics.current.completed == [.acknowledged: 250])
        #expect(statistics.pendingBytes == 0)
        #expect(directory.segmentFiles.count <= 3)
    }

    @Test func `many threads lose nothing, and each thread's records stay in order`() async throws {
        var configuration = smallConfiguration(directory, segments: 64)
        configuration.segmentSize = 16_384
        configuration.maximumBytes = 64 * 16_384
        let journal = try RecordJournal(configuration, header: [])
        journal.maintain()
        let threads = 4
        let each = Thoroughness.count(500, thorough: 1_500)
        let records = try await withThrowingTaskGroup(of: [DrainedRecord].self) { group in
            for thread in 0..<threads {
                group.addTask {
                    for number in 0..<each {
                        let bytes = Array(payload(UInt64(thread * each + number)).prefix(300))
                        try await journal.appendWhenReady(bytes, tag: UInt16(thread), time: UInt64(number))
                    }
                    return []
                }
            }
            group.addTask {
                var records: [DrainedRecord] = []
                try await eventually("all records are drained") {
                    // Many times without a pause, so that threads append meanwhile.
                    for _ in 0..<100 {
                        records += journal.drain()
                        journal.maintain()
                    }
                    return records.count >= threads * each
                }
                return records
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(records.count == threads * each)
        #expect(Set(records.map(\.sequence)).count == threads * each)
        for thread in 0..<threads {
            let own = records.filter { $0.tag == thread }.sorted { $0.sequence < $1.sequence }
            #expect(own.map(\.time) == (0..<UInt64(each)).map { $0 })
            let intact = own.allSatisfy { $0.bytes == Array(payload(UInt64(thread * each) + $0.time).prefix(300)) }
            #expect(intact)
        }
        let totals = journal.statistics().current
        #expect((totals.appended, totals.torn, totals.pending) == (threads * each, 0, 0))
    }

    @Test func `counts never decrease while threads append, drain, maintain and read them`() async throws {
        let journal = try RecordJournal(smallConfiguration(directory, segments: 16), header: [])
        journal.maintain()
        let records = 4_000
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<records / 2 { try await journal.appendWhenReady([1, 2, 3]) }
                }
            }
            group.addTask {
                var drained = 0
                try await eventually("all records are drained") {
                    for _ in 0..<100 {
                        drained += journal.drain().count
                        journal.maintain()
                    }
                    return drained >= records
                }
            }
            group.addTask {
                var before = journal.statistics().current
                for _ in 0..<2_000 {
                    let now = journal.statistics().current
                    let isConsistent = now.torn == 0 && now.pending >= 0
                    let isLater = now.appended >= before.appended && now.completedCount >= before.completedCount
                    if !isConsistent || !isLater { Issue.record("\(now) after \(before)") }
                    before = now
                    await Task.yield()
                }
            }
            try await group.waitForAll()
        }
        let totals = journal.statistics().current
        #expect((totals.appended, totals.completedCount, totals.pending) == (records, records, 0))
    }

    @Test func `a closed journal refuses`() throws {
        let journal = try RecordJournal(smallConfiguration(directory), header: [])
        journal.close()
        #expect(journal.append([1]) == .refused(.closed))
        journal.maintain()
        #expect(journal.append([1]) == .refused(.closed))
        #expect(journal.statistics().current.refused == [.closed: 2])
    }

    @Test func `directories and files are private to the owner`() throws {
        let journal = try RecordJournal(smallConfiguration(directory), header: [])
        journal.maintain()
        let manager = FileManager.default
        func mode(_ path: String) throws -> Int {
            try #require(manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        }
        #expect(try mode(directory.path) == 0o700)
        for name in try manager.contentsOfDirectory(atPath: directory.path) {
            #expect(try mode(directory.path + "/" + name) == 0o700)
        }
        #expect(directory.files.count == 9)
        for file in directory.files { #expect(try mode(file) == 0o600) }
        withExtendedLifetime(journal) {}
    }
}
