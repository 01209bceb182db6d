import AstrolabeTelemetryModel
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

/// Tests of ledger snapshots around a session that lasts from 100 to 5,900 ms.
@Suite
struct SessionLedgerTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private static let before = DeviceLedger(
        at: 0, created: 100, delivered: 80, journal: 5, queue: 10, dropped: [("sampled out", 5)],
    )
    private static let within = DeviceLedger(
        at: 3_000, created: 120, delivered: 100, journal: 15, dropped: [("sampled out", 5)])
    private static let after = DeviceLedger(
        at: 6_100, created: 150, delivered: 118, journal: 8, queue: 12,
        dropped: [("sampled out", 8), ("evicted", 4)],
    )
    private static let later = DeviceLedger(at: 60_000, created: 900, delivered: 900)

    @Test
    func `a session's ledger is the change between the snapshots at its start and its end`()
        async throws
    {
        try await withSession(Self.before, Self.within, Self.after, Self.later) { store in
            let ledger = try #require(try await store.ledger(ofSession: "s-1"))
            #expect(ledger.account?.timeUnixNano == ShopFixture.at(6_100))
            let during = try #require(ledger.during)
            #expect(during.fromUnixNano == ShopFixture.at(0))
            #expect(during.toUnixNano == ShopFixture.at(6_100))
            #expect([during.carried, during.created] == [15, 50])
            #expect([during.delivered, during.inJournal, during.inQueue] == [38, 8, 12])
            #expect(during.dropped.map(\.reason) == ["evicted", "sampled out"], "the most frequent first")
            #expect(during.dropped.map(\.count) == [4, 3])
            #expect(during.unaccounted == 0)
        }
    }

    /// The recorder took in 20 records during the first time, and sent 30 of its 45 in the second.
    @Test
    func `what the recorder holds is a term of its own, and of a session its change`() async throws {
        let recorded = [
            DeviceLedger(at: 0, created: 100, delivered: 75, notSent: 25),
            DeviceLedger(at: 3_000, created: 130, delivered: 85, notSent: 45),
            DeviceLedger(at: 6_100, created: 140, delivered: 95, queue: 30, notSent: 15),
        ]
        try await withSession(recorded[0], recorded[1]) { store in
            let ledger = try #require(try await store.ledger(ofSession: "s-1"))
            #expect(ledger.account?.created == 130 && ledger.account?.notSent == 45)
            #expect(ledger.account?.unaccounted == 0)
            #expect(ledger.during?.created == 30 && ledger.during?.notSent == 20)
            #expect(ledger.during?.unaccounted == 0)
        }
        let scratch = try Scratch()
        try await Self.withSession(in: scratch, Array(recorded[1...])) { store in
            let account = try #require(try await store.device("i-1")?.ledger)
            #expect(account.notSent == 15 && account.unaccounted == 0)
            let history = try #require(try await store.ledgerHistory(ofDevice: "i-1"))
            let first = try #require(history.first)
            let period = try #require(LedgerPeriod(from: first, to: account))
            #expect(period.created == 10 && period.notSent == -30 && period.unaccounted == 0)
        }
    }

    @Test
    func `the ledger of an active session uses the latest snapshot`() async throws {
        try await withSession(Self.before, Self.within) { store in
            let ledger = try #require(try await store.ledger(ofSession: "s-1"))
            #expect(ledger.account?.created == 120)
            #expect(ledger.during?.created == 20)
        }
    }

    @Test
    func `a device's first session has only the device's snapshot`() async throws {
        try await withSession(Self.within, Self.after) { store in
            let ledger = try #require(try await store.ledger(ofSession: "s-1"))
            #expect(ledger.account?.created == 150)
            #expect(ledger.during == nil)
        }
    }

    @Test
    func `a snapshot shortly after the start counts as the one before the session`()
        async throws
    {
        var flushed = Self.before
        flushed.milliseconds = 140
        try await withSession(flushed, Self.after) { store in
            let ledger = try #require(try await store.ledger(ofSession: "s-1"))
            #expect(ledger.account?.created == 150)
            #expect(ledger.during?.created == 50)
        }
        let scratch = try Scratch()
        try await Self.withSession(in: scratch, [flushed]) { store in
            let ledger = try #require(try await store.ledger(ofSession: "s-1"))
            #expect(ledger.account?.created == 100)
            #expect(ledger.during == nil)
        }
    }

    @Test
    func `a session without its own snapshot has the last one before it`() async throws {
        try await withSession(Self.before) { store in
            let ledger = try #require(try await store.ledger(ofSession: "s-1"))
            #expect(ledger.account?.created == 100)
            #expect(ledger.during == nil)
        }
    }

    @Test
    func `records lost during a session are counted`() async throws {
        var lacking = Self.after
        lacking.delivered -= 7
        try await withSession(Self.before, lacking) { store in
            let ledger = try #require(try await store.ledger(ofSession: "s-1"))
            #expect(ledger.during?.unaccounted == 7)
        }
    }

    @Test
    func `snapshots with reset counters are not compared`() async throws {
        var fewer = Self.after
        fewer.dropped = [("evicted", 12)]
        for account in [DeviceLedger(at: 6_100, created: 3, delivered: 3), fewer] {
            let scratch = try Scratch()
            try await Self.withSession(in: scratch, [Self.before, account]) { store in
                let ledger = try #require(try await store.ledger(ofSession: "s-1"))
                #expect(ledger.account?.created == account.created)
                #expect(ledger.during == nil)
            }
        }
    }

    @Test
    func `a session without a device id has no snapshot, and an unknown session has no ledger`() async throws {
        try await scratch.withStore { store in
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, ShopFixture.phoneSpans()))
            let ledger = try #require(try await store.ledger(ofSession: "s-1"))
            #expect(ledger.account == nil)
            #expect(ledger.during == nil)
            #expect(try await store.ledger(ofSession: "nobody") == nil)
        }
    }

    private func withSession(
        _ accounts: DeviceLedger..., check: @Sendable (SQLiteStore) async throws -> Void,
    ) async throws {
        try await Self.withSession(in: scratch, accounts, check: check)
    }

    /// The snapshots come from two app versions of the device, each with its own series.
    private static func withSession(
        in scratch: Scratch, _ accounts: [DeviceLedger], check: @Sendable (SQLiteStore) async throws -> Void,
    ) async throws {
        try await scratch.withStore { store in
            try await store.ingest(
                traces: ShopFixture.group(DeviceLedger.phone("i-1"), ShopFixture.phoneSpans()))
            for (index, account) in accounts.enumerated() {
                try await store.ingest(metrics: account.groups(from: "i-1", version: "1.4.\(index % 2)"))
            }
            try await check(store)
        }
    }
}
