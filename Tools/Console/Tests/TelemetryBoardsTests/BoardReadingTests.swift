import Foundation
import Testing

@testable import TelemetryBoards
@testable import TelemetryQuery

@Suite struct `A board file` {
    private static let file = """
        title: Checkout
        description: What happens between the cart and the order.
        time: last 6h
        variables:
          - name: Release
            field: service.version
            value: 2.1.0
        panels:
          - title: Slow routes
            note: By the backend.
            query: p95(duration), count by http.route where kind = server limit 5
            as: table
            width: 8
          - title: Steps
            funnel: {by: session, within: 30m, where: a = 1, group: os.version, steps: [{name: Cart, where: app.screen.name = Cart}, {name: Order, of: events, where: 'name = "demo.order.placed"'}]}
          - title: Screens
            flow: {field: app.screen.name, by: session.id}
        alerts:
          - name: Slow checkout
            query: p95(duration) where http.route = "/api/checkout"
            above: 500ms
            window: 10m
            every: 30s
            for: 3
            webhook: $CHECKOUT_WEBHOOK
            format: slack
        """

    @Test func `has panels, funnels, flows and alerts`() throws {
        let board = try Board(yaml: Self.file, file: "checkout.yaml")
        #expect(board.title == "Checkout")
        #expect(board.time.text == "last 6h")
        #expect(board.variables == [BoardVariable(name: "Release", field: "service.version", value: "2.1.0")])
        guard case .query(let query, as: .table) = board.panels[0].content else { throw NoQuery() }
        #expect(query.query.limit == 5)
        try #require(board.panels.map(\.width) == [8, 6, 6])
        guard case .funnel(let funnel) = board.panels[1].content else { throw NoQuery() }
        #expect(funnel.key == .field("session.id"))
        #expect(funnel.bound == 1_800_000_000_000)
        #expect(funnel.condition == (try Condition(text: "a = 1")))
        #expect(funnel.group == .field("os.version"))
        #expect(funnel.steps.map(\.name) == ["Cart", "Order"])
        #expect(funnel.steps.map(\.dataset) == [nil, .events])
        #expect(funnel.time == nil, "the board has one")
        #expect(board.panels[2].content == .flow(Flow(field: "app.screen.name", by: .field("session.id"))))
        let alert = try #require(board.alerts.first)
        #expect(alert.threshold == .above(500_000_000))
        #expect(alert.interval == 30_000_000_000)
        #expect(alert.times == 3)
        #expect(alert.webhook == Webhook(.variable("CHECKOUT_WEBHOOK"), format: .slack))
        #expect(
            alert.question.description == #"p95(duration) where http.route = "/api/checkout" last 10m every total"#)
    }

    @Test func `has the funnels that the page Journeys and the API have, with the same defaults`() throws {
        let panel = "title: A\npanels:\n  - title: B\n    funnel:"
        let plain = try Board(yaml: panel + "\n      steps: [{name: a, where: b}, {name: c, where: d}]", file: "")
        guard case .funnel(let funnel) = plain.panels[0].content else { throw NoQuery() }
        #expect(funnel.key == .field("app.installation.id"), "it survives the session change after an order")
        let asked = try FunnelQuery(
            json: Data(#"{"steps": [{"name": "a", "where": "b"}, {"name": "c", "where": "d"}]}"#.utf8))
        #expect(funnel == asked)
        for (word, field) in [
            ("session", "session.id"), ("installation", "app.installation.id"), ("user.id", "user.id"),
        ] {
            let json = #"{"by": "\#(word)", "steps": [{"name": "a", "where": "b"}, {"name": "c", "where": "d"}]}"#
            let board = try Board(yaml: panel + " " + json, file: "")
            guard case .funnel(let funnel) = board.panels[0].content else { throw NoQuery() }
            #expect(funnel.key == .field(field))
            #expect(funnel == (try FunnelQuery(json: Data(json.utf8))))
            #expect(board.yaml.contains("by: \(word)\n"))
        }
    }

    @Test func `survives writing as YAML and as JSON`() throws {
        let board = try Board(yaml: Self.file, file: "checkout.yaml")
        #expect(try Board(yaml: board.yaml, file: "") == board)
        #expect(try Board(json: board.json()) == board)
    }

    @Test(
        arguments: [
            ("panels: []", nil, "expected title"),
            ("title: A", nil, "expected panels or alerts"),
            (
                "title: A\npanel: []", 2,
                #"expected title, description, time, variables, panels or alerts, found "panel""#,
            ),
            ("title: A\npanels: yes", 2, #"panels: expected a list, found "yes""#),
            ("title: A\npanels:\n  - title: B", 3, "expected query, funnel, flow or objective, found none"),
            ("title: A\npanels:\n  - title: B\n    query: count\n    flow: {field: a, by: b}", 3, "found several"),
            ("title: A\npanels:\n  - title: B\n    query: cuont", 4, "query: Column 1: Expected a calculation"),
            ("title: A\npanels:\n  - title: B\n    query: count last 1h", 4, "query: Expected no time range"),
            (
                "title: A\npanels:\n  - title: B\n    query: count\n    as: pie", 5,
                #"as: expected line, bar, heatmap, number or table, found "pie""#,
            ),
            ("title: A\npanels:\n  - title: B\n    query: count\n    as: heatmap", 4, "expected as: heatmap with"),
            (
                "title: A\npanels:\n  - title: B\n    query: count\n    width: 13", 5,
                "width: expected a number from 2 to 12",
            ),
            (
                "title: A\ntime: soon\npanels:\n  - title: B\n    query: count", 2,
                "time: Column 1: Expected a time such as last 24h",
            ),
            (
                "title: A\npanels:\n  - title: B\n    funnel: {by: session.id, within: 30m, steps: [{name: a, where: b}]}",
                4, "at least two steps",
            ),
            (
                "title: A\npanels:\n  - title: B\n    funnel: {time: last 1h, steps: [{name: a, where: b}]}",
                4, "expected by, within, where, group or steps, found \"time\"",
            ),
            (
                "title: A\npanels:\n  - title: B\n    funnel:\n      steps:\n        - {name: a, of: sessions, where: b}",
                6, "of: expected spans or events",
            ),
            (
                "title: A\nalerts:\n  - name: B\n    query: count\n    window: 5m", 3,
                "expected above or below, found none",
            ),
            (
                "title: A\nalerts:\n  - name: B\n    query: count, rate\n    above: 1\n    window: 5m", 4,
                "expected one calculation",
            ),
            (
                "title: A\nalerts:\n  - name: B\n    query: count\n    above: much\n    window: 5m", 5,
                "above: expected a number",
            ),
            (
                "title: A\nalerts:\n  - name: B\n    query: count\n    above: 1\n    window: 5m\n    every: 1s", 7,
                "every: expected at least 10s",
            ),
            (
                "title: A\nalerts:\n  - name: B\n    query: count\n    above: 1\n    window: 5m\n    webhook: $B\n"
                    + "    format: irc", 8, "format: expected json, slack, teams or pagerduty",
            ),
            (
                "title: A\nalerts:\n  - name: B\n    query: count\n    above: 1\n    window: 5m\n    format: slack", 7,
                "format: expected only beside webhook",
            ),
            (
                "title: A\nalerts:\n  - {name: B, query: count, above: 1, window: 5m, format: pagerduty, "
                    + "webhook: 'http://127.0.0.1:9000/v2'}", 3, "webhook: expected an environment variable",
            ),
            ("title: A\ntitle: B", nil, "expected each key once, found twice: title"),
            ("title: [", 2, "expected YAML"),
        ] as [(String, Int?, String)])
    func `that is wrong is refused with its name, the line and what was expected`(
        yaml: String, line: Int?, message: String,
    ) throws {
        do {
            _ = try Board(yaml: yaml, file: "a.yaml")
            Issue.record("expected an error")
        } catch {
            #expect(error.description.hasPrefix("a.yaml"))
            #expect(error.description.contains(message), "\(error)")
            if let line { #expect(error.line == line, "\(error)") }
        }
    }

    @Test(arguments: [
        "https://hooks.example/services/T0/secret", "http://ada:secret@127.0.0.1:9000/hook",
        "http://127.0.0.1:9000@hooks.example/secret", "http://127.0.0.1:9000/v2#/secret",
    ])
    func `cannot name the address of a hosted webhook or a user, and an error does not repeat it`(address: String) {
        let yaml = """
            title: A
            alerts:
              - name: B
                query: count
                above: 1
                window: 5m
                webhook: \(address)
            """
        do {
            _ = try Board(yaml: yaml, file: "a.yaml")
            Issue.record("expected an error")
        } catch {
            #expect(error.line == 7)
            #expect(error.description.contains("environment variable"))
            #expect(!error.description.contains("/secret") && !error.description.contains("ada:"))
            #expect(!error.description.contains("hooks.example"))
        }
    }

    @Test func `is refused if it is larger than its limit`() throws {
        let yaml = "title: A\npanels:\n" + String(repeating: "  - title: B\n    query: count\n", count: 41)
        #expect(throws: BoardError.self) { try Board(yaml: yaml, file: "") }
        #expect(throws: BoardError.self) { try Board(yaml: String(repeating: " ", count: 65_537), file: "") }
    }

    @Test(
        arguments: [
            "a: b", "- a", "#x", "it's", #"say "hi""#, "tab\there", "two\nlines", "null", "true", "No", "12", "1e3",
            " a",
            "a ", "a #b", "@a", "`a`", "%a", "{a}", "[a]", "&a", "*a", "!a", "|", ">", "ü 日本", "\u{85}\u{2028}", "🚀",
            "~", "",
        ])
    func `keeps any text`(text: String) throws {
        guard !text.isEmpty else { return }
        var board = Board(title: text)
        board.description = text
        board.panels = [BoardPanel(title: text, content: .query(try BoardQuery("count"), as: .line))]
        #expect(try Board(yaml: board.yaml, file: "") == board)
        #expect(try Board(json: board.json()) == board)
    }

    private struct NoQuery: Error {}
}
