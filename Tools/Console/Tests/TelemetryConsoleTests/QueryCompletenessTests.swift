import AstrolabePlatform
import AstrolabeTelemetryModel
import ConsoleModel
import ConsoleStore
import Foundation
import Testing

@testable import TelemetryConsole
@testable import TelemetryQuery

/// The completeness of answers, over a real SQLite file and a virtual clock.
@Suite
struct QueryCompletenessTests {
    private static let start: UInt64 = 1_790_000_100_000_000_000
    private static let hour: UInt64 = 3_600_000_000_000

    private let path: String

    init() throws {
        path = try Scratch.folder().appendingPathComponent("console.sqlite").path
    }

    private static func group<Record>(_ service: String, _ records: [Record]) -> [ResourceGroup<Record>] {
        var attributes: Attributes = ["service.name": service]
        if service == "shop" { attributes["app.installation.id"] = "i-1" }
        return [
            ResourceGroup(
                resource: Resource(attributes: attributes),
                scopes: [ScopeGroup(scope: InstrumentationScope(name: "test"), records: records)])
        ]
    }

    private static func events(_ count: UInt64, at time: UInt64) -> [LogRecordData] {
        (0..<count).map { number in
            LogRecordData(timeUnixNano: time + number, severityNumber: 9, eventName: "tap", attributes: [:])
        }
    }

    private static func ledger(created: Int64, delivered: Int64, pending: Int64, at time: UInt64) -> [MetricData] {
        [("created", created), ("delivered", delivered), ("pending", pending)].map { name, value in
            let place: Attributes = name == "pending" ? ["astrolabe.record.place": "queue"] : [:]
            return MetricData(
                name: "astrolabe.records.\(name)", unit: "{record}",
                data: .gauge([NumberPoint(attributes: place, timeUnixNano: time, value: .int(value))]))
        }
    }

    /// Runs `body` with a phone that sent 40 events two hours ago, and 10 of 30 events now, and with a backend.
    private func withPhone(_ body: (QuerySource) async throws -> Void) async throws {
        let clock = Locked(Self.start)
        var configuration = StoreConfiguration(path: path)
        configuration.now = { clock.withLock { $0 } }
        let store = try await SQLiteStore(configuration)
        let first = Self.ledger(created: 40, delivered: 40, pending: 0, at: Self.start)
        _ = try await store.ingest(logs: Self.group("shop", Self.events(40, at: Self.start)))
        _ = try await store.ingest(metrics: Self.group("shop", first))
        clock.withLock { $0 += 2 * Self.hour }
        let now = Self.start + 2 * Self.hour
        _ = try await store.ingest(logs: Self.group("shop", Self.events(10, at: now - 1_000)))
        // The three metrics of the ledger before are delivered.
        let second = Self.ledger(created: 73, delivered: 53, pending: 20, at: now - 2_000)
        _ = try await store.ingest(metrics: Self.group("shop", second))
        _ = try await store.ingest(logs: Self.group("backend", Self.events(1, at: now - 1_000)))
        try await body(QuerySource(store))
        await store.close()
    }

    @Test
    func `an answer says what the phone holds, for the time and for each step`() async throws {
        try await withPhone { source in
            let answer = try await source.answer(
                Query(text: "count of events where service.name = shop last 4h every 1h"))
            let window = try #require(answer.completeness?.window)
            #expect(window.total.pending == 20 && window.total.holding == 1 && !window.total.isEstimated)
            #expect(abs(window.total.share - 56.0 / 76) < 0.001, "50 events and 6 metrics: \(window.total)")
            #expect(window.steps.count == answer.result.window.stepCount)
            #expect(window.steps.compactMap { $0?.pending }.reduce(0, +) >= 18)
            var text = JSONText()
            try text.append(answer)
            #expect(text.string.contains(#""completeness":{"total":{"share":0.7368,"running":true,"pending":20"#))
            #expect(text.string.contains("1 phone holds 20 records"))
        }
    }

    @Test
    func `a comparison says that the times are not equally complete`() async throws {
        try await withPhone { source in
            let asked = "count of events where service.name = shop last 1h every total"
            #expect(try await source.answer(Query(text: asked)).warnings == [])
            let answer = try await source.answer(Query(text: asked + " compare previous"))
            let comparison = try #require(answer.completeness?.comparison)
            #expect(comparison.total.end - comparison.total.start == Int64(Self.hour))
            #expect(answer.warnings.count == 1)
            #expect(answer.warnings.first?.hasPrefix("The times are not compared at equal completeness: 57 %") == true)
        }
    }

    /// Runs `body` at the end of an hour of which a phone has sent 70 of 100 events and holds the others.
    ///
    /// - Parameter arrival: The minutes after which 70 of the 100 events of the hour before had arrived, from its
    ///   beginning. The others arrived after 65 minutes.
    private func withLateHours(arrival: UInt64 = 20, _ body: (QuerySource) async throws -> Void) async throws {
        let clock = Locked(Self.start)
        var configuration = StoreConfiguration(path: path)
        configuration.now = { clock.withLock { $0 } }
        let store = try await SQLiteStore(configuration)
        func time(_ minutes: UInt64) -> UInt64 { Self.start + minutes * (Self.hour / 60) }
        func send(_ count: UInt64, recordedAt minutes: UInt64, arrivingAt arrival: UInt64) async throws {
            clock.withLock { $0 = time(arrival) }
            _ = try await store.ingest(logs: Self.group("shop", Self.events(count, at: time(minutes))))
        }
        try await send(70, recordedAt: 10, arrivingAt: arrival)
        try await send(30, recordedAt: 15, arrivingAt: 65)
        // Until here the phone holds nothing, so what it holds later is of the second hour.
        let first = Self.ledger(created: 100, delivered: 100, pending: 0, at: time(65))
        _ = try await store.ingest(metrics: Self.group("shop", first))
        try await send(70, recordedAt: 70, arrivingAt: 80)
        clock.withLock { $0 = Self.start + 2 * Self.hour }
        let second = Self.ledger(created: 203, delivered: 173, pending: 30, at: Self.start + 2 * Self.hour - 1)
        _ = try await store.ingest(metrics: Self.group("shop", second))
        try await body(QuerySource(store))
        await store.close()
    }

    /// The numbers of the last hour and of the one before.
    private static func hours(_ answer: QuerySource.Answer) -> [Double?] {
        let row = answer.result.rows.first
        return [row?.values.totals.first?.number, row?.comparison?.totals.first?.number]
    }

    private static let question = "count of events where service.name = shop last 1h every total compare previous"

    @Test
    func `an hour of which 70 percent have arrived is compared with what had arrived of the one before at its age`()
        async throws
    {
        try await withLateHours { source in
            let answer = try await source.answer(Query(text: Self.question))
            #expect(Self.hours(answer) == [70, 70], "the events that arrived after their hour are no drop")
            #expect(answer.result.comparedRecords == 70)
            let completeness = try #require(answer.completeness)
            #expect(completeness.inequality == nil)
            #expect(completeness.comparedAsOf == Int64(Self.start + Self.hour))
            #expect(abs((completeness.comparison?.total.share ?? 0) - 0.7) < 0.001)
            #expect(
                answer.warnings == [
                    "The time before is counted as it looked when it was as old as this one is now: 70 % of it had "
                        + "arrived, and \(completeness.window.total.percent) of this one has."
                ])
            var text = JSONText()
            try text.append(answer)
            #expect(text.string.contains("\"asOfUs\":\((Self.start + Self.hour) / 1_000),\"completeness\":{\"total\":"))
        }
    }

    @Test
    func `sessions, and what records know of them, are as of now, and their comparison says that it is not equal`()
        async throws
    {
        try await withLateHours { source in
            for text in [
                Self.question.replacingOccurrences(of: "where", with: "where session.crashed not exists and"),
                "count of sessions last 1h every total compare previous",
            ] {
                let answer = try await source.answer(Query(text: text))
                #expect(answer.completeness?.comparedAsOf == nil, "\(text)")
                #expect(answer.warnings.contains { $0.hasPrefix("The times are not compared at equal") }, "\(text)")
            }
        }
    }

    @Test
    func `a time of which most arrived late, as by an import, is compared as of now`() async throws {
        try await withLateHours(arrival: 65) { source in
            let answer = try await source.answer(Query(text: Self.question))
            #expect(Self.hours(answer) == [70, 100])
            #expect(answer.completeness?.comparedAsOf == nil)
            #expect(answer.completeness?.inequality != nil)
        }
    }

    @Test
    func `nothing is said of a backend's records, or of the time of arrival`() async throws {
        try await withPhone { source in
            for text in [
                "count of events where service.name = backend last 4h", "count of events arriving last 4h",
            ] {
                let answer = try await source.answer(Query(text: text))
                #expect(answer.result.matchedRecords > 0)
                #expect(answer.completeness == nil, "\(text)")
            }
            let nothing = try await source.answer(Query(text: "count of events where name = none last 4h"))
            #expect(nothing.completeness != nil, "what is asked for may be on its way")
        }
    }
}
