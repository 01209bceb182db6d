import AstrolabePlatform
import AstrolabeTestSupport
import Atomics
import Foundation
import Testing

@testable import AstrolabeJournal

/// Damaged files: nothing traps or hangs, no false record is returned, and everything is counted.
struct CorruptionTests {
    /// A finished run of 24 records in two segments.
    private struct Left {
        static let count = 24
        let directory = TemporaryDirectory()
        var records: Set<DrainedRecord> = []

        init() throws {
            let journal = try RecordJournal(
                smallConfiguration(directory, segments: 2), header: Array("resource".utf8),
            )
            journal.maintain()
            #expect(journal.register(Array("scope".utf8)) == 1)
            for number in 0..<UInt64(Self.count) {
                let bytes = (0..<60 + number * 11).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) }
                journal.append(bytes, kind: 1, priority: UInt8(number % 4), tag: 1, time: number)
            }
            let lease = try #require(journal.lease(maximumRecords: 100, maximumBytes: .max))
            records = Set(lease.copies)
            #expect(records.count == Self.count)
        }
    }

    /// Opens the directory and checks what must hold whatever has happened to its files.
    ///
    /// - Returns: The number of recovered records.
    @discardableResult
    private func check(_ directory: TemporaryDirectory, _ left: Left, _ what: String) throws -> Int {
        let journal = try RecordJournal(smallConfiguration(directory, segments: 2), header: [])
        journal.maintain()
        let statistics = journal.statistics()
        let drained = journal.drain()
        #expect(left.records.isSuperset(of: drained), "a record came out that was never put in: \(what)")
        #expect(Set(drained).count == drained.count, "a record came out twice: \(what)")
        #expect(statistics.recoveredRecords == drained.count, "\(what)")
        for totals in statistics.earlier { #expect(totals.pending == drained.count, "\(what)") }
        return drained.count
    }

    private func write(_ bytes: Data, to path: String) throws {
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    /// Scans a changed segment as recovery does, and checks the result.
    private func scan(_ bytes: Data, of run: RunID, _ left: Left) throws -> RegionScan {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        defer { memory.deallocate() }
        memory.copyBytes(from: bytes)
        let base = try #require(memory.baseAddress)
        let region = Region(base: base, start: SegmentHeader.size, end: bytes.count, salt: run.salt)
        let scan = RegionScan(region)
        for record in scan.records {
            let found = DrainedRecord(
                run: run, kind: record.labels.kind, priority: record.labels.priority, tag: record.labels.tag,
                sequence: region.sequence(at: record.offset), time: region.time(at: record.offset),
                bytes: Array(region.payload(at: record.offset, length: record.length)),
            )
            #expect(left.records.contains(found), "a record came out that was never put in")
        }
        return scan
    }

    @Test(arguments: Thoroughness.isThorough ? [UInt8(0xFF), 0x01, 0x08, 0x80] : [UInt8(0xFF), 0x01])
    func `a changed byte anywhere in a segment costs at most one record, which is counted`(flip: UInt8) throws {
        let left = try Left()
        let run = try #require(left.records.first?.run)
        for file in left.directory.segmentFiles {
            let original = try Data(contentsOf: URL(fileURLWithPath: file))
            let whole = try scan(original, of: run, left)
            #expect(whole.records.count >= 5)
            #expect(whole.counts.torn == 0)
            let last = try #require(whole.records.last)
            let end = last.offset + RecordFrame.size(length: last.length)
            for offset in original.indices {
                var bytes = original
                bytes[offset] ^= flip
                let changed = try scan(bytes, of: run, left)
                let missing = whole.records.count - changed.records.count
                #expect(missing == 0 || missing == 1, "offset \(offset)")
                // A byte after the last record belongs to no record, but looks like the rest of one.
                let isBehind = offset >= end
                #expect(changed.counts.torn == (isBehind ? changed.counts.torn : missing), "offset \(offset)")
                #expect(changed.counts.torn <= 1, "offset \(offset)")
                #expect(
                    changed.counts.claims == changed.records.count + changed.counts.torn + changed.counts.completedCount
                )
            }
        }
    }

    @Test func `a journal opens whichever byte of a segment has changed`() throws {
        let left = try Left()
        for file in left.directory.segmentFiles {
            let original = try Data(contentsOf: URL(fileURLWithPath: file))
            // The fields of the header, followed by a sample of the rest.
            let header = stride(from: 0, to: 88, by: Thoroughness.count(3, thorough: 1))
            let rest = stride(from: 88, to: 4_096, by: Thoroughness.count(599, thorough: 199))
            for offset in Array(header) + Array(rest) {
                let directory = try left.directory.copy()
                var bytes = original
                bytes[offset] ^= 0xFF
                try write(bytes, to: directory.path + file.dropFirst(left.directory.path.count))
                #expect(try check(directory, left, "offset \(offset)") >= Left.count - 1, "offset \(offset)")
            }
        }
    }

    @Test func `a changed byte anywhere in the run's file costs no record`() throws {
        let left = try Left()
        let file = try #require(left.directory.runFiles.first)
        let original = try Data(contentsOf: URL(fileURLWithPath: file))
        for offset in stride(from: 0, to: 700, by: Thoroughness.count(23, thorough: 7)) {
            let directory = try left.directory.copy()
            var bytes = original
            bytes[offset] ^= 0xFF
            try write(bytes, to: directory.path + file.dropFirst(left.directory.path.count))
            #expect(try check(directory, left, "offset \(offset)") == Left.count, "offset \(offset)")
        }
    }

    @Test func `a truncated segment returns its remaining records`() throws {
        let left = try Left()
        for file in left.directory.segmentFiles {
            let original = try Data(contentsOf: URL(fileURLWithPath: file))
            var previous = 0
            for length in stride(from: 0, through: original.count, by: Thoroughness.count(149, thorough: 37)) {
                let directory = try left.directory.copy()
                try write(original.prefix(length), to: directory.path + file.dropFirst(left.directory.path.count))
                let count = try check(directory, left, "cut at \(length)")
                #expect(count >= previous)
                previous = count
            }
        }
    }

    @Test func `a truncated run file costs no record`() throws {
        let left = try Left()
        let file = try #require(left.directory.runFiles.first)
        let original = try Data(contentsOf: URL(fileURLWithPath: file))
        for length in stride(from: 0, to: 1_024, by: Thoroughness.count(149, thorough: 37)) {
            let directory = try left.directory.copy()
            try write(original.prefix(length), to: directory.path + file.dropFirst(left.directory.path.count))
            #expect(try check(directory, left, "cut at \(length)") == Left.count)
        }
    }

    @Test func `noise instead of a segment returns nothing and does not hang`() throws {
        let left = try Left()
        let noise = IDGenerator(firstSeed: 1, secondSeed: 2)
        for round in 0..<10 {
            let directory = try left.directory.copy()
            for file in directory.segmentFiles {
                try write(Data((0..<4_096).map { _ in UInt8(truncatingIfNeeded: noise.next64()) }), to: file)
            }
            #expect(try check(directory, left, "noise \(round)") == 0)
        }
    }

    @Test(arguments: [true, false])
    func `a segment that is missing or empty is counted as of the last upkeep`(isRemoved: Bool) throws {
        let directory = TemporaryDirectory()
        do {
            let journal = try RecordJournal(smallConfiguration(directory), header: [])
            journal.maintain()
            for number in 0..<24 as Range<UInt64> { journal.append([UInt8](repeating: 1, count: 400), time: number) }
            journal.maintain()
            journal.append([2])
        }
        let file = try #require(directory.segmentFiles.first)
        if isRemoved { try FileManager.default.removeItem(atPath: file) } else { try write(Data(), to: file) }
        for _ in 0..<2 {
            let journal = try RecordJournal(smallConfiguration(directory), header: [])
            journal.recover()
            let totals = try #require(journal.statistics().earlier.first { $0.appended > 0 })
            #expect(totals.appended == 24 || totals.appended == 25)
            #expect(totals.torn > 0 && totals.torn + totals.pending == totals.appended)
            journal.close()
        }
    }

    @Test(arguments: [UInt8(0xFF), 0x01, 0xA5, 0x80, 0x20])
    func `a run's file of equal bytes where its counts were makes no number that cannot be`(byte: UInt8) throws {
        let left = try Left()
        let file = try #require(left.directory.runFiles.first)
        let original = try Data(contentsOf: URL(fileURLWithPath: file))
        for range in [80..<88, 128..<168, 128..<192, 168..<176, 80..<576] {
            let directory = try left.directory.copy()
            var bytes = original
            bytes.replaceSubrange(range, with: Data(repeating: byte, count: range.count))
            try write(bytes, to: directory.path + file.dropFirst(left.directory.path.count))
            try checkCounts(directory, "\(range)")
        }
    }

    @Test func `a run's file of noise makes no number that cannot be`() throws {
        let left = try Left()
        let file = try #require(left.directory.runFiles.first)
        let noise = IDGenerator(firstSeed: 3, secondSeed: 4)
        for round in 0..<20 {
            let directory = try left.directory.copy()
            let bytes = Data((0..<4_096).map { _ in UInt8(truncatingIfNeeded: noise.next64()) })
            try write(bytes, to: directory.path + file.dropFirst(left.directory.path.count))
            try checkCounts(directory, "noise \(round)")
        }
    }

    private func checkCounts(_ directory: TemporaryDirectory, _ what: String) throws {
        let journal = try RecordJournal(smallConfiguration(directory, segments: 2), header: [])
        journal.recover()
        for totals in journal.statistics().earlier {
            #expect(totals.appended <= Left.count, "\(what)")
            #expect(totals.refused == [:], "\(what)")
        }
    }

    @Test func `a damaged count of refusals is replaced by what their sum has more`() throws {
        let directory = TemporaryDirectory()
        do {
            let journal = try RecordJournal(smallConfiguration(directory), header: [])
            for _ in 0..<3 { journal.append([UInt8](repeating: 0, count: 5_000)) }
            journal.countRefused(40)
        }
        let file = try #require(directory.runFiles.first)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        bytes[128 + 1] ^= 0x10
        try write(bytes, to: file)
        let journal = try RecordJournal(smallConfiguration(directory), header: [])
        journal.recover()
        #expect(journal.statistics().earlier.first?.refused == [.full: 40, .notReady: 3])
    }

    @Test func `a run's file and a segment that changed places invent no records`() throws {
        let left = try Left()
        for segment in left.directory.segmentFiles.indices {
            let copy = try left.directory.copy()
            let (first, second) = (try #require(copy.runFiles.first), copy.segmentFiles[segment])
            let (run, records) = (
                try Data(contentsOf: URL(fileURLWithPath: first)), try Data(contentsOf: URL(fileURLWithPath: second)),
            )
            try write(records, to: first)
            try write(run, to: second)
            try check(copy, left, "segment \(segment)")
        }
    }

    @Test func `a segment of another run returns nothing`() throws {
        let left = try Left()
        let other = try Left()
        let source = try Data(contentsOf: URL(fileURLWithPath: try #require(other.directory.segmentFiles.first)))
        try write(source, to: try #require(left.directory.segmentFiles.first))
        let count = try check(left.directory, left, "another run's")
        #expect(count > 0 && count < Left.count)
    }

    @Test func `a record whose payload is a whole segment does not confuse the search for the next header`() throws {
        let inner = TemporaryDirectory()
        do {
            let journal = try RecordJournal(smallConfiguration(inner), header: [])
            for number in 0..<5 { journal.append([UInt8(number)]) }
        }
        let segment = [UInt8](try Data(contentsOf: URL(fileURLWithPath: try #require(inner.segmentFiles.first))))
        let directory = TemporaryDirectory()
        var configuration = smallConfiguration(directory)
        configuration.segmentSize = 16_384
        configuration.maximumBytes = 8 * 16_384
        do {
            let journal = try RecordJournal(configuration, header: [])
            journal.append(segment)
            journal.append([7])
        }
        let file = try #require(directory.segmentFiles.first)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        // The frame word of the first record: its length is no longer known.
        bytes[SegmentHeader.size + 2] ^= 0xFF
        try write(bytes, to: file)
        let journal = try RecordJournal(configuration, header: [])
        journal.maintain()
        #expect(journal.drain().map(\.bytes) == [[7]])
        #expect(journal.statistics().recoveredTorn == 1)
    }

    /// The state that a kill leaves between each two steps of an append, produced with the steps themselves.
    @Test func `a record cut short by a kill at any step is skipped and counted, and later ones are returned`() throws {
        for step in 0..<4 {
            let directory = TemporaryDirectory()
            do {
                let journal = try RecordJournal(smallConfiguration(directory), header: [])
                journal.append([1])
                let region = try #require(journal.ring.region(of: 0))
                for _ in 0..<2 {
                    guard case .made(let offset, let ordinal) = region.claim(40, isLast: false) else { continue }
                    if step == 0 { continue }
                    let length: UInt32 = 8
                    let reserved = FrameWord(length: length, state: .reserved, offset: offset, salt: region.salt)
                    region.word(offset).store(reserved.raw, ordering: .releasing)
                    if step == 1 { continue }
                    (region.base + offset + 32).storeBytes(of: .max, as: UInt64.self)
                    if step == 2 { continue }
                    (region.base + offset + 8).storeBytes(of: UInt64(ordinal), as: UInt64.self)
                }
                journal.append([2])
                let live = journal.drain().map(\.bytes)
                #expect(live == (step == 0 ? [[1]] : [[1], [2]]), "a claim without a header is waited for")
                if step == 0 { continue }
            }
            let journal = try RecordJournal(smallConfiguration(directory), header: [])
            journal.recover()
            let totals = try #require(journal.statistics().earlier.first)
            #expect((totals.appended, totals.torn) == (4, 2), "step \(step)")
            #expect(journal.drain().map(\.bytes) == (step == 0 ? [[2]] : []))
        }
    }

    @Test func `a record that is committed late is leased late`() throws {
        let directory = TemporaryDirectory()
        let journal = try RecordJournal(smallConfiguration(directory), header: [])
        let region = try #require(journal.ring.region(of: 0))
        guard case .made(let offset, let ordinal) = region.claim(40, isLast: false) else { return }
        let reserved = FrameWord(length: 8, state: .reserved, offset: offset, salt: region.salt)
        region.word(offset).store(reserved.raw, ordering: .releasing)
        journal.append([2])
        #expect(journal.drain().map(\.bytes) == [[2]])
        let bytes = [UInt8](repeating: 9, count: 8)
        bytes.withUnsafeBytes {
            let labels = RecordLabels(kind: 1, priority: 1, tag: 0)
            region.write($0, at: offset, sequence: UInt64(1) << 32 | UInt64(ordinal), time: 0, labels: labels)
        }
        #expect(journal.drain().map(\.bytes) == [bytes])
    }

    @Test func `a stray write over a header in memory costs that record, and the segment is recycled`() throws {
        let directory = TemporaryDirectory()
        let journal = try RecordJournal(smallConfiguration(directory, segments: 2), header: [])
        journal.maintain()
        journal.append([1])
        journal.append([2])
        journal.append([3])
        let region = try #require(journal.ring.region(of: 0))
        (region.base + SegmentHeader.size + 40).storeBytes(of: 0xDEAD_BEEF, as: UInt64.self)
        #expect(journal.drain().map(\.bytes) == [[1], [3]])
        for _ in 0..<20 {
            journal.append([UInt8](repeating: 0, count: 1_000))
            _ = journal.drain()
            journal.maintain()
        }
        let totals = journal.statistics().current
        #expect((totals.appended, totals.completedCount, totals.torn, totals.pending) == (23, 22, 1, 0))
    }
}
