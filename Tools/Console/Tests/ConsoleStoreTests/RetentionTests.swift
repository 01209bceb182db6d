import AstrolabeTelemetryModel
import ConsoleModel
import ConsoleStore
import Foundation
import Testing

@Suite
struct RetentionTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    /// A trace with one span in its own session, with padding.
    private static func visit(_ number: Int, ballast: Int = 0) -> [ResourceGroup<SpanData>] {
        let span = ShopFixture.span(
            UInt64(number + 1), 1, "visit", from: 0, to: 1,
            ["session.id": "s-\(number)", "ballast": String(repeating: "x", count: ballast)],
        )
        return ShopFixture.group(ShopFixture.phone, [span])
    }

    @Test
    func `records are removed by their arrival time, not by their own time`() async throws {
        let clock = HandClock(seconds: 1_800_000_000)
        let store = try await scratch.store(retention: .init(age: .seconds(2 * 3_600)), now: { clock.now })
        try await store.ingest(traces: Self.visit(1))
        try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, ShopFixture.events(session: "s-1")))
        try await store.ingest(metrics: ShopFixture.group(ShopFixture.phone, ShopFixture.metrics(session: "s-1")))
        clock.advance(hours: 1)
        try await store.ingest(traces: Self.visit(2))
        #expect(try await store.applyRetention().expiredRecords == 0)
        clock.advance(hours: 2)
        let report = try await store.applyRetention()
        #expect(report.expiredRecords == 5)
        #expect(report.evictedRecords == 0)
        #expect(try await store.sessions().elements.map(\.id) == ["s-2"])
        #expect(try await store.traces().elements.count == 1)
        #expect(try await store.metrics().elements.isEmpty)
        #expect(try await store.session("s-2")?.device.service == "astronomy-shop")
        clock.advance(hours: 3)
        #expect(try await store.applyRetention().expiredRecords == 1)
        #expect(try await store.services().isEmpty)
        await store.close()
    }

    @Test
    func `beyond the size limit the oldest records are removed first`() async throws {
        let store = try await scratch.store(retention: .init(bytes: 1 << 20))
        for number in 0..<400 { try await store.ingest(traces: Self.visit(number, ballast: 8_000)) }
        #expect(try await store.statistics().bytes > 1 << 20)
        let report = try await store.applyRetention()
        #expect(report.evictedRecords > 0)
        let statistics = try await store.statistics()
        #expect(statistics.bytes <= 1 << 20)
        let left = try await store.sessions(SessionQuery(limit: 200)).elements.map(\.id)
        #expect(left.contains("s-399"), "the newest is the last to go")
        #expect(!left.contains("s-0"))
        #expect(left.count > 50, "no more goes than must")
        try await store.ingest(traces: Self.visit(400))
        #expect(try await store.session("s-400") != nil)
        await store.close()
    }

    @Test
    func `the write-ahead log stays within its share of the disk`() async throws {
        let retention = StoreConfiguration.Retention(bytes: 1 << 20)
        let store = try await scratch.store(retention: retention)
        // 24 MB in 12 requests.
        for request in 0..<12 {
            let groups = (0..<250).flatMap { Self.visit(request * 250 + $0, ballast: 8_000) }
            try await store.ingest(traces: groups)
            try await store.applyRetention()
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: scratch.path + "-wal")
        let size = try #require(attributes[.size] as? Int)
        #expect(size <= retention.logBytes)
        #expect(StoreConfiguration.Retention(bytes: 1 << 29).logBytes == 1 << 25)
        #expect(StoreConfiguration.Retention().logBytes == 1 << 26)
        await store.close()
    }

    @Test
    func `a trace and a session that go on keep what arrived since, and say that something is missing`() async throws {
        let clock = HandClock(seconds: 1_800_000_000)
        let store = try await scratch.store(retention: .init(age: .seconds(2 * 3_600)), now: { clock.now })
        try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, [ShopFixture.phoneSpans()[0]]))
        clock.advance(hours: 3)
        try await store.ingest(traces: ShopFixture.group(ShopFixture.backend, [ShopFixture.backendSpans()[0]]))
        #expect(try await store.applyRetention().expiredRecords == 1)
        let session = try #require(try await store.session("s-1"))
        #expect(session.isTrimmed)
        #expect(session.device.modelIdentifier == "iPhone16,1")
        let trace = try #require(try await store.traces().elements.first)
        #expect(trace.name == "GET /api/products")
        #expect(!trace.hasRoot)
        await store.close()
    }

    @Test
    func `ingest goes on while retention works`() async throws {
        let store = try await scratch.store(retention: .init(bytes: 1 << 20))
        for number in 0..<300 { try await store.ingest(traces: Self.visit(number, ballast: 8_000)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await store.applyRetention() }
            group.addTask {
                for number in 1_000..<1_050 { try await store.ingest(traces: Self.visit(number)) }
            }
            try await group.waitForAll()
        }
        #expect(try await store.session("s-1049") != nil)
        await store.close()
    }
}
