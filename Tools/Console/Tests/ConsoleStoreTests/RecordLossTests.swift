import AstrolabeTelemetryModel
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

/// Tests of the losses that ledgers report of a time.
@Suite
struct RecordLossTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private static func losses(
        _ store: SQLiteStore, of devices: [String] = ["i-1"], _ from: UInt64, _ to: UInt64,
    ) async throws -> RecordLoss {
        try await store.losses(
            ofDevices: devices, from: Int64(ShopFixture.at(from)), to: Int64(ShopFixture.at(to)))
    }

    private static let course = [
        DeviceLedger(at: 0, created: 100, delivered: 80, queue: 10, dropped: [("expired", 2), ("sampled out", 8)]),
        DeviceLedger(
            at: 1_000, created: 300, delivered: 200, queue: 50, dropped: [("expired", 2), ("sampled out", 48)]),
        DeviceLedger(
            at: 2_000, created: 500, delivered: 330, queue: 0,
            dropped: [("expired", 62), ("evicted", 10), ("sampled out", 98)]),
    ]

    @Test
    func `a device's loss is the change between its snapshots, without what sampling left out`() async throws {
        try await scratch.withStore { store in
            for account in Self.course { try await store.ingest(metrics: account.groups(from: "i-1")) }
            let early = try await Self.losses(store, 0, 1_500)
            #expect(early.dropped == [:])
            let late = try await Self.losses(store, 1_000, 2_001)
            #expect(late.dropped == ["expired": 60, "evicted": 10])
            #expect(late.droppedTotal == 70)
            #expect(late.records == 50 + 200 - 50, "pending at the start and created, less those sampled out")
            #expect(try await Self.losses(store, 1_000, 2_000).records == 0, "the end is not part of the time")
            #expect(try await Self.losses(store, of: [], 0, 9_000) == RecordLoss())
        }
    }

    @Test
    func `records that the recorder did not send are not among those that could be lost`() async throws {
        try await scratch.withStore { store in
            for account in [
                DeviceLedger(at: 0, created: 100, delivered: 60, notSent: 40),
                DeviceLedger(at: 1_000, created: 200, delivered: 80, notSent: 110, dropped: [("expired", 10)]),
            ] {
                try await store.ingest(metrics: account.groups(from: "i-1"))
            }
            let loss = try await Self.losses(store, 0, 9_000)
            #expect(loss.records == 100 - 70)
            #expect(loss.dropped == ["expired": 10])
        }
    }

    @Test
    func `the losses of several devices are added`() async throws {
        try await scratch.withStore { store in
            for account in Self.course {
                try await store.ingest(metrics: account.groups(from: "i-1"))
                try await store.ingest(metrics: account.groups(from: "i-2"))
            }
            let one = try await Self.losses(store, of: ["i-1"], 1_000, 9_000)
            let both = try await Self.losses(store, of: ["i-1", "i-2", "nobody"], 1_000, 9_000)
            #expect(both.records == 2 * one.records)
            #expect(both.dropped == one.dropped.mapValues { 2 * $0 })
        }
    }

    @Test
    func `without an earlier snapshot a device counts from its installation`() async throws {
        try await scratch.withStore { store in
            try await store.ingest(metrics: Self.course[2].groups(from: "i-1"))
            let loss = try await Self.losses(store, 1_000, 9_000)
            #expect(loss.records == 402)
            #expect(loss.dropped == ["expired": 62, "evicted": 10])
        }
    }

    @Test
    func `after retention removed records it counts from the first snapshot that is left`() async throws {
        let clock = HandClock(seconds: 1_800_000_000)
        let store = try await scratch.store(retention: .init(age: .seconds(2 * 3_600)), now: { clock.now })
        try await store.ingest(metrics: Self.course[0].groups(from: "i-1"))
        clock.advance(hours: 3)
        for account in Self.course[1...] { try await store.ingest(metrics: account.groups(from: "i-1")) }
        try await store.applyRetention()
        let loss = try await Self.losses(store, 0, 9_000)
        #expect(loss.dropped == ["expired": 60, "evicted": 10])
        #expect(loss.records == 200)
        await store.close()
    }

    @Test
    func `losses are reported if a snapshot of the time has dropped records`() async throws {
        try await scratch.withStore { store in
            func isReported(_ from: UInt64, _ to: UInt64) async throws -> Bool {
                try await store.reportsLosses(from: Int64(ShopFixture.at(from)), to: Int64(ShopFixture.at(to)))
            }
            let sampled = DeviceLedger(at: 500, created: 9, delivered: 4, dropped: [("sampled out", 5)])
            try await store.ingest(metrics: sampled.groups(from: "i-2"))
            #expect(try await !isReported(0, 9_000), "sampling is no loss")
            try await store.ingest(metrics: Self.course[2].groups(from: "i-1"))
            #expect(try await isReported(0, 2_001))
            #expect(try await !isReported(0, 2_000))
            #expect(try await !isReported(2_001, 9_000))
        }
    }
}
