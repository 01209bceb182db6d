import AstrolabeTelemetryModel
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

/// The facts about phones that a store keeps as it writes records.
@Suite struct `A store's facts about phones` {
    private static let service: Set<String> = ["astronomy-shop"]
    private let scratch: Scratch
    private let clock = HandClock(seconds: ShopFixture.start / 1_000_000_000)

    init() throws { scratch = try Scratch() }

    private func withStore(
        retention: StoreConfiguration.Retention = .init(), _ body: (SQLiteStore) async throws -> Void,
    ) async throws {
        let store = try await scratch.store(retention: retention, now: { [clock] in clock.now })
        do { try await body(store) } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    /// Ingests spans of a phone.
    ///
    /// - Parameters:
    ///   - first: The number of the first span.
    ///   - milliseconds: The time since the start of the visit.
    private static func ingest(
        _ count: UInt64, from first: UInt64, at milliseconds: UInt64 = 0, of phone: String = "i-1",
        into store: SQLiteStore,
    ) async throws {
        let spans = (first..<first + count).map { number in
            ShopFixture.span(9, number + 1, "tap", from: milliseconds, to: milliseconds + 1)
        }
        try await store.ingest(traces: ShopFixture.group(DeviceLedger.phone(phone), spans))
    }

    private static func held(_ store: SQLiteStore) async throws -> [Int] {
        try await store.arrivalFacts(ofServices: service).phones.map(\.held)
    }

    @Test func `have what a phone holds, less what has arrived since its ledger`() async throws {
        try await withStore { store in
            #expect(try await store.phoneServices() == [])
            try await Self.ingest(10, from: 0, into: store)
            let first = DeviceLedger(at: 0, created: 10, delivered: 0, journal: 10)
            try await store.ingest(metrics: first.groups(from: "i-1"))
            // The ledger's own metrics are records: three each time, as the two points of what is pending are one. It
            // is sent before the records that wait.
            let second = DeviceLedger(at: 1_000, created: 43, delivered: 13, journal: 10, queue: 20)
            try await store.ingest(metrics: second.groups(from: "i-1"))
            #expect(try await Self.held(store) == [30])
            try await Self.ingest(20, from: 10, into: store)
            #expect(try await Self.held(store) == [10])
            try await Self.ingest(10, from: 30, into: store)
            #expect(try await Self.held(store) == [0])
            // A record that is sent again is not another one.
            try await Self.ingest(10, from: 30, into: store)
            #expect(try await Self.held(store) == [0])
            #expect(try await store.phoneServices() == Self.service)
        }
        // As after a start.
        try await withStore { store in
            let third = DeviceLedger(at: 2_000, created: 58, delivered: 46, queue: 12)
            try await store.ingest(metrics: third.groups(from: "i-1"))
            let phone = try #require(try await store.arrivalFacts(ofServices: Self.service).phones.first)
            #expect(phone.held == 12)
            #expect(phone.heldFrom == Int64(ShopFixture.at(1_000)) && phone.heldTo == Int64(ShopFixture.at(2_000)))
        }
    }

    @Test func `have the losses between two ledgers, without what was left out on purpose`() async throws {
        try await withStore { store in
            for (time, expired) in [(0, 5), (1_000, 12), (2_000, 12)] as [(UInt64, Int)] {
                let ledger = DeviceLedger(
                    at: time, created: 100, delivered: 50, dropped: [("expired", expired), ("sampled out", 38)])
                try await store.ingest(metrics: ledger.groups(from: "i-1"))
            }
            let slot = Int64(ShopFixture.at(1_000)) / ArrivalFacts.slot
            let drops = try await store.arrivalFacts(ofServices: Self.service).drops
            #expect(drops == [ArrivalFacts.Drop(slot: slot, records: 7)])
        }
    }

    @Test func `have when records arrived, and learn from a phone an hour after its first report`() async throws {
        try await withStore { store in
            try await Self.ingest(3, from: 0, into: store)
            clock.advance(hours: 2)
            try await Self.ingest(2, from: 3, into: store)
            try await Self.ingest(1, from: 5, of: "i-2", into: store)
            let facts = try await store.arrivalFacts(ofServices: Self.service)
            let slot = Int64(ShopFixture.start) / ArrivalFacts.slot
            #expect(
                Set(facts.cells) == [
                    ArrivalFacts.Cell(slot: slot, arrival: slot, isEvidence: false, records: 3),
                    ArrivalFacts.Cell(slot: slot, arrival: slot + 8, isEvidence: true, records: 2),
                    ArrivalFacts.Cell(slot: slot, arrival: slot + 8, isEvidence: false, records: 1),
                ])
            let reports = facts.phones.map { ($0.lastReport - $0.firstReport) / 3_600_000_000_000 }
            #expect(reports.sorted() == [0, 2])
            let start = Int64(ShopFixture.start)
            let active = try await store.activePhones(ofServices: Self.service, from: start, to: start + 1)
            #expect(active.count == 2)
            #expect(try await store.activePhones(ofServices: ["other"], from: start, to: start + 1) == [])
            #expect(try await store.arrivalFacts(ofServices: ["other"]) == ArrivalFacts())
        }
    }

    @Test func `have no backend, and no record of a clock that is wrong by weeks`() async throws {
        try await withStore { store in
            try await store.ingest(traces: ShopFixture.group(ShopFixture.backend, ShopFixture.backendSpans()))
            #expect(try await store.phoneServices() == [])
            clock.advance(hours: 24 * 30)
            try await Self.ingest(1, from: 0, into: store)
            let facts = try await store.arrivalFacts(ofServices: Self.service)
            #expect(facts.cells == [] && facts.phones.count == 1)
        }
    }

    @Test func `go with the last record of a phone, and slots stay to learn from`() async throws {
        try await withStore(retention: .init(age: .seconds(2 * 3_600))) { store in
            try await Self.ingest(3, from: 0, into: store)
            clock.advance(hours: 3)
            try await Self.ingest(1, from: 3, at: 3 * 3_600_000, of: "i-2", into: store)
            try await store.applyRetention()
            let facts = try await store.arrivalFacts(ofServices: Self.service)
            #expect(facts.phones.count == 1)
            #expect(facts.cells.reduce(0) { $0 + $1.records } == 4)
            let start = Int64(ShopFixture.start)
            #expect(try await store.activePhones(ofServices: Self.service, from: start, to: start + 1) == [])
        }
    }
}
