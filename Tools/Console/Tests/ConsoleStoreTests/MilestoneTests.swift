import AstrolabeTelemetryModel
import Foundation
import GRDB
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

/// Conversions, checkouts and hangs of a session, as the store knows them.
@Suite
struct MilestoneTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private struct Facts: Equatable {
        var isConverted = false
        var isAbandoned = false
        var hangs: Int64 = 0
        var value: Double?
    }

    private static func facts(_ store: SQLiteStore) async throws -> [String: Facts] {
        var facts: [String: Facts] = [:]
        for block in try await store.sessionBlocks() {
            for session in try await store.storedSessions(in: block.range).sessions {
                facts[session.name] = Facts(
                    isConverted: session.isConverted, isAbandoned: session.isAbandoned, hangs: session.hangs,
                    value: session.orderValue)
            }
        }
        return facts
    }

    private static func event(_ name: String, session: String?, _ more: Attributes = [:], trace: UInt64 = 0)
        -> LogRecordData
    {
        var attributes: Attributes = ["log.record.uid": "\(name) of \(session ?? "") in \(trace)"]
        attributes.merge(more)
        if let session { attributes["session.id"] = .string(session) }
        return LogRecordData(
            timeUnixNano: ShopFixture.at(1_000), severityNumber: 9, eventName: name, attributes: attributes,
            traceID: trace == 0 ? .invalid : TraceID(high: 0xA5, low: trace))
    }

    private static let visits = [
        event("order.placed", session: "bought", ["order.amount": 20.5, "order.value": 7]),
        event("checkout.started", session: "bought"),
        event("checkout.started", session: "left", ["order.amount": 99]),
        event("tap", session: "browsed"), event("astrolabe.hang", session: "browsed"),
        event("tap", session: "looked at the checkout", ["app.screen.name": "begin_checkout"]),
        event("tap", session: "bought by a backend", trace: 9),
    ]

    private static let expected = [
        "bought": Facts(isConverted: true, value: 20.5), "left": Facts(isAbandoned: true),
        "browsed": Facts(hangs: 1), "looked at the checkout": Facts(isAbandoned: true),
        "bought by a backend": Facts(isConverted: true, value: 5),
    ]

    private static let backend = event("order.placed", session: nil, ["order.amount": 5], trace: 9)

    private func ingest(_ store: SQLiteStore, backendFirst: Bool = false) async throws {
        let backend = ShopFixture.group(ShopFixture.backend, [Self.backend])
        if backendFirst { try await store.ingest(logs: backend) }
        try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, Self.visits))
        // Sent again, as after a lost response.
        try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, Self.visits))
        if !backendFirst { try await store.ingest(logs: backend) }
    }

    @Test(arguments: [false, true])
    func `sessions are converted or abandoned by their records, in whatever order they arrive`(
        backendFirst: Bool
    ) async throws {
        let facts = try await scratch.withStore { store in
            try await ingest(store, backendFirst: backendFirst)
            return try await Self.facts(store)
        }
        #expect(facts == Self.expected)
    }

    @Test
    func `a span can be a conversion`() async throws {
        let facts = try await scratch.withStore { store in
            let span = ShopFixture.span(
                1, 1, "purchase", from: 0, to: 5, ["session.id": "s-1", "order.value": 3])
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, [span]))
            return try await Self.facts(store)
        }
        #expect(facts == ["s-1": Facts(isConverted: true, value: 3)])
    }

    @Test
    func `a file of version 6 gets the milestones of its records`() async throws {
        try await scratch.withStore { try await ingest($0) }
        let queue = try DatabaseQueue(path: scratch.path)
        try await queue.write { database in
            try StoreFileTests.dropAdditionsSinceVersion7(database)
            try database.execute(sql: "PRAGMA user_version = 6")
        }
        try queue.close()
        #expect(try await scratch.withStore { try await Self.facts($0) } == Self.expected)
    }

    @Test
    func `other names apply to the records that are already stored`() async throws {
        try await scratch.withStore { try await ingest($0) }
        var configuration = StoreConfiguration(path: scratch.path)
        configuration.milestones.conversions = ["tap"]
        configuration.milestones.checkouts = []
        configuration.milestones.amounts = ["order.value"]
        let store = try await SQLiteStore(configuration)
        let facts = try await Self.facts(store)
        await store.close()
        #expect(
            facts == [
                "bought": Facts(), "left": Facts(), "browsed": Facts(isConverted: true, hangs: 1),
                "looked at the checkout": Facts(isConverted: true), "bought by a backend": Facts(isConverted: true),
            ])
    }

    @Test
    func `retention removes milestones with their records`() async throws {
        let clock = HandClock(seconds: 1_790_000_000)
        let store = try await scratch.store(retention: .init(age: .seconds(3_600)), now: { clock.now })
        try await ingest(store)
        clock.advance(hours: 2)
        try await store.applyRetention()
        await store.close()
        let queue = try DatabaseQueue(path: scratch.path)
        let left = try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM milestones") }
        #expect(left == 0)
        try queue.close()
    }
}
