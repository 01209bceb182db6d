import Astrolabe
import AstrolabeTestSupport
import Testing

@Suite(.serialized) struct `Two processes at one folder` {
    @Test(arguments: 1...Thoroughness.count(1, thorough: 3))
    func `never send a record twice, and lose none`(round: Int) async throws {
        let collector = try TestCollector()
        let app = KilledApp(collector)
        // What a killed run has left in the journal and in the queue is there for either of them.
        collector.kill()
        try await app.runAndKill(after: 500...1_000)
        let first = try app.start("finish", "500")
        let second = try app.start("finish", "500")
        app.note(try first.messages(500) + second.messages(500))
        try collector.start()
        #expect(first.waitForEnd() == 0)
        #expect(second.waitForEnd() == 0)
        #expect(try app.ledger(ofRun: 2).isBalanced)
        #expect(try app.ledger(ofRun: 3).isBalanced)

        let ledger = try app.finish()
        let log = collector.log
        #expect(log.repetitions == 0)
        #expect(app.promised.subtracting(log.delivered) == [])
        #expect(ledger.isBalanced)
        #expect(ledger.pending == 0)
        #expect(ledger.delivered == log.numbers.count, "\(ledger)")
        #expect(ledger.dropped.filter { $0.key != .corrupt } == [:])
        collector.kill()
    }
}

extension KilledProcess {
    /// The numbers of the next so many records.
    func messages(_ count: Int) throws -> [UInt64] {
        try (0..<count).map { _ in try #require(receive()).first }
    }
}
