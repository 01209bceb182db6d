import AstrolabePlatform
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeJournal

/// Failures of the file system.
struct FailureTests {
    private let directory = TemporaryDirectory()

    private func expectMemory(_ journal: RecordJournal, _ part: String) {
        guard case .memory(let reason) = journal.statistics().storage else {
            Issue.record("the journal says that it has files")
            return
        }
        #expect(reason.contains(part), "\(reason)")
    }

    @Test func `a journal whose directory cannot be created uses memory and reports it`() throws {
        _ = FileManager.default.createFile(atPath: directory.path, contents: Data())
        let configuration = smallConfiguration(directory)
        let journal = try RecordJournal(configuration, header: [1])
        expectMemory(journal, directory.path)
        journal.maintain()
        #expect(journal.register([2]) == 1)
        for number in 0..<40 { journal.append([UInt8](repeating: UInt8(number), count: 100)) }
        #expect(journal.drain().count == 40)
        journal.maintain()
        #expect(journal.statistics().current.completed == [.acknowledged: 40])
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a file system needs root on Linux"))
    func `a journal on a read-only disk uses memory, and previous runs do not change`() throws {
        let disk = try SmallDisk(at: directory.path, kilobytes: 512)
        do {
            let journal = try RecordJournal(smallConfiguration(directory), header: [])
            journal.append([1])
        }
        try disk.makeReadOnly()
        do {
            let journal = try RecordJournal(smallConfiguration(directory), header: [])
            expectMemory(journal, "Read-only")
            journal.maintain()
            journal.append([2])
            #expect(journal.drain().map(\.bytes) == [[2]])
        }
        try disk.makeWritable()
        let journal = try RecordJournal(smallConfiguration(directory), header: [])
        journal.maintain()
        #expect(journal.drain().map(\.bytes) == [[1]])
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a file system needs root on Linux"))
    func `a disk that fills up costs no record that memory can hold, and is used again when it has space`() throws {
        let disk = try SmallDisk(at: directory.path, kilobytes: 64)
        let configuration = smallConfiguration(directory, segments: 64)
        let journal = try RecordJournal(configuration, header: [])
        #expect(journal.statistics().storage == .files)
        journal.maintain()
        expectMemory(journal, "No space left")
        var appended = 0
        while case .appended = journal.append([UInt8](repeating: 5, count: 900)) { appended += 1 }
        #expect(appended == 64 * 4, "as many as the segments of a journal hold")
        journal.maintain()
        #expect(journal.append([1, 2]) == .refused(.full))
        #expect(journal.drain().count == appended)
        journal.maintain()
        #expect(journal.append([1, 2]) != .refused(.full))
        #expect(journal.statistics().storage == .files, "recycled files come before segments in memory")
        #expect(journal.statistics().current.refused == [.notReady: 1, .full: 1])
        withExtendedLifetime(disk) {}
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a file system needs root on Linux"))
    func `records in memory are counted after a kill, and those in files are recovered`() throws {
        let disk = try SmallDisk(at: directory.path, kilobytes: 64)
        let journal = try RecordJournal(smallConfiguration(directory, segments: 32), header: [])
        journal.maintain()
        for number in 0..<128 as Range<UInt64> { journal.append([UInt8](repeating: 5, count: 900), time: number) }
        let lease = try #require(journal.lease(maximumRecords: 4, maximumBytes: .max))
        journal.acknowledge(lease)
        journal.maintain()
        let copy = try directory.copy()
        let next = try RecordJournal(smallConfiguration(copy), header: [])
        next.recover()
        let totals = try #require(next.statistics().earlier.first)
        #expect(totals.appended == 128)
        #expect(totals.completed == [.acknowledged: 4])
        #expect(totals.torn > 0 && totals.pending > 0)
        #expect(next.drain().map(\.time) == Array(4..<4 + UInt64(totals.pending)))
        withExtendedLifetime(disk) {}
    }

    @Test func `a definition for which the disk has no space is known to this process`() throws {
        let limit = 12_288
        let file = try PrivateFile(directory.path)
        let run = RunID(from: IDGenerator())
        let runFile = try RunFile(file, size: limit, allocated: 4_096, run: run)
        runFile.initialize(run: run, started: 1, header: [])
        // A file that cannot grow, as on a full disk: its descriptor is only for reading.
        let shortened = try PrivateFile(existing: directory.path)
        #expect(dup2(shortened.descriptor, file.descriptor) >= 0)
        #expect(runFile.define([UInt8](repeating: 1, count: 5_000), as: 1))
        #expect(!runFile.define([UInt8](repeating: 1, count: limit), as: 2), "it would not fit into the file")
        let next = try RunFile(PrivateFile(directory.path), size: 4_096, run: run)
        #expect(next.readDefinitions().header != nil && next.readDefinitions().definitions.isEmpty)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a file system needs root on Linux"))
    func `a journal on a full disk uses memory, and recovered runs free the disk`() throws {
        let disk = try SmallDisk(at: directory.path, kilobytes: 64)
        do {
            let journal = try RecordJournal(smallConfiguration(directory), header: [])
            journal.append([7], time: 1)
        }
        #expect(throws: (any Error).self) {
            try Data(count: 1_000_000).write(to: URL(fileURLWithPath: directory.path + "/ballast"))
        }
        let journal = try RecordJournal(smallConfiguration(directory), header: [])
        expectMemory(journal, "No space left")
        journal.append([1], time: 2)
        journal.maintain()
        #expect(journal.drain().map(\.time) == [1, 2])
        journal.maintain()
        #expect(directory.segmentFiles.isEmpty && directory.runFiles.isEmpty)
        withExtendedLifetime(disk) {}
    }

    @Test func `removing the directory is detected, and the journal continues in memory`() throws {
        let journal = try RecordJournal(smallConfiguration(directory, segments: 4), header: [])
        journal.append([1])
        try FileManager.default.removeItem(atPath: directory.path)
        journal.maintain()
        expectMemory(journal, "removed")
        for _ in 0..<10 { #expect(journal.append([UInt8](repeating: 2, count: 1_000)) != .refused(.full)) }
        #expect(journal.drain().count == 11)
        journal.maintain()
        #expect(!FileManager.default.fileExists(atPath: directory.path))
    }

    @Test func `a run without its file returns its records without a header`() throws {
        do {
            let journal = try RecordJournal(smallConfiguration(directory), header: [1])
            journal.append([1])
        }
        for file in directory.runFiles { try FileManager.default.removeItem(atPath: file) }
        let journal = try RecordJournal(smallConfiguration(directory), header: [])
        journal.maintain()
        #expect(journal.statistics().damagedRuns == 1)
        let lease = try #require(journal.lease(maximumRecords: 1, maximumBytes: 100))
        #expect(lease.run.header == nil)
        #expect(lease.run.started == 0)
        #expect(Array(lease.records[0].bytes) == [1])
    }
}
