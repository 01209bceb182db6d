import Foundation
import QueryOracle
import Testing

@testable import TelemetryQuery

@Suite
struct JourneyTests {
    private static let second: Int64 = 1_000_000_000

    /// A record at a second of a day, in a session.
    private static func record(_ name: String, _ time: Int64, _ session: String?, version: String = "1") -> QueryRecord
    {
        var fields: [String: QueryValue] = [
            "name": .string(name), "resource.service.version": .string(version), "trace.id": .string("t\(time)"),
        ]
        if let session { fields["session.id"] = .string(session) }
        return QueryRecord(time: time * second, fields: fields)
    }

    private static func sources(spans: [QueryRecord] = [], events: [QueryRecord] = []) -> [JourneySource] {
        [(Dataset.spans, spans), (.events, events)].map { dataset, records in
            var table = ColumnTable()
            for record in records { table.append(record) }
            return JourneySource(dataset, table.segments())
        }
    }

    private static func funnel(_ names: [String], within: Int64 = 3_600) throws -> FunnelQuery {
        var query = FunnelQuery(steps: try names.map { FunnelStep($0, try Condition(text: "name = \"\($0)\"")) })
        query.key = .session
        query.bound = within * second
        query.time = .between(from: 0, to: 86_400 * second)
        return query
    }

    @Test
    func `a funnel counts each journey once, at the furthest step that it reaches in order`() async throws {
        let events = [
            Self.record("list", 0, "a"), Self.record("cart", 10, "a"), Self.record("order", 40, "a"),
            Self.record("list", 0, "b"), Self.record("order", 5, "b"), Self.record("cart", 9, "b"),
            Self.record("list", 3, "c"), Self.record("list", 4, "c"),
            Self.record("cart", 1, "d"), Self.record("order", 2, "d"),
            Self.record("list", 1, nil),
        ]
        let result = try await QueryEngine().funnel(
            try Self.funnel(["list", "cart", "order"]), now: 0, over: Self.sources(events: events))
        #expect(result.steps.map(\.reached) == [3, 2, 1])
        #expect(result.steps.map(\.p50) == [nil, 9 * Self.second, 30 * Self.second])
        #expect(result.steps.map(\.p90) == [nil, 10 * Self.second, 30 * Self.second])
        #expect(result.examples.map { $0.dropped.compactMap(\.session) } == [["c"], ["b"], []])
        #expect(result.examples[2].reached.map(\.trace) == ["t40"])
        #expect(result.unlinkedRecords == 1)
    }

    @Test
    func `a later start counts if the first took too long`() async throws {
        let events = [
            Self.record("list", 0, "a"), Self.record("list", 50, "a"), Self.record("cart", 60, "a"),
            Self.record("order", 105, "a"),
        ]
        let sources = Self.sources(events: events)
        let names = ["list", "cart", "order"]
        let short = try await QueryEngine().funnel(try Self.funnel(names, within: 54), now: 0, over: sources)
        #expect(short.steps.map(\.reached) == [1, 1, 0])
        let long = try await QueryEngine().funnel(try Self.funnel(names, within: 55), now: 0, over: sources)
        #expect(long.steps.map(\.reached) == [1, 1, 1])
    }

    @Test
    func `a step is a span or an event, unless it names its dataset`() async throws {
        let sources = Self.sources(
            spans: [Self.record("list", 0, "a"), Self.record("order", 4, "a")], events: [Self.record("cart", 2, "a")])
        var query = try Self.funnel(["list", "cart", "order"])
        #expect(try await QueryEngine().funnel(query, now: 0, over: sources).steps.map(\.reached) == [1, 1, 1])
        query.steps[2].dataset = .events
        #expect(try await QueryEngine().funnel(query, now: 0, over: sources).steps.map(\.reached) == [1, 1, 0])
    }

    @Test
    func `groups are those of the first step, the largest first and the rest as other`() async throws {
        var events: [QueryRecord] = []
        for version in 0..<12 {
            for journey in 0...version {
                events.append(Self.record("list", 0, "\(version)-\(journey)", version: "\(version)"))
                events.append(Self.record("cart", 1, "\(version)-\(journey)", version: "new"))
            }
        }
        var query = try Self.funnel(["list", "cart"])
        query.group = .field("service.version")
        let result = try await QueryEngine().funnel(query, now: 0, over: Self.sources(events: events))
        #expect(result.groups.map { $0.steps[0].reached } == [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 3])
        #expect(result.groups.first?.value == .string("11"))
        #expect(result.groups.map(\.isOther) == Array(repeating: false, count: 10) + [true])
    }

    @Test
    func `a flow counts the stops of each path, and folds the rare ones`() async throws {
        func screen(_ name: String, _ time: Int64, _ session: String) -> QueryRecord {
            var record = Self.record("app.widget.click", time, session)
            record.fields["app.screen.name"] = .string(name)
            return record
        }
        var stale = screen("Cart", 2, "a")
        stale.fields["name"] = .string("Cart.onDisappear")
        let events = [
            screen("List", 0, "a"), screen("List", 1, "a"), screen("Detail", 3, "a"), screen("List", 4, "a"), stale,
            screen("List", 0, "b"), screen("Detail", 1, "b"),
            screen("Help", 0, "c"),
        ]
        var query = FlowQuery()
        query.time = .between(from: 0, to: 100 * Self.second)
        query.limit = 2
        let result = try await QueryEngine().flow(query, now: 0, over: Self.sources(events: events))
        #expect(result.paths == 3)
        #expect(result.otherValues == 1)
        #expect(
            result.nodes.map { "\($0.depth) \($0.value.text ?? "other") \($0.count) \($0.ended)" } == [
                "0 List 2 0", "0 other 1 1", "1 Detail 2 1", "2 List 1 1",
            ])
        #expect(
            result.links.map { "\($0.from.text ?? "") \($0.to.text ?? "") \($0.count)" } == [
                "List Detail 2", "Detail List 1",
            ])
        #expect(result.links[0].examples.map(\.session) == ["a", "b"])
    }

    @Test
    func `journeys that need too much memory end with an error`() async throws {
        var limits = QueryEngine.Limits()
        limits.bytes = 20_000
        let events = (0..<2_000).map { Self.record("list", Int64($0), "s\($0)") }
        let error = await #expect(throws: QueryError.self) {
            try await QueryEngine(limits: limits).funnel(
                try Self.funnel(["list", "cart"]), now: 0, over: Self.sources(events: events))
        }
        #expect(error?.message.contains("Ask for a shorter time") == true)
    }

    @Test
    func `a cancelled funnel ends`() async throws {
        let sources = Self.sources(events: (0..<2_000).map { Self.record("list", Int64($0), "s\($0)") })
        let funnel = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await QueryEngine().funnel(try Self.funnel(["list", "cart"]), now: 0, over: sources)
        }
        await #expect(throws: CancellationError.self) { try await funnel.value }
    }

    @Test
    func `random funnels and flows are those of the oracle`() async throws {
        var reached = 0
        for seed in 0..<UInt64(400) {
            var random = SeededNumbers(seed: seed)
            let now = RandomRecords.now
            let records = (0..<2).map { _ in
                (0..<Int.random(in: 0..<80, using: &random)).map { _ in
                    var record = RandomRecords.record(using: &random)
                    // Many at the same time.
                    if random.chance(60) { record.time = now - Int64.random(in: 0..<40, using: &random) * Self.second }
                    return record
                }
            }
            let datasets: [Dataset] = [.spans, .events]
            let sources = zip(datasets, records).map { dataset, records in
                var table = ColumnTable()
                for record in records {
                    table.append(record)
                    if random.chance(3) { table.seal() }
                }
                return JourneySource(dataset, table.segments())
            }
            let related = RandomRelatedRecords()
            var limits = QueryEngine.Limits()
            limits.workers = random.pick([1, 2])
            let engine = QueryEngine(limits: limits, related: related)
            let conditions = try [
                "name = tap", "name = checkout", "status = error", "size > 20", "flag", "text exists",
                "session.crashed", "name in (tap, GET)", "any.name = tap", "duration > 0",
            ].map { try Condition(text: $0) }
            var funnel = FunnelQuery(
                steps: (0..<Int.random(in: 2...5, using: &random)).map { index in
                    FunnelStep("\(index)", random.pick(conditions), in: random.pick([nil, nil, nil, .spans, .events]))
                })
            funnel.key = .field(random.pick(["session.id", "user", "odd", "trace.id"]))
            funnel.bound = random.pick([1, 5, 20, 3_600, 100_000]) * Self.second
            funnel.condition = random.chance(30) ? random.pick(conditions) : nil
            funnel.group = random.chance(50) ? .field(random.pick(["status", "odd", "session.model", "user"])) : nil
            let time = TimeRange.last(nanoseconds: random.pick([30, 3_600, 10_000]) * Self.second)
            funnel.time = time
            let found = try await engine.funnel(funnel, now: now, over: sources)
            let plain = Array(zip(datasets, records)).map { (dataset: $0, records: $1) }
            let expected = try NaiveFunnel.evaluate(funnel, now: now, over: plain, related: related)
            #expect(found == expected, "seed \(seed)")
            reached += expected.steps.last?.reached ?? 0

            var flow = FlowQuery()
            flow.field = .field(random.pick(["name", "odd", "text", "session.model"]))
            flow.key = .field(random.pick(["session.id", "user"]))
            flow.condition = random.chance(50) ? random.pick(conditions) : nil
            flow.depth = Int.random(in: 2...6, using: &random)
            flow.limit = Int.random(in: 1...6, using: &random)
            flow.time = time
            let paths = try await engine.flow(flow, now: now, over: sources)
            #expect(
                try paths == NaiveFlow.evaluate(flow, now: now, over: plain, related: related),
                "flow of seed \(seed)")
        }
        // The funnels are not empty.
        #expect(reached > 100)
    }

    @Test
    func `the JSON form gives the same question again`() throws {
        let json = #"""
            {"by": "app.installation.id", "within": "30m", "where": "service.version = \"2\"", "group": "os.version",
             "time": "last 7d", "steps": [
               {"name": "List", "where": "app.screen.name = ProductList"},
               {"name": "Order", "of": "events", "where": "name = demo.order.placed or status = error"}]}
            """#
        let funnel = try FunnelQuery(json: Data(json.utf8))
        #expect(funnel.bound == 1_800 * Self.second)
        #expect(funnel.steps.map(\.dataset) == [nil, .events])
        #expect(try FunnelQuery(json: JSONEncoder().encode(funnel)) == funnel)
        let flow = try FlowQuery(json: Data(#"{"field": "url.path", "depth": 3, "time": "last 1h"}"#.utf8))
        #expect(flow.condition == nil)
        #expect(try FlowQuery(json: JSONEncoder().encode(flow)) == flow)
        #expect(try FlowQuery(json: Data("{}".utf8)) == FlowQuery())
    }

    @Test(arguments: [
        (#"{"steps": [{"name": "a", "where": "b = "}]}"#, "steps[0].where"),
        (#"{"steps": [{"name": "a", "where": "b", "of": "logs"}]}"#, "steps[0].of"),
        (#"{"steps": [], "within": "5 apples"}"#, "within"),
        (#"{"steps": [], "time": "yesterday"}"#, "time"),
        (#"{"steps": [], "windw": "1h"}"#, "windw"),
    ])
    func `a funnel that cannot be read names the place`(json: String, path: String) {
        let error = #expect(throws: QueryError.self) { try FunnelQuery(json: Data(json.utf8)) }
        #expect(error?.place == .path(path))
    }

    @Test
    func `a funnel needs two steps`() async throws {
        let error = await #expect(throws: QueryError.self) {
            try await QueryEngine().funnel(try Self.funnel(["list"]), now: 0, over: [])
        }
        #expect(error?.description == "steps: Expected 2 to 12 steps, found 1.")
    }
}
