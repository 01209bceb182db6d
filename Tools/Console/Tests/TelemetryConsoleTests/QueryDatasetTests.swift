import AstrolabeSeededRandomness
import AstrolabeTelemetryModel
import BrowserKit
import ConsoleModel
import Foundation
import Symbolication
import Testing

@testable import TelemetryConsole
@testable import TelemetryQuery

/// Queries of sessions, issues and metrics, over a real SQLite file and a real socket.
@Suite
struct QueryDatasetTests {
    private static func rows(_ console: ConsoleUnderTest, _ query: String) async throws -> [JSONResponse] {
        let text = "\(query) last 3650d every total"
        let encoded = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return try await console.get("/api/v1/query?q=\(encoded)")["rows"].elements
    }

    private static func counts(_ console: ConsoleUnderTest, _ query: String) async throws -> [Int] {
        try await rows(console, query).compactMap { $0["values"][0].int }
    }

    @Test(arguments: TestedStore.all)
    func `a session is one row, with facts that grow`(store: TestedStore) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            try await console.send(ShopVisit.purchase(number: 1))
            var second = ShopVisit.purchase(number: 2)
            second.event("demo.order.placed", [("demo.order.amount", 49.5)])
            second.crash()
            try await console.send(second.phoneTraceBody, to: .traces)
            #expect(try await Self.counts(console, "count of sessions where crashed") == [0])
            #expect(try await Self.counts(console, "count of sessions") == [2])
            try await console.send(second.phoneLogBody, to: .logs)
            let crashed = try await Self.rows(
                console,
                "count, sum(order_value), max(crashes), max(duration) of sessions by session.id, converted, os.version "
                    + "where crashed and session.crashed and session.os.version = 18.1")
            #expect(crashed.map { $0["key"][0].text } == [second.session])
            #expect(crashed.first?["key"][1].bool == true)
            #expect(crashed.first?["values"][1].double == 49.5)
            let summary = try #require(try await console.console.store.session(second.session))
            #expect(crashed.first?["values"][2].int == summary.crashes)
            #expect(
                crashed.first?["values"][3].int == Int(summary.lastSeenUnixNano - summary.firstSeenUnixNano))
            #expect(try await Self.counts(console, "count of sessions by abandoned order abandoned asc") == [1, 1])
            #expect(try await Self.counts(console, "count where session.converted and session.hung = false") != [0])
        }
    }

    @Test(arguments: TestedStore.all)
    func `what crashed sessions have in common is found among sessions`(store: TestedStore) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            for number in 1...6 {
                var visit = ShopVisit.purchase(number: number)
                if number > 4 { visit.crash() }
                try await console.send(visit)
            }
            let answer = try await console.get(
                "/api/v1/query/differences?q=count%20of%20sessions%20last%203650d&selection=crashed")
            #expect(answer["selected"].int == 2)
            #expect(answer["rest"].int == 4)
            let fields = answer["attributes"].elements.filter { $0["score"].double == 1 }.compactMap {
                $0["field"].text
            }
            #expect(fields.contains("crashed") && fields.contains("crashes"))
        }
    }

    @Test(arguments: TestedStore.all)
    func `a crash or hang is one row of issues, with its issue`(store: TestedStore) async throws {
        let program = try ShopProgram()
        defer { program.remove() }
        try await ConsoleUnderTest.run(on: store) { console in
            var trouble = Trouble(program: program)
            for user in 0..<3 {
                trouble.user = user
                trouble.time += 100
                try await console.console.store.ingest(logs: trouble.group([try trouble.crash()]))
            }
            let before = try await Self.rows(console, "count of issues by fingerprint, kind")
            #expect(before.map { $0["values"][0].int } == [3])
            #expect(before.first?["key"][1].text == "crash")
            #expect(before.first?["key"][0].text?.count == 32)
            // Symbols name the place, in rows that were read before.
            let symbols = SymbolStore(folder: console.console.configuration.symbolsFolder)
            try symbols.add(program.file)
            let after = try await Self.rows(
                console, "count, count_distinct(device.id) of issues by title, place, service.version")
            #expect(after.map { $0["values"][0].int } == [3])
            #expect(after.first?["values"][1].int == 3)
            let group = try await console.get("/api/v1/health/groups")["groups"][0]
            #expect(after.first?["key"][0].text == group["title"].text)
            #expect(after.first?["key"][1].text == group["place"].text)
            #expect(after.first?["key"][1].text?.contains("check(_:)") == true)
            #expect(after.first?["key"][2].text == trouble.version)
        }
    }

    @Test(arguments: TestedStore.all)
    func `the points of counters add up, cumulative or not`(store: TestedStore) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            var random = SeededGenerator(seed: 7)
            for temporality in [AggregationTemporality.delta, .cumulative] {
                var total: Int64 = 0
                var points: [NumberPoint] = []
                var sum = 0.0
                for second in 1...60 as ClosedRange<UInt64> {
                    if second == 30, temporality == .cumulative { total = 0 }
                    let step = Int64.random(in: 0...9, using: &random)
                    total += step
                    sum += Double(step)
                    points.append(
                        NumberPoint(
                            attributes: ["region": "eu"], startTimeUnixNano: 1_790_000_000_000_000_000,
                            timeUnixNano: 1_790_000_000_000_000_000 + second * 1_000_000_000,
                            value: .int(temporality == .delta ? step : total)))
                }
                // Some arrive late.
                var late: [NumberPoint] = []
                for index in [50, 41, 12, 11] { late.append(points.remove(at: index)) }
                for batch in [points, late] {
                    try await console.console.store.ingest(
                        metrics: [
                            ResourceGroup(
                                resource: Resource(attributes: ["service.name": "shop"]),
                                scopes: [
                                    ScopeGroup(
                                        scope: InstrumentationScope(name: "test"),
                                        records: [
                                            MetricData(
                                                name: "\(temporality)",
                                                data: .sum(batch, temporality: temporality, isMonotonic: true))
                                        ])
                                ])
                        ])
                    // The late points do not change what the earlier query counted.
                    _ = try await Self.rows(console, "count of metrics")
                }
                let rows = try await Self.rows(
                    console, "sum(value), count of metrics by region, service.name where name = \"\(temporality)\"")
                #expect(rows.first?["values"][0].double == sum)
                #expect(rows.first?["values"][1].int == 60)
                #expect(rows.first?["key"][0].text == "eu")
            }
        }
    }

    @Test(arguments: TestedStore.all)
    func `a histogram has count, sum, extremes and percentiles, and a gauge its value`(store: TestedStore) async throws
    {
        try await ConsoleUnderTest.run(on: store) { console in
            let histogram = HistogramPoint(
                timeUnixNano: 1_790_000_000_000_000_000, count: 4, sum: 10, min: 1, max: 4, bucketCounts: [2, 2],
                explicitBounds: [2])
            let gauge = NumberPoint(timeUnixNano: 1_790_000_000_000_000_000, value: .double(2.5))
            try await console.console.store.ingest(
                metrics: [
                    ResourceGroup(
                        resource: Resource(attributes: [:]),
                        scopes: [
                            ScopeGroup(
                                scope: InstrumentationScope(name: "test"),
                                records: [
                                    MetricData(
                                        name: "latency", unit: "s", data: .histogram([histogram], temporality: .delta),
                                    ),
                                    MetricData(name: "load", data: .gauge([gauge])),
                                ])
                        ])
                ])
            let rows = try await Self.rows(
                console,
                "sum(`count`), sum(`sum`), min(`min`), max(`max`), max(`p50`), max(value) of metrics by name, unit, kind "
                    + "order name asc")
            let latency = try #require(rows.first)
            #expect(latency["key"].elements.map(\.text) == ["latency", "s", "histogram"])
            #expect((0..<4).map { latency["values"][$0].double } == [4, 10, 1, 4])
            #expect(latency["values"][4].double == 2)
            #expect(rows.last?["values"][5].double == 2.5)
        }
    }
}
