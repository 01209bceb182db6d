import AstrolabeSeededRandomness
import AstrolabeTelemetryModel
import Testing

@testable import TelemetryBoards
@testable import TelemetryConsole

/// Objectives over a real SQLite file and a virtual clock.
@Suite(.timeLimit(.minutes(5)))
struct ObjectiveAlertTests {
    private static func board(_ objectives: KeyValuePairs<String, String>) -> String {
        let panels = objectives.map { "  - {title: \($0.key), objective: {\($0.value)}}\n" }
        return "title: Mine\npanels:\n" + panels.joined()
    }

    private static func request(at time: UInt64, isGood: Bool) -> LogRecordData {
        LogRecordData(
            timeUnixNano: time, severityNumber: 9, eventName: "request",
            attributes: ["outcome": isGood ? "good" : "bad"])
    }

    /// The share of requests that fail in a step of six minutes: an outage, a short one, and a slow burn.
    private static func failureRate(_ step: Int) -> Double {
        switch step {
        case 10..<16: 0.9
        case 30: 1
        case 40...: 0.1
        default: 0.002
        }
    }

    @Test
    func `the burn-rate alerts of six hours are those of plain counting`() async throws {
        let yaml = Self.board(["Requests": "query: 'ratio(where outcome = good) of events', target: 99%"])
        let scene = try await AlertScene(board: yaml)
        var oracle = try Board(yaml: yaml, file: "mine.yaml").rules.map { NaiveBurnAlert(rule: $0) }
        var random = SeededGenerator(seed: 65)
        var requests: [(time: Int64, isGood: Bool)] = []
        var count = 0
        for step in 0..<60 {
            let fresh = (0..<20).map { _ in
                let time = scene.now - UInt64.random(in: 0..<6 * AlertScene.minute, using: &random)
                return (time: time, isGood: Double.random(in: 0..<1, using: &random) >= Self.failureRate(step))
            }
            try await scene.ingest(fresh.map { Self.request(at: $0.time, isGood: $0.isGood) })
            requests += fresh.map { (time: Int64($0.time), isGood: $0.isGood) }
            let now = Int64(scene.now)
            let changes = await scene.monitor.evaluate(at: now).filter { $0.status.board == "mine" }
            for index in oracle.indices {
                let expected = oracle[index].change(at: now, requests)
                let found = changes.filter { $0.status.rule == oracle[index].rule }.map(\.change)
                #expect(found == [expected].compactMap(\.self), "\(oracle[index].rule.name), step \(step)")
                count += found.count
            }
            scene.advance(by: 6 * AlertScene.minute)
        }
        #expect(count >= 8)
        await scene.close()
    }

    /// A phone that was offline during an outage reports it a day later.
    @Test
    func `an objective hears late news once, although its cause is over`() async throws {
        let yaml = Self.board(["Requests": "query: 'ratio(where outcome = good) of events', target: 99%, window: 6h"])
        let scene = try await AlertScene(board: yaml)
        let name = "Requests: 14.4× burn"
        try await scene.ingest([Self.request(at: scene.now, isGood: true)])
        #expect(await scene.changes(of: name).isEmpty)
        scene.advance(by: 10 * AlertScene.minute)
        let happened = scene.now - 26 * AlertScene.hour
        try await scene.ingest((0..<5).map { Self.request(at: happened + $0, isGood: false) })
        let fired = await scene.changes(of: name)
        #expect(fired.map(\.change) == [.fired])
        #expect(fired.first?.event.happened.map { abs($0 - Int64(happened)) < 1_000 } == true)
        try await scene.restart()
        scene.advance(by: 10 * AlertScene.minute)
        #expect(await scene.changes(of: name).isEmpty)
        scene.advance(by: 2 * AlertScene.hour)
        #expect(await scene.changes(of: name).map(\.change) == [.recovered])
        await scene.close()
    }

    /// The three examples of the guide.
    @Test
    func `crash-free sessions, a route's latency and a screen's time to appear are objectives`() async throws {
        let scene = try await AlertScene(
            board: Self.board([
                "Sessions": "query: 'ratio(where crashed = false) of sessions', target: 99.5%",
                "Cart": "query: 'ratio(where duration < 500ms) where http.route = \"/api/cart\" and kind = server', "
                    + "target: 99%",
                "List": "query: 'ratio(where duration < 400ms) where name = \"app.screen.time_to_first_appear\" "
                    + "and app.screen.name = \"ProductList\"', target: 95%",
            ]))
        func span(_ name: String, _ number: UInt64, kind: SpanKind, milliseconds: UInt64, _ attributes: Attributes)
            -> SpanData
        {
            SpanData(
                context: SpanContext(traceID: TraceID(high: 7, low: number), spanID: SpanID(number)),
                parentSpanID: SpanID(0), name: name, kind: kind,
                startTimeUnixNano: scene.now - milliseconds * 1_000_000, endTimeUnixNano: scene.now,
                attributes: attributes, status: .unset)
        }
        try await scene.ingest([
            span("GET", 1, kind: .server, milliseconds: 900, ["http.route": "/api/cart"]),
            span("GET", 2, kind: .server, milliseconds: 100, ["http.route": "/api/cart"]),
            span("GET", 3, kind: .server, milliseconds: 100, ["http.route": "/api/products"]),
        ])
        try await scene.ingest(
            (10..<14 as Range<UInt64>).map { number in
                let milliseconds: UInt64 = number == 10 ? 700 : 90
                return span(
                    "app.screen.time_to_first_appear", number, kind: .internal, milliseconds: milliseconds,
                    ["app.screen.name": "ProductList"])
            })
        let sessions = ["a", "b", "c", "d", "e"]
        try await scene.ingest(
            sessions.map { session in
                LogRecordData(
                    timeUnixNano: scene.now, severityNumber: 9, eventName: session == "a" ? "app.crash" : "tap",
                    attributes: ["session.id": session])
            })
        _ = await scene.monitor.evaluate(at: Int64(scene.now))
        var values: [String: Double] = [:]
        for status in await scene.monitor.snapshot() where status.rule.name.hasSuffix(": 6× burn") {
            #expect(status.state.failure == nil)
            values[status.rule.name] = status.state.reading?.value
        }
        #expect(values == ["Sessions: 6× burn": 0.8, "Cart: 6× burn": 0.5, "List: 6× burn": 0.75])
        await scene.close()
    }
}

/// A burn-rate alert that counts requests one by one.
private struct NaiveBurnAlert {
    let rule: AlertRule
    private var evaluated: Int64?
    private var isFiring = false

    init(rule: AlertRule) {
        self.rule = rule
    }

    mutating func change(at now: Int64, _ requests: [(time: Int64, isGood: Bool)]) -> AlertState.Change? {
        if let evaluated, now - evaluated < rule.interval { return nil }
        evaluated = now
        let burns = [rule.window, rule.confirmation ?? 0].allSatisfy { time in
            let recent = requests.filter { $0.time > now - time && $0.time <= now }
            let good = recent.count { $0.isGood }
            return !recent.isEmpty && rule.threshold.isCrossed(by: Double(good) / Double(recent.count))
        }
        guard burns != isFiring else { return nil }
        isFiring = burns
        return burns ? .fired : .recovered
    }
}
