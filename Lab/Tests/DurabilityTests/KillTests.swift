import Astrolabe
import AstrolabePlatform
import AstrolabeTestSupport
import Testing

/// The whole SDK in a process of its own, under load on several threads, killed at random moments: as often as
/// `KilledProcess.count` says.
@Suite(.serialized) struct `An app that is killed again and again` {
    @Test func `loses no record whose end had returned, and repeats none that it could know to be delivered`()
        async throws
    {
        let collector = try TestCollector()
        let app = KilledApp(collector)
        for _ in 0..<KilledProcess.count { try await app.runAndKill() }
        try verify(app, collector, "a network that works")
    }

    @Test func `loses none to a network that fails in the middle of requests`() async throws {
        let isFailing = Locked(true)
        let chance = Chance()
        let collector = try TestCollector {
            guard isFailing.withLock({ $0 }) else { return .taken }
            switch chance.number(in: 0...19) {
            case 0: return .refused
            case 1: return .brokenOff
            case 2: return .answerLost
            default: return .taken
            }
        }
        let app = KilledApp(collector)
        for _ in 0..<KilledProcess.count { try await app.runAndKill() }
        isFailing.withLock { $0 = false }
        try verify(app, collector, "a network that fails")
    }

    @Test func `loses none to a collector that is killed and restarted`() async throws {
        let collector = try TestCollector()
        let app = KilledApp(collector)
        let chance = Chance()
        for _ in 0..<KilledProcess.count {
            try await app.runAndKill {
                switch chance.number(in: 0...999) {
                case 0...1: collector.kill()
                case 2...5: try collector.start()
                default: break
                }
            }
        }
        try collector.start()
        try verify(app, collector, "a collector that is killed")
    }

    /// Lets a last run deliver everything, and compares what was promised with what has come and with the ledger.
    private func verify(_ app: KilledApp, _ collector: TestCollector, _ what: String) throws {
        let ledger = try app.finish()
        collector.kill()
        let log = collector.log
        let delivered = log.delivered
        print(
            """
            \(what): \(app.kills) kills, \(app.promised.count) records promised, \(log.numbers.count) delivered in \
            \(log.requestCount) requests, \(log.repetitions) repeated where the answer could not be known, of them \(log.repeatedEndings) endings, \(ledger)
            """)
        #expect(app.promised.subtracting(delivered) == [], "lost")
        #expect(delivered.count == Set(delivered).count, "one record, one id")
        #expect(log.contradictions == 0)
        #expect(log.needlessRepetitions == [])
        #expect(collector.undecodable == 0)

        #expect(ledger.isBalanced, "\(ledger)")
        #expect(ledger.created >= app.promised.count)
        #expect(ledger.pending == 0)
        #expect(log.repeatedEndings <= app.kills)
        #expect((log.numbers.count...log.numbers.count + log.repeatedEndings).contains(ledger.delivered))
        // A kill may cut one record of each thread short, whose making had not returned.
        #expect(ledger.dropped.filter { $0.key != .corrupt } == [:])
        #expect(ledger.dropped[.corrupt] ?? 0 <= 4 * app.kills)
    }
}
