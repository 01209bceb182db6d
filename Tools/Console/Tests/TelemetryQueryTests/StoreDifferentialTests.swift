import AstrolabeTelemetryModel
import AstrolabeTestSupport
import ClickHouse
import ClickHouseFixture
import ConsoleModel
import ConsoleStore
import Foundation
import Testing

@testable import TelemetryConsole
@testable import TelemetryQuery

/// Both stores answer a query alike, or the ClickHouse store refuses it with a sentence.
@Suite(.enabled(if: ClickHouseServer.command != nil, "\(ClickHouseServer.isMissing)"), .timeLimit(.minutes(20)))
struct StoreDifferentialTests {
    private static let queriesOfFleet = 25
    private static let facts = [
        "crashes", "hangs", "errors", "spans", "events", "screens", "requests", "failed_requests", "converted",
        "abandoned", "order_value", "promoted", "trigger", "start", "os.version",
    ]
    private static let fields = facts + facts.map { "session." + $0 }

    /// The same records in both stores.
    private static func withStores<Value>(
        _ fleet: TracedFleet, _ body: (_ embedded: QuerySource, _ clickHouse: ClickHouseStore) async throws -> Value,
    ) async throws -> Value {
        let folder = TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        defer { withExtendedLifetime(folder) {} }
        var configuration = StoreConfiguration(path: folder.path + "/console.sqlite")
        configuration.now = { UInt64(RandomRecords.now) }
        return try await ClickHouseDatabase.run { client in
            let embedded = try await SQLiteStore(configuration)
            let clickHouse = try await ClickHouseStore(client.configuration, configuration)
            for store in [embedded, clickHouse] as [any TelemetryStore] {
                try await store.ingest(traces: fleet.spans)
                try await store.ingest(logs: fleet.logs)
            }
            let value = try await body(QuerySource(embedded), clickHouse)
            await embedded.close()
            await clickHouse.close()
            return value
        }
    }

    private struct Comparison {
        var said = 0
        var refused: [String: Int] = [:]
        var difference: String?
    }

    private static func compare(_ seeds: Range<UInt64>) async throws -> Comparison {
        var random = SeededNumbers(seed: seeds.lowerBound)
        return try await withStores(TracedFleet(using: &random)) { embedded, clickHouse in
            var comparison = Comparison()
            for seed in seeds {
                var source = RandomQuery(seed: seed, fields: fields)
                var query = source.query()
                query.dataset = [Dataset.sessions, .spans, .events][Int(seed % 3)]
                guard let plan = try? QueryPlan(query, now: RandomRecords.now) else { continue }
                let found: QueryResult
                do {
                    found = try await clickHouse.evaluate(plan)
                } catch let error as QueryError {
                    comparison.refused[String(error.message.prefix(60)), default: 0] += 1
                    continue
                }
                comparison.said += 1
                let expected = try await embedded.answer(query).result
                if let difference = DifferentialTests.difference(found, expected, query) {
                    comparison.difference = "seed \(seed): \(query)\n\(difference)"
                    break
                }
            }
            return comparison
        }
    }

    /// 1,000 queries in a thorough run. Otherwise those of 8 s, at least those of one fleet.
    @Test func `random queries of phones and backends have the same result in both stores, or are refused`()
        async throws
    {
        let end = ContinuousClock.now + .seconds(8)
        var (said, refused) = (0, [String: Int]())
        for start in stride(from: 0, to: UInt64(1_000), by: Self.queriesOfFleet) {
            if !Thoroughness.isThorough, start > 0, ContinuousClock.now > end { break }
            let comparison = try await Self.compare(start..<(start + UInt64(Self.queriesOfFleet)))
            said += comparison.said
            refused.merge(comparison.refused, uniquingKeysWith: +)
            if let difference = comparison.difference {
                Issue.record("\(difference)")
                return
            }
        }
        print("Both stores said \(said) queries alike. ClickHouse refused \(refused).")
        #expect(said > refused.values.reduce(0, +) / 2)
    }

    @Test func `the facts of a session count what its backend did, and have the time and system of its phone`()
        async throws
    {
        let fleet = Self.failedRequest
        let queries: [(text: String, system: String, values: [Double])] = [
            (
                "sum(errors), sum(spans), sum(requests), sum(failed_requests), max(duration) of sessions",
                "iOS", [1, 2, 1, 1, 2_000],
            ),
            ("sum(session.errors), max(session.spans) where service.name = shop", "linux", [1, 2]),
        ]
        try await Self.withStores(fleet) { embedded, clickHouse in
            for (text, system, values) in queries {
                let query = try Query(text: "\(text) by resource.os.name last 1h every total")
                let plan = try QueryPlan(query, now: RandomRecords.now)
                for result in [try await embedded.answer(query).result, try await clickHouse.evaluate(plan)] {
                    #expect(result.rows.map(\.key) == [[.string(system)]], "\(text)")
                    #expect(result.rows.first?.values.totals.compactMap(\.number) == values, "\(text)")
                }
            }
        }
    }

    /// A phone's request that fails, and the backend's span, which begins first and names no session.
    private static var failedRequest: TracedFleet {
        func span(
            _ id: UInt64, parent: UInt64 = 0, _ kind: SpanKind, start: UInt64, end: UInt64, _ attributes: Attributes,
        ) -> SpanData {
            let origin = UInt64(RandomRecords.now) - 10_000_000_000
            return SpanData(
                context: SpanContext(traceID: TraceID(high: 1, low: 1), spanID: SpanID(id)),
                parentSpanID: SpanID(parent), name: "GET /cart", kind: kind, startTimeUnixNano: origin + start,
                endTimeUnixNano: origin + end, attributes: attributes, status: .error("no cart"))
        }
        var fleet = TracedFleet()
        fleet.add(
            span(2, parent: 1, .server, start: 0, end: 9_000, [:]),
            Resource(attributes: ["service.name": "shop", "os.name": "linux"]))
        fleet.add(
            span(
                1, .client, start: 3_000, end: 5_000,
                ["session.id": "s1", "http.request.method": "GET", "http.response.status_code": 503]),
            Resource(attributes: ["service.name": "app", "os.name": "iOS"]))
        return fleet
    }
}
