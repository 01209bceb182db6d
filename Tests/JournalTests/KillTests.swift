#if os(macOS) || os(Linux)
import AstrolabePlatform
import AstrolabeTestSupport
import Testing

@testable import AstrolabeJournal

/// A process that appends is killed after some of its promises; all that it was promised survives.
struct KillTests {
    @Test(arguments: [false, true])
    func `no record is lost by a kill, and no acknowledged record returns`(consumes: Bool) throws {
        for round in 0..<Thoroughness.count(3, thorough: 200) {
            let directory = TemporaryDirectory()
            let threads = round % 4 + 1
            let promises = 1 + round * 397 % 1_800
            let arguments = ["journal", directory.path, String(threads), consumes ? "1" : "0"]
            let messages = try KilledProcess.messages(of: arguments, killAfter: promises)
            try verify(directory, messages, "kill \(round) after \(promises) promises, \(threads) threads")
        }
    }

    private func verify(_ directory: TemporaryDirectory, _ messages: [Message], _ what: Comment) throws {
        var appended: [UInt64: UInt64] = [:]
        var acknowledging: Set<UInt64> = []
        var acknowledged: Set<UInt64> = []
        for message in messages {
            switch message.kind {
            case .appended: appended[message.second] = message.first
            case .acknowledging: acknowledging.insert(message.first)
            case .acknowledged: acknowledged.insert(message.first)
            case .enqueued, .removing, .removed: Issue.record("not the journal's message")
            }
        }
        let retired = Locked<JournalTotals?>(nil)
        var configuration = JournalConfiguration(directory: directory.path)
        configuration.segmentsAhead = 0
        configuration.onRetire = { totals in
            retired.withLock { $0 = totals }
            return true
        }
        let journal = try RecordJournal(configuration, header: [])
        journal.recover()
        let totals = try #require(journal.statistics().earlier.first, what)
        #expect(totals.pending == journal.statistics().recoveredRecords, what)
        #expect(totals.completedCount >= acknowledged.count, what)
        #expect(totals.completedCount <= acknowledging.count, what)
        #expect(totals.appended >= appended.count, what)
        #expect(totals.torn <= 4, "each thread was in one append at most: \(totals)")

        let definition = try #require(journal.reader.withLock { $0.earlier.first?.run })
        #expect(definition.header == Array("header".utf8), what)
        #expect(definition.definition(1) == Array("definition".utf8), what)
        var recovered: Set<UInt64> = []
        var strangers: [UInt64] = []
        while let lease = journal.lease(maximumRecords: 512, maximumBytes: .max) {
            for record in lease.records {
                let number = record.time
                let isRight =
                    (lease.kind, record.priority, record.tag) == (UInt8(number % 3), UInt8(number % 4), 1)
                    && appended[record.sequence] ?? number == number && record.bytes.elementsEqual(payload(number))
                    && recovered.insert(record.sequence).inserted
                if !isRight { strangers.append(record.sequence) }
            }
            journal.acknowledge(lease)
        }
        #expect(strangers.isEmpty, what)
        #expect(recovered.isDisjoint(with: acknowledged), what)
        let lost = Set(appended.keys).subtracting(recovered).subtracting(acknowledging)
        #expect(lost.isEmpty, what)

        journal.maintain()
        let account = try #require(retired.withLock { $0 }, what)
        #expect((account.appended, account.torn, account.pending) == (totals.appended, totals.torn, 0), what)
    }

    @Test func `a run belongs to its process while it lives, and then to the next one`() throws {
        let directory = TemporaryDirectory()
        let process = try KilledProcess(["journal", directory.path, "1", "0"])
        #expect(process.receive() != nil)
        do {
            let journal = try RecordJournal(JournalConfiguration(directory: directory.path), header: [])
            journal.maintain()
            #expect(journal.statistics().runsInUse == 1)
            #expect(journal.drain().isEmpty)
        }
        process.kill()
        let journal = try RecordJournal(JournalConfiguration(directory: directory.path), header: [])
        journal.maintain()
        #expect(journal.statistics().runsInUse == 0)
        #expect(journal.statistics().recoveredRecords > 0)
    }
}
#endif
