import AstrolabePlatform
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeJournal

/// The disk space of runs that end soon after their start, and of runs that grow.
struct ShortRunTests {
    private let directory = TemporaryDirectory()

    private func open(_ configure: (inout JournalConfiguration) -> Void = { _ in }) throws -> RecordJournal {
        var configuration = JournalConfiguration(directory: directory.path)
        configure(&configuration)
        return try RecordJournal(configuration, header: [UInt8](repeating: 1, count: 800))
    }

    /// Bytes of all files.
    private func bytes() throws -> Int {
        try directory.files.reduce(0) { sum, file in
            let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
            return sum + (size ?? 0)
        }
    }

    private func append(_ count: Int, to journal: RecordJournal, size: Int = 500) -> Int {
        var appended = 0
        for number in 0..<count {
            let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)
            if case .appended = journal.append(bytes, time: UInt64(number)) { appended += 1 }
            if journal.needsRoom { journal.makeRoom() }
        }
        return appended
    }

    @Test func `a run of ten records takes little of the disk`() throws {
        let journal = try open()
        #expect(append(10, to: journal) == 10)
        #expect(try bytes() <= 48 * 1_024)
    }

    @Test func `what a run prepared and did not use is returned when the next run recovers it`() throws {
        do {
            let journal = try open()
            #expect(append(100, to: journal) == 100)
            #expect(try bytes() > 250_000)
            journal.close()
        }
        let journal = try open()
        let own = journal.statistics().segmentBytes + 16_384
        journal.recover()
        #expect(try bytes() < 100 * 540 + own + 32_768)
        #expect(journal.drain().map(\.time) == Array(0..<100))
    }

    @Test func `a run that was recovered twice has the same counts`() throws {
        do {
            let journal = try open()
            #expect(append(20, to: journal) == 20)
            // A kill between the claim and the first store of an append.
            let region = try #require(journal.ring.region(of: 0))
            _ = region.claim(64, isLast: true)
            journal.close()
        }
        for _ in 0..<3 {
            let journal = try open { $0.onRetire = { _ in false } }
            journal.recover()
            let totals = try #require(journal.statistics().earlier.first { $0.appended > 0 })
            #expect((totals.appended, totals.torn, totals.pending) == (21, 1, 20))
            journal.close()
        }
    }

    @Test func `a burst without upkeep loses nothing if segments are prepared on demand`() throws {
        let journal = try open { $0.preparesOnDemand = true }
        for number in 0..<10_000 {
            #expect(journal.append([UInt8](repeating: 1, count: 500), time: UInt64(number)) != .refused(.notReady))
        }
        #expect(journal.drain(batch: 512).count == 10_000)
        #expect(journal.statistics().current.refused == [:])
        #expect(journal.statistics().preparedByProducers > 10)
    }

    @Test func `a burst with upkeep finds each segment prepared`() throws {
        let journal = try open { $0.preparesOnDemand = true }
        #expect(append(10_000, to: journal) == 10_000)
        #expect(journal.statistics().preparedByProducers == 0)
    }

    @Test func `upkeep prepares segments while the reader is busy`() async throws {
        let journal = try open()
        let isBusy = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let isPrepared = Locked(false)
        DispatchQueue.global().async {
            journal.reader.withLock { _ in
                isBusy.signal()
                mayEnd.wait()
            }
        }
        DispatchQueue.global().async {
            isBusy.wait()
            journal.prepareSegments(ahead: 2)
            isPrepared.withLock { $0 = true }
        }
        defer { mayEnd.signal() }
        try await eventually("segments are prepared while the reader is busy") { isPrepared.withLock { $0 } }
        mayEnd.signal()
        #expect(append(500, to: journal) == 500)
        #expect(journal.drain().count == 500)
    }

    @Test func `more segments are ready in a burst than in a slow run`() throws {
        for (milliseconds, ready) in [(1_000, 4), (1, 10)] {
            let journal = try open()
            var now: UInt64 = 1_000_000_000
            var appended = 0
            while appended < 5_000 {
                if case .appended = journal.append([UInt8](repeating: 1, count: 500), time: 1) { appended += 1 }
                if journal.needsRoom {
                    now += UInt64(milliseconds) * 1_000_000
                    journal.makeRoom(now: now)
                }
            }
            #expect(journal.statistics().readySegments == ready)
        }
    }

    @Test func `a rate is forgotten after a burst`() {
        var rate = FillRate()
        #expect(rate.segmentsAhead(of: 2, at: 1_000_000_000) == 0)
        #expect(rate.segmentsAhead(of: 3, at: 1_000_500_000) == 16)
        #expect(rate.segmentsAhead(of: 3, at: 1_050_500_000) == 10)
        #expect(rate.segmentsAhead(of: 4, at: 2_000_000_000) == 0)
    }

    @Test func `segments beyond 4 MiB are large, and are recovered and used again`() throws {
        let configure: (inout JournalConfiguration) -> Void = { settings in
            settings.burstSegmentSize = 1 << 20
            settings.maximumBytes = 32 << 20
        }
        do {
            let journal = try open(configure)
            #expect(append(40_000, to: journal) == 40_000)
            #expect(directory.segmentFiles.count < 45)
            #expect(journal.drain(batch: 512).map(\.time) == (0..<40_000).map { UInt64($0) })
            journal.maintain()
            #expect(try bytes() < 10_000_000)
            #expect(append(50_000, to: journal) == 50_000)
            #expect(journal.statistics().current.refused == [:])
            journal.close()
        }
        let journal = try open(configure)
        journal.recover()
        #expect(journal.drain(batch: 512).map(\.time) == (0..<50_000).map { UInt64($0) })
        #expect(journal.statistics().recoveredTorn == 0)
    }

    @Test func `the segments of a layout do not exceed its bytes`() {
        for (large, bytes) in [(0, 8 << 20), (1 << 20, 128 << 20), (1 << 20, 2 << 20), (16 << 20, 2_000 << 20)] {
            var configuration = JournalConfiguration(directory: "")
            configuration.burstSegmentSize = large
            configuration.maximumBytes = bytes
            let layout = configuration.layout
            let size = (0..<layout.capacity).reduce(0) { $0 + layout.size(of: $1) }
            #expect(layout.capacity <= 255)
            #expect(size <= bytes + layout.first)
            #expect(size > bytes / 10 * 9)
        }
    }

    @Test func `a record that is longer than the first segment is stored if segments are prepared on demand`() throws {
        let journal = try open { $0.preparesOnDemand = true }
        #expect(journal.append([UInt8](repeating: 1, count: 200_000), time: 1) != .refused(.notReady))
        #expect(journal.append([2], time: 2) != .refused(.notReady))
        #expect(journal.drain().map(\.bytes.count) == [200_000, 1])
    }

    @Test func `a burst takes more of the disk, and returns it when it was sent`() throws {
        let journal = try open { $0.maximumBytes = 24 << 20 }
        #expect(append(20_000, to: journal) == 20_000)
        #expect(try bytes() > 10_000_000)
        #expect(journal.isFilling)
        #expect(journal.drain(batch: 512).count == 20_000)
        journal.maintain()
        #expect(!journal.isFilling)
        #expect(try bytes() < 8_000_000)
        #expect(append(20_000, to: journal) == 20_000)
        let records = journal.drain(batch: 512)
        #expect(records.map(\.time) == Array(0..<20_000))
        let isIntact = records.allSatisfy { record in
            record.bytes == [UInt8](repeating: UInt8(truncatingIfNeeded: record.time), count: 500)
        }
        #expect(isIntact)
        #expect(journal.statistics().current.torn == 0)
    }

    @Test func `the short first segment is removed when it was sent`() throws {
        let journal = try open()
        #expect(append(1_000, to: journal) == 1_000)
        #expect(journal.drain(batch: 512).count == 1_000)
        journal.maintain()
        #expect(!directory.segmentFiles.contains { $0.hasSuffix("/segment-0") })
        #expect(append(5_000, to: journal) == 5_000)
        #expect(journal.drain(batch: 512).count == 5_000)
    }

    @Test func `the run's file grows with its definitions, up to its limit`() throws {
        var defined = 0
        do {
            let journal = try open()
            let before = try bytes()
            for number in 0..<1_000 {
                let tag = journal.register(Array("definition \(number) \(String(repeating: "x", count: 200))".utf8))
                guard tag != nil else { break }
                defined += 1
            }
            #expect(defined > 200)
            #expect(try bytes() > before + 32_768)
            journal.append([1], tag: UInt16(defined))
            journal.close()
        }
        let journal = try open()
        journal.recover()
        let lease = try #require(journal.lease(maximumRecords: 1, maximumBytes: 100))
        #expect(lease.run.header?.count == 800)
        #expect(lease.run.definition(UInt16(defined))?.starts(with: Array("definition \(defined - 1) ".utf8)) == true)
    }
}
