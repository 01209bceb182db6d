import AstrolabePlatform
import AstrolabeTelemetryModel
import BrowserKit
import ConsoleModel
import Foundation
import QueryOracle
import Testing

@testable import TelemetryConsole
@testable import TelemetryQuery

/// Tests of the columns that are filled from the store.
@Suite
struct QuerySourceTests {
    /// Small, so that a test has several reads.
    private static let limits = RecordColumns.Limits(chunk: 7, segmentRows: 16)

    /// Returns the number of spans that the store has, without the columns in memory.
    private static func stored(_ store: any TelemetryStore) async throws -> Int {
        try await RecordReader(store: try #require(store.arrivals), dataset: .spans)
            .records(after: 0, through: .max, limit: 100_000).records.count
    }

    @Test
    func `after each pass of retention the answer counts the records that are left`() async throws {
        try await ConsoleUnderTest.run({ $0.store.retention.bytes = 1 << 19 }) { console in
            let store = console.console.store
            let source = QuerySource(store, limits: Self.limits)
            var removed = 0
            for number in 0..<30 {
                let visit = ShopVisit.purchase(number: number)
                try await console.send(visit)
                if number % 5 == 4 { removed += try await store.applyRetention().evictedRecords }
                #expect(try await Self.count(source) == Double(Self.stored(store)))
            }
            #expect(removed > 0)
        }
    }

    @Test
    func `answers equal those of the evaluator that defines what is right, on the same rows`() async throws {
        try await ConsoleUnderTest.run { console in
            for number in 1...3 { try await console.send(ShopVisit.purchase(number: number)) }
            let store = console.console.store
            let arrivals = try #require(store.arrivals)
            let source = QuerySource(store, limits: Self.limits)
            for text in [
                "count, sum(duration), min(duration), max(duration) by name last 3650d every total",
                "count, count_distinct(trace.id) by service.name, kind where status != error last 3650d every total",
                "count by session.crashed, session.os.version last 3650d every total",
                "avg(duration), ratio(where status = error) by http.route last 3650d every total",
                "count of events by name, severity last 3650d every total",
            ] {
                let answer = try await source.answer(Query(text: text))
                let reader = RecordReader(store: arrivals, dataset: answer.query.dataset)
                let records = try await reader.records(after: 0, through: .max, limit: 100_000).records
                var plan = try QueryPlan(answer.query, now: Int64(clamping: store.configuration.now()))
                plan = try QueryPlan(answer.query, now: answer.result.window.end - 1)
                let expected = NaiveEvaluator.evaluate(
                    plan, over: records.map(\.record),
                    related: try await source.withColumns(
                        of: [], fields: answer.query.relatedFields, from: arrivals,
                    ) {
                        $0.engine.related
                    })
                #expect(!expected.rows.isEmpty)
                #expect(answer.result.rows.map(\.key) == expected.rows.map(\.key), "\(text)")
                for (row, right) in zip(answer.result.rows, expected.rows) {
                    for (value, number) in zip(row.values.totals, right.values.totals) {
                        let (value, number) = (try #require(value.number), try #require(number.number))
                        #expect(abs(value - number) <= 1e-9 * abs(number), "\(text)")
                    }
                }
            }
        }
    }

    private static func count(_ source: QuerySource) async throws -> Double? {
        try await source.answer(Query(text: "count last 3650d every total")).result.rows[0].values.totals[0].number
    }

    @Test
    func `records that retention removed are not counted, and later ones are`() async throws {
        let clock = Locked(UInt64(1_790_000_600_000_000_000))
        try await ConsoleUnderTest.run({
            $0.store.retention.age = .seconds(3_600)
            $0.store.now = { clock.withLock { $0 } }
            $0.store.elapsed = $0.store.now
        }) { console in
            let store = console.console.store
            let source = QuerySource(store, limits: Self.limits)
            var visits = (1...3).map { ShopVisit.purchase(number: $0) }
            let size = Double(visits[0].phoneSpans.count + visits[0].backendSpans.count)
            try await console.send(visits.removeFirst())
            #expect(try await Self.count(source) == size)
            clock.withLock { $0 += 1_800_000_000_000 }
            try await console.send(visits.removeFirst())
            #expect(try await Self.count(source) == 2 * size)
            clock.withLock { $0 += 2_400_000_000_000 }
            try await store.applyRetention()
            #expect(try await Self.count(source) == size)
            try await console.send(visits.removeFirst())
            #expect(try await Self.count(source) == 2 * size)
            clock.withLock { $0 += 9_000_000_000_000 }
            try await store.applyRetention()
            #expect(try await Self.count(source) == 0)
        }
    }

    @Test
    func `records without a session have that of their trace as soon as it arrives`() async throws {
        try await ConsoleUnderTest.run { console in
            let source = QuerySource(console.console.store, limits: Self.limits)
            func count() async throws -> Double? {
                let query =
                    "count where service.name = \"shop-backend\" and session.os.name = \"iOS\" last 3650d every total"
                return try await source.answer(Query(text: query)).result.rows.first?.values.totals[0].number
            }
            let visits = (1...2).map { ShopVisit.purchase(number: $0) }
            for visit in visits { try await console.send(visit.backendTraceBody, to: .traces) }
            #expect(try await count() ?? 0 == 0)
            try await console.send(visits[0].phoneTraceBody, to: .traces)
            #expect(try await count() == Double(visits[0].backendSpans.count))
            try await console.send(visits[1].phoneTraceBody, to: .traces)
            #expect(try await count() == Double(visits.reduce(0) { $0 + $1.backendSpans.count }))
        }
    }

    @Test
    func `older records are left out to bound memory, and the answer says so`() async throws {
        try await ConsoleUnderTest.run { console in
            for number in 1...3 { try await console.send(ShopVisit.purchase(number: number)) }
            let source = QuerySource(
                console.console.store, limits: RecordColumns.Limits(rows: 10, chunk: 7, segmentRows: 4))
            let answer = try await source.answer(Query(text: "count last 3650d every total"))
            let count = try #require(answer.result.rows[0].values.totals[0].number)
            #expect((7...10).contains(count))
            #expect(
                answer.warnings == ["Older records are left out. The query covers the newest \(Int(count)) spans."])
            #expect(answer.omissions == answer.warnings)
            // Those that are left out are older than the time of this one.
            #expect(try await source.answer(Query(text: "count last 1h every total")).omissions == [])
        }
    }

    /// Events of a service, each with so many attributes that no other has.
    private static func noise(_ events: Int, keys: Int, from service: String) -> [ResourceGroup<LogRecordData>] {
        let records = (0..<events).map { event in
            var record = LogRecordData(timeUnixNano: 1_790_000_000_000_000_000 + UInt64(event), eventName: "noise")
            for key in 0..<keys { record.attributes["key \(event * keys + key)"] = 1 }
            return record
        }
        return group(records, from: service)
    }

    private static func group(_ records: [LogRecordData], from service: String) -> [ResourceGroup<LogRecordData>] {
        [
            ResourceGroup(
                resource: Resource(attributes: ["service.name": service]),
                scopes: [ScopeGroup(scope: InstrumentationScope(name: "test"), records: records)])
        ]
    }

    @Test
    func `a service with a million keys takes none from another one`() async throws {
        try await ConsoleUnderTest.run { console in
            let store = console.console.store
            let source = QuerySource(store)
            try await store.ingest(logs: Self.noise(1_000, keys: 20, from: "noisy"))
            let orders = (0..<50).map { index in
                var record = LogRecordData(timeUnixNano: 1_790_000_001_000_000_000 + UInt64(index), eventName: "order")
                record.attributes["checkout.amount"] = 2
                return record
            }
            try await store.ingest(logs: Self.group(orders, from: "quiet"))
            let query = "sum(checkout.amount) of events where name = \"order\" last 3650d every total"
            let answer = try await source.answer(Query(text: query))
            #expect(answer.result.rows.first?.values.totals.first?.number == 100)
            #expect(answer.warnings.count == 1)
            #expect(answer.warnings.first?.hasPrefix("1000 or more attributes of noisy are left out") == true)
        }
    }

    @Test
    func `a query of what was left out is refused for that time, and answered afterwards`() async throws {
        try await ConsoleUnderTest.run { console in
            let store = console.console.store
            let source = QuerySource(store, limits: Self.limits)
            let names = (0..<SegmentBuilder.keysPerService + 40).map { "key \($0)" }
            func send(at time: UInt64) async throws {
                var record = LogRecordData(timeUnixNano: time, eventName: "noise")
                for name in names { record.attributes[name] = 1 }
                try await store.ingest(logs: Self.group([record], from: "noisy"))
            }
            try await send(at: 1_790_000_000_000_000_000)
            func ask(_ name: String, _ rest: String = "") async throws -> Double? {
                let query = "sum(`\(name)`) of events where name = \"noise\" \(rest) last 3650d every total"
                return try await source.answer(Query(text: query)).result.rows.first?.values.totals.first?.number
            }
            var refused: [String] = []
            for name in names {
                do {
                    #expect(try await ask(name) == 1)
                } catch let error as QueryError {
                    #expect(error.message.hasPrefix("noisy sent more than 500 attributes"))
                    refused.append(name)
                }
            }
            #expect((40...60).contains(refused.count))
            // Nobody else is refused.
            let quiet = try await ask(refused[0], "and service.name = \"quiet\"")
            #expect(quiet == nil || quiet == 0)
        }
    }

    @Test
    func `queries that are asked at the same time have the same answer`() async throws {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            let source = QuerySource(console.console.store, limits: Self.limits)
            let counts = try await withThrowingTaskGroup(of: Double?.self) { tasks in
                for _ in 0..<8 { tasks.addTask { try await Self.count(source) } }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            let size = Double(visit.phoneSpans.count + visit.backendSpans.count)
            #expect(counts == Array(repeating: size, count: 8))
        }
    }

    @Test
    func `whatever reads the columns counts as a query, and sees the current records`() async throws {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            let arrivals = try #require(console.console.store.arrivals)
            let source = QuerySource(
                console.console.store, limits: Self.limits,
                scheduler: QueryScheduler(QuerySchedule.Limits(queriesOfViewer: 3)))
            let (started, start) = AsyncStream.makeStream(of: Int.self)
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for _ in 0..<3 {
                    tasks.addTask {
                        try await source.withColumns(of: [.spans, .events], from: arrivals) { columns in
                            start.yield(
                                (columns.segments(of: .spans) + columns.segments(of: .events))
                                    .reduce(0) { $0 + $1.rowCount })
                            for await _ in ends {}
                        }
                    }
                }
                let all = visit.phoneSpans.count + visit.backendSpans.count + visit.events.count
                for await count in started.prefix(3) {
                    #expect(count == all + visit.backendLogs.count)
                }
                await #expect(throws: QueryRefusal.tooMany(limit: 3)) {
                    try await source.answer(Query(text: "count"))
                }
                end.finish()
                try await tasks.waitForAll()
            }
            #expect(try await Self.count(source) == Double(visit.phoneSpans.count + visit.backendSpans.count))
        }
    }
}
