import AstrolabeTelemetryModel
import GRDB
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

/// A failure that several spans report counts once.
@Suite
struct FailureCountTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    /// A span of the phone, or of the backend if it has no session.
    private static func span(_ id: UInt64, in parent: UInt64, session: String? = "s-1", failed: Bool = true) -> SpanData
    {
        ShopFixture.span(
            7, id, parent: parent, "span \(id)", from: id * 1_000, to: id * 1_000 + 5,
            session.map { ["session.id": $0] } ?? [:], status: failed ? .error("refused") : .unset)
    }

    /// One refused payment that four spans report, and another failure beside it.
    private static let refusal = [
        span(1, in: 0), span(2, in: 1), span(3, in: 2), span(4, in: 3, session: nil), span(5, in: 1),
        span(6, in: 3, session: nil, failed: false),
    ]

    private func counts(_ batches: [[SpanData]]) async throws -> [Int] {
        try await scratch.withStore { store in
            for batch in batches { try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, batch)) }
            let session = try #require(try await store.session("s-1"))
            let trace = try #require(try await store.traces().elements.first)
            let listed = try await store.sessions(SessionQuery(onlyWithErrors: true)).elements.map(\.errors)
            #expect(listed == [session.errors])
            #expect(session.activity.allSatisfy { $0.errors >= 0 })
            return [session.errors, trace.errors, session.activity.reduce(0) { $0 + $1.errors }]
        }
    }

    @Test
    func `an error counts once, not once for each span on the way up`() async throws {
        // The activity is marked wherever one of the session's own spans failed.
        #expect(try await counts([Self.refusal]) == [2, 2, 4])
    }

    @Test
    func `a file that counted each error span is counted again`() async throws {
        #expect(try await counts([Self.refusal]) == [2, 2, 4])
        let queue = try DatabaseQueue(path: scratch.path)
        try await queue.write { database in
            try StoreFileTests.dropAdditionsSinceVersion7(database)
            for index in ["spans_of_errors", "logs_by_time", "logs_by_severity", "logs_by_resource"] {
                try database.execute(sql: "DROP INDEX \(index)")
            }
            try database.execute(
                sql: """
                    UPDATE traces SET errors = 5, unclaimed_errors = 1; UPDATE sessions SET errors = 5;
                    PRAGMA user_version = 5
                    """)
        }
        try queue.close()
        #expect(try await counts([]) == [2, 2, 4])
    }

    @Test(arguments: 0..<24)
    func `the count does not depend on the order of arrival, nor on the requests it comes in`(seed: Int) async throws {
        var spans = Self.refusal
        var state = UInt64(seed &+ 1) &* 0x9E37_79B9_7F4A_7C15
        for index in spans.indices.reversed() {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            spans.swapAt(index, Int(state >> 33) % (index + 1))
        }
        let cut = seed % spans.count
        let batches = seed % 2 == 0 ? spans.map { [$0] } : [Array(spans[..<cut]), Array(spans[cut...])]
        #expect(try await counts(batches + batches) == [2, 2, 4])
    }
}
