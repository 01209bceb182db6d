import Testing

@testable import TelemetryBoards
@testable import TelemetryQuery

@Suite struct `An objective` {
    private static let hour: Int64 = 3_600_000_000_000

    private static func board(_ objective: String) throws(BoardError) -> Board {
        try Board(yaml: "title: A\npanels:\n  - {title: Checkout, objective: {\(objective)}}\n", file: "")
    }

    private static func rules(target: String, window: String = "28d") throws -> [AlertRule] {
        try board("query: 'ratio(where status != error) where kind = server', target: \(target), window: \(window)")
            .rules
    }

    /// The table of the SRE workbook, for an error budget of 0.1 %.
    @Test func `alerts at four burn rates, each over two windows`() throws {
        let rules = try Self.rules(target: "99.9%")
        #expect(rules.map(\.window) == [1, 6, 24, 72].map { $0 * Self.hour })
        #expect(rules.map { $0.confirmation ?? 0 } == [5, 30, 120, 360].map { $0 * Self.hour / 60 })
        #expect(rules.map(\.severity) == [.critical, .critical, .warning, .warning])
        for (rule, limit) in zip(rules, [0.9856, 0.994, 0.997, 0.999]) {
            guard case .below(let found) = rule.threshold else { throw NoLimit() }
            #expect(abs(found - limit) < 1e-12)
        }
        #expect(rules.map(\.name) == ["14.4×", "6×", "3×", "1×"].map { "Checkout: \($0) burn" })
        #expect(rules[0].note == "At this pace, the error budget of 28d lasts 47h.")
        #expect(rules[3].note == "At this pace, the error budget of 28d lasts 28d.")
        #expect(rules.map(\.interval) == [1, 6, 15, 15].map { $0 * Self.hour / 60 })
    }

    @Test func `has no alert for a rate that nothing can reach, and none over a window as long as its own`() throws {
        #expect(try Self.rules(target: "0.9").map(\.name) == ["6×", "3×", "1×"].map { "Checkout: \($0) burn" })
        #expect(try Self.rules(target: "99%", window: "1d").map(\.window) == [Self.hour, 6 * Self.hour])
    }

    @Test func `fires if both windows burn, and recovers when the shorter one does not`() throws {
        let rule = try #require(try Self.rules(target: "99%").first)
        var state = AlertState()
        func take(hour: Double, minutes: Double?, at time: Int64) -> [AlertState.Change] {
            let shorter = minutes.map { [AlertReading(value: $0)] } ?? []
            return state.take(
                rule.confirmed([AlertReading(value: hour)], by: shorter), of: rule, at: time
            ).map(\.change)
        }
        #expect(take(hour: 0.99, minutes: 0.5, at: 1) == [], "a short failure")
        #expect(take(hour: 0.8, minutes: 0.5, at: 2) == [.fired])
        #expect(take(hour: 0.8, minutes: 0.8, at: 3) == [])
        #expect(take(hour: 0.8, minutes: 1, at: 4) == [.recovered], "its cause is over")
        #expect(state.reading?.value == 1)
        #expect(take(hour: 0.8, minutes: nil, at: 5) == [], "nothing happened in the last minutes")
        #expect(rule.confirmingQuestion?.time == .last(nanoseconds: Self.hour / 12))
    }

    @Test func `survives writing as YAML and as JSON`() throws {
        let yaml = """
            title: A
            panels:
              - title: Sessions without a crash
                note: All releases.
                objective:
                  query: ratio(where crashed = false) of sessions
                  target: 99.5 %
                  window: 7d
                  webhook: $PAGER
                  format: pagerduty
                width: 4
            """
        let board = try Board(yaml: yaml, file: "")
        guard case .objective(let objective) = board.panels[0].content else { throw NoLimit() }
        #expect(abs(objective.target - 0.995) < 1e-12)
        #expect(objective.window == 168 * Self.hour)
        #expect(board.rules.allSatisfy { $0.webhook == Webhook(.variable("PAGER"), format: .pagerduty) })
        #expect(try Board(yaml: board.yaml, file: "") == board)
        #expect(try Board(json: board.json()) == board)
    }

    @Test(arguments: [
        ("query: 'ratio(where a = 1)'", "expected target"),
        ("query: count, target: 0.9", "expected one ratio(where …)"),
        ("query: 'ratio(where a = 1) by b', target: 0.9", "without by"),
        ("query: 'ratio(where a = 1)', target: 100%", "target: expected a share between 0 and 1"),
        ("query: 'ratio(where a = 1)', target: most", "target: expected a share between 0 and 1"),
        ("query: 'ratio(where a = 1)', target: 0.9, window: 1h", "expected a window between 1h and 90d"),
        ("query: 'ratio(where a = 1)', target: 0.9, format: slack", "expected only beside webhook"),
    ])
    func `that is wrong is refused with what was expected`(objective: String, message: String) {
        do {
            _ = try Self.board(objective)
            Issue.record("expected an error")
        } catch {
            #expect(error.description.contains(message), "\(error)")
        }
    }

    @Test func `shares its names with no other alert of the board`() {
        let panel = "  - {title: B, objective: {query: 'ratio(where a = 1)', target: 0.9}}\n"
        let alert = "alerts:\n  - {name: '1× burn', query: count, above: 1, window: 5m}\n"
        #expect(throws: BoardError.self) { try Board(yaml: "title: A\npanels:\n" + panel + panel, file: "") }
        let other = alert.replacing("1× burn", with: "B: 1× burn")
        #expect(throws: BoardError.self) { try Board(yaml: "title: A\npanels:\n" + panel + other, file: "") }
        #expect(throws: Never.self) { try Board(yaml: "title: A\npanels:\n" + panel + alert, file: "") }
        #expect(throws: BoardError.self) {
            let many = (1...6).map { panel.replacing("title: B", with: "title: B\($0)") }.joined()
            return try Board(yaml: "title: A\npanels:\n" + many, file: "")
        }
    }

    private struct NoLimit: Error {}
}
