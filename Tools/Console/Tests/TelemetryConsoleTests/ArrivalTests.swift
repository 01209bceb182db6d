import AstrolabePlatform
import AstrolabeTelemetryModel
import BrowserKit
import ConsoleModel
import ConsoleStore
import Foundation
import Testing

@testable import TelemetryConsole
@testable import TelemetryQuery

/// When records arrived, as fields and as the time of a query, over a real SQLite file and a virtual clock.
@Suite
struct ArrivalTests {
    /// The start of a minute.
    private static let start: UInt64 = 1_790_000_040_000_000_000
    private static let hour: UInt64 = 3_600_000_000_000

    private let path: String

    init() throws {
        path = try Scratch.folder().appendingPathComponent("console.sqlite").path
    }

    private static func group<Record>(_ records: [Record]) -> [ResourceGroup<Record>] {
        [
            ResourceGroup(
                resource: Resource(attributes: ["service.name": "shop", "os.name": "iOS"]),
                scopes: [ScopeGroup(scope: InstrumentationScope(name: "test"), records: records)])
        ]
    }

    private static func event(_ name: String, at time: UInt64) -> LogRecordData {
        LogRecordData(
            timeUnixNano: time, severityNumber: 9, eventName: name, attributes: ["session.id": "s1", "arrived": "no"])
    }

    /// Runs `body` with a store in which one tap arrived at once, and a crash, a span and a point three hours late.
    private func withLateRecords(_ body: (QuerySource) async throws -> Void) async throws {
        let clock = Locked(Self.start)
        var configuration = StoreConfiguration(path: path)
        configuration.now = { clock.withLock { $0 } }
        var store = try await SQLiteStore(configuration)
        _ = try await store.ingest(logs: Self.group([Self.event("tap", at: Self.start)]))
        clock.withLock { $0 += 3 * Self.hour + 7_000_000_000 }
        _ = try await store.ingest(logs: Self.group([Self.event("app.crash", at: Self.start)]))
        let span = SpanData(
            context: SpanContext(traceID: TraceID(high: 7, low: 1), spanID: SpanID(1)), parentSpanID: SpanID(0),
            name: "sync", kind: .internal, startTimeUnixNano: Self.start, endTimeUnixNano: Self.start + Self.hour,
            attributes: [:], status: .unset)
        _ = try await store.ingest(traces: Self.group([span]))
        let point = NumberPoint(
            attributes: [:], startTimeUnixNano: Self.start, timeUnixNano: Self.start + 2 * Self.hour, value: .int(4))
        let metric = MetricData(name: "steps", data: .sum([point], temporality: .delta, isMonotonic: true))
        _ = try await store.ingest(metrics: Self.group([metric]))
        try await body(QuerySource(store))
        await store.close()
        // From the rows, as after a start.
        store = try await SQLiteStore(configuration)
        try await body(QuerySource(store))
        await store.close()
    }

    private static func keys(_ source: QuerySource, _ query: String) async throws -> [[QueryValue]] {
        try await source.answer(Query(text: "\(query) every total")).result.rows.map(\.key)
    }

    @Test
    func `a record says when it arrived, and how long after its end that was`() async throws {
        let late = QueryValue.int(Int64(Self.start + 3 * Self.hour))
        func hours(_ count: UInt64) -> QueryValue { .int(Int64(count * Self.hour)) }
        try await withLateRecords { source in
            for (query, key) in [
                ("count of events by arrived, delay where name = app.crash last 24h", [late, hours(3)]),
                ("count of events by delay where name = tap last 24h", [.int(0)]),
                ("count by arrived, delay last 24h", [late, hours(2)]),
                ("count of metrics by arrived, delay last 24h", [late, hours(1)]),
                ("count of sessions by arrived, delay last 24h", [late, hours(3)]),
                ("count of events by session.arrived where name = tap last 24h", [late]),
                ("count of events by attribute.arrived last 24h", [.string("no")]),
            ] as [(String, [QueryValue])] {
                let keys = try await Self.keys(source, query)
                #expect(keys == [key], "\(query)")
            }
        }
    }

    @Test
    func `a query by arrival counts what happened before its time, in the steps in which it arrived`() async throws {
        try await withLateRecords { source in
            #expect(try await Self.keys(source, "count of events by name last 1h") == [])
            #expect(
                try await Self.keys(source, "count of events by name arriving last 1h") == [[.string("app.crash")]])
            let query = try Query(text: "count of events arriving last 4h every 1h compare 4h")
            let result = try await source.answer(query).result
            let series = try #require(result.rows.first?.values.series).map { $0[0].number ?? 0 }
            #expect(series.reduce(0, +) == 2)
            #expect(series.last == 1)
            let records = try await source.records(of: query, order: .newest, limit: 5).result.records
            #expect(records.map(\.time) == [Int64(Self.start), Int64(Self.start)])
            #expect(records.compactMap { $0.fields["name"]?.text } == ["app.crash", "tap"])
        }
    }

    @Test
    func `the lists of logs and of a session's records say how late each arrived`() async throws {
        try await ConsoleUnderTest.run { console in
            let time = UInt64((Date().timeIntervalSince1970 - 3 * 3_600) * 1e9)
            let event = OTLPBody.Event(name: "app.crash", time: time, severity: 21)
            try await console.send(
                OTLPBody.logs([("service.name", "shop"), ("session.id", "s1")], [event]), to: .logs)
            let log = try await console.get("/api/v1/logs")["logs"][0]
            let item = try await console.get("/api/v1/sessions/s1/timeline")["items"][0]
            for record in [log, item] {
                let delay = try #require(record["delayNs"].double) / 60e9
                #expect(delay > 178)
                #expect(record["arrivedUs"].int ?? 0 > Int(time / 1_000))
            }
        }
    }

    @Test
    func `concurrency and patterns are about when records happened`() async throws {
        try await withLateRecords { source in
            await #expect(throws: QueryError.self) {
                try await source.answer(Query(text: "concurrency arriving last 1h"))
            }
            await #expect(throws: QueryError.self) {
                try await source.logPatterns(of: Query(text: "count of events arriving last 1h"))
            }
        }
    }
}
