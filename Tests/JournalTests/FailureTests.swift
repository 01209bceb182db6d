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
    func `a full disk is a refusal with a reason, and never a signal`() throws {
        let disk = try SmallDisk(at: directory.path, kilobytes: 64)
        var configuration = smallConfiguration(directory, segments: 64)
        configuration.segmentsAhead = 63
        let journal = try RecordJournal(configuration, header: [])
        journal.maintain()
        #expect(journal.statistics().storage == .files)
        var appended = 0
        while case .appended = journal.append([UInt8](repeating: 5, count: 900)) { appended += 1 }
        #expect(journal.append([1, 2]) == .refused(.diskFull))
        #expect(appended > 20)
        #expect(journal.drain().count == appended)
        journal.maintain()
        #expect(journal.append([1, 2]) != .refused(.diskFull), "its own space is enough to go on")
        #expect(journal.statistics().current.refused == [.diskFull: 2])
        withExtendedLifetime(disk) {}
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
