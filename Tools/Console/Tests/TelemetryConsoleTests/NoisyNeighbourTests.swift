import AstrolabeTelemetryModel
import AstrolabeTestSupport
import ConsoleModel
import ConsoleStore
import Foundation
import Logging
import Testing

@testable import TelemetryBoards
@testable import TelemetryConsole
@testable import TelemetryQuery

/// A hundred services over a console's real file, one of which sends attributes that never repeat.
@Suite(.timeLimit(.minutes(10))) struct `A noisy neighbour` {
    /// The number of the other services.
    private static let services = 99
    private static let eventsPerService = 20
    private static let start: UInt64 = 1_790_000_000_000_000_000
    /// The attributes of the noisy service: half of them on events, half on spans.
    private static let keys = Thoroughness.count(8_000, thorough: 1_000_000)
    private static let keysPerRecord = 20
    /// The services send in turns, and the noisy one before each turn.
    private static let turns = 9
    /// The services that are asked about one by one.
    private static let asked = Array(stride(from: 0, to: services, by: Thoroughness.count(10, thorough: 1)))
    private static let withAlerts = Array(stride(from: 0, to: services, by: 10))

    @Test func `changes no query, completion, board or alert of another service`() async throws {
        let alone = try await Self.answers(hasNoise: false)
        let beside = try await Self.answers(hasNoise: true)
        #expect(!alone.warnings.contains { $0.contains("noisy") })
        #expect(beside.warnings.contains { $0.contains("attributes of noisy are left out") })
        #expect(alone.rows.values.allSatisfy { !$0.isEmpty })
        #expect(alone.rows == beside.rows)
        #expect(alone.completions.values.allSatisfy { !$0.isEmpty })
        #expect(alone.completions == beside.completions)
        #expect(Set(alone.alerts.values) == [.firing, .ok])
        #expect(alone.alerts == beside.alerts)
    }

    private struct Answers: Sendable {
        var rows: [String: [ResultRow]] = [:]
        var completions: [String: [String]] = [:]
        var alerts: [String: AlertState.Phase] = [:]
        var warnings: [String] = []
    }

    private static func answers(hasNoise: Bool) async throws -> Answers {
        try await ConsoleUnderTest.run({
            $0.store.now = { start + 600_000_000_000 }
            $0.store.elapsed = $0.store.now
        }) { console in
            let source = QuerySource(console.console.store)
            for turn in 0..<turns { try await send(turn, hasNoise: hasNoise, to: console.console.store) }
            var answers = Answers()
            // Nobody has asked for a field yet, so none is kept for that reason.
            for dataset in ["events", "spans"] {
                let answer = try await source.answer(Query(text: "count of \(dataset) last 3650d every total"))
                answers.warnings += answer.warnings
            }
            for query in queries {
                let answer = try await source.answer(Query(text: query + " last 3650d every total"))
                answers.rows[query] = answer.result.rows
            }
            for text in ["count of events where http.route = "] + asked.map({ "sum(\(amount($0))" }) {
                answers.completions[text] = try await source.completions(at: text.count, in: text).items.map(\.text)
            }
            answers.alerts = try await alerts(source)
            return answers
        }
    }

    private static func name(_ service: Int) -> String { "service-\(service)" }

    /// An attribute that only one service sends.
    private static func amount(_ service: Int) -> String { "checkout.amount\(service)" }

    private static func send(_ turn: Int, hasNoise: Bool, to store: any TelemetryStore) async throws {
        if hasNoise {
            let records = noise(turn, keys / 2 / keysPerRecord / turns + 1)
            try await store.ingest(logs: [group("noisy", records.map { $0.event })])
            try await store.ingest(traces: [group("noisy", records.map { $0.span })])
        }
        let senders = (0..<services).filter { $0 % turns == turn }
        try await store.ingest(logs: senders.map { group(name($0), events(of: $0)) })
        try await store.ingest(traces: senders.map { group(name($0), spans(of: $0)) })
    }

    private static func group<Record>(_ service: String, _ records: [Record]) -> ResourceGroup<Record> {
        ResourceGroup(
            resource: Resource(attributes: ["service.name": service]),
            scopes: [ScopeGroup(scope: InstrumentationScope(name: "test"), records: records)])
    }

    /// Records with a route and attributes that no other has.
    private static func noise(_ turn: Int, _ count: Int) -> [(event: LogRecordData, span: SpanData)] {
        (0..<count).map { index in
            let number = turn * count + index
            var attributes: Attributes = ["http.route": "/noise/\(number)"]
            for key in 0..<keysPerRecord { attributes["checkout.noise\(number * keysPerRecord + key)"] = 1 }
            return (
                LogRecordData(timeUnixNano: start + UInt64(number), eventName: "noise", attributes: attributes),
                span(trace: 1, UInt64(number) + 1, "noise", attributes),
            )
        }
    }

    private static func events(of service: Int) -> [LogRecordData] {
        (0..<eventsPerService).map { index in
            LogRecordData(
                timeUnixNano: start + UInt64(index), eventName: "order",
                attributes: [amount(service): service + 1, "http.route": "/orders/\(service)"])
        }
    }

    private static func spans(of service: Int) -> [SpanData] {
        (0..<eventsPerService).map { index in
            let attributes: Attributes = [amount(service): index, "http.route": "/orders/\(service)"]
            return span(trace: UInt64(service) + 2, UInt64(index) + 1, "order", attributes, failed: index % 4 == 0)
        }
    }

    private static func span(
        trace: UInt64, _ id: UInt64, _ name: String, _ attributes: Attributes, failed: Bool = false,
    ) -> SpanData {
        SpanData(
            context: SpanContext(traceID: TraceID(high: 7, low: trace), spanID: SpanID(id)), name: name,
            kind: .server, startTimeUnixNano: start + id * 1_000, endTimeUnixNano: start + id * 2_000,
            attributes: attributes, status: failed ? .error("refused") : .unset)
    }

    private static var queries: [String] {
        let all = [
            "count, count_distinct(http.route) of events by service.name",
            "count, max(duration), ratio(where status = error) by service.name", "count by http.route",
        ].map { $0 + " where service.name != \"noisy\" limit 200" }
        let own = asked.flatMap { service in
            [
                "sum(\(amount(service))) of events where service.name = \"\(name(service))\"",
                "count, avg(\(amount(service))) by http.route where \(amount(service)) >= 0",
            ]
        }
        return all + own
    }

    /// A board's panels are queries as above. Its alerts fire for every other service.
    private static func alerts(_ source: QuerySource) async throws -> [String: AlertState.Phase] {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let rules = withAlerts.enumerated().map { index, service in
            """
              - name: \(name(service))
                query: count of events where \(amount(service)) > 0
                above: \(index.isMultiple(of: 2) ? eventsPerService - 1 : eventsPerService)
                window: 1h

            """
        }
        let board = "title: Mine\nalerts:\n" + rules.joined()
        try Data(board.utf8).write(to: folder.appendingPathComponent("mine.yaml"))
        let monitor = AlertMonitor(
            boards: BoardLibrary(folder: folder), queries: source, logger: Logger(label: "test"))
        _ = await monitor.evaluate(at: Int64(start))
        return await monitor.snapshot().filter { $0.board == "mine" }
            .reduce(into: [:]) { $0[$1.rule.name] = $1.state.phase }
    }
}
