import BrowserKit
import ConsoleModel
import Foundation
import QueryOracle
import ShopHistory
import Testing

@testable import TelemetryConsole
@testable import TelemetryQuery

/// Questions of a mobile team, answered from the front page with at most four clicks, over two days of a fleet.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct TwentyQuestionsTests {
    /// The raw numbers of the result of a query in Explore.
    private static let table = """
        [...document.querySelectorAll('.tab-panel .results tbody tr')].map((row) => [...row.cells]
          .map((cell) => cell.title || cell.innerText.trim()))
        """

    private static func panel(_ title: String) -> String {
        """
        [...document.querySelectorAll('[aria-label="\(title)"] .results tbody tr')].map((row) => [...row.cells]
          .map((cell, index) => index ? cell.innerText.trim().replaceAll(',', '') : cell.innerText.trim()))
        """
    }

    private static func link(_ section: String) -> Question.Step { .click(".nav-link[data-section=\(section)]") }

    private static func explore(_ title: String) -> [Question.Step] {
        [link("explore"), .click("button", text: "Queries"), .click(".menu-item", text: title)]
    }

    private static func board(_ id: String) -> [Question.Step] {
        [link("boards"), .click(".board-card[href=\"/boards/\(id)\"]")]
    }

    private static func results(_ oracle: Oracle) throws -> [Question] {
        let percentile = 0.009
        let routes =
            "p50(duration), p95(duration), p99(duration) by http.route where kind = server and http.route exists last 24h"
        return [
            Question(
                title: "Which screen is the slowest, at p95?", steps: explore("Slowest screens"), answer: table,
                expected: try oracle.rows(
                    "p95(duration), count by app.screen.name where view.lifecycle = body and app.screen.name exists last 24h every total"
                ), tolerance: percentile, order: .ranked(column: 1)),
            Question(
                title: "How do p50, p95 and p99 of each route develop?", steps: explore("Latency by route"),
                readings: [
                    .init(
                        script: table, expected: try oracle.rows(routes + " every total"), tolerance: percentile,
                        order: .ranked(column: 1)),
                    try course(try oracle.result(routes)),
                ]),
            Question(
                title: "What is the error rate of each release?", steps: explore("Error rate by release"),
                answer: table,
                expected: try oracle.rows(
                    "ratio(where status = error), count by service.version where kind = client and device.model.identifier exists last 24h every total"
                )),
            Question(
                title: "How many sessions of each system are free of crashes?",
                steps: explore("Sessions without a crash by system"), answer: table,
                expected: try oracle.rows(
                    "ratio(where crashed = false), count of sessions by os.version last 24h every total")),
            Question(
                title: "How long do cold starts take, at p90, on each model?",
                steps: explore("Slow starts by device model"), answer: table,
                expected: try oracle.rows(
                    "p90(duration), count by device.model.identifier where name = app.start and astrolabe.start.type = cold last 24h every total"
                ), tolerance: percentile, order: .ranked(column: 1)),
        ]
    }

    private static func products(_ oracle: Oracle) throws -> [Question] {
        let revenue =
            "sum(demo.order.amount), avg(demo.order.amount), count of events by demo.currency.code where name = demo.order.placed last 24h every total"
        return [
            Question(
                title: "Which products are viewed most?", steps: board("business-metrics"),
                answer: panel("Most viewed products"),
                expected: try oracle.rows(
                    "count, count_distinct(session.id) of events by demo.product.name where name = demo.product.viewed last 24h limit 10 every total"
                )),
            Question(
                title: "What is the revenue in each currency? As a file.",
                steps: board("business-metrics") + [
                    .click("[aria-label=\"Menu of Revenue by currency\"]"), .click(".menu-item", text: "Save as CSV"),
                ], answer: "(globalThis.saved ?? '').split('\\n').map((line) => line.split(','))",
                expected: try [["demo.currency.code", "sum(demo.order.amount)", "avg(demo.order.amount)", "count"]]
                    + oracle.rows(revenue)),
        ]
    }

    private static func heatmap(_ oracle: Oracle) throws -> Question {
        let result = try oracle.result("heatmap(duration) where kind = server last 24h")
        let cells = try #require(result.rows.first).values.series.enumerated().flatMap { step, values in
            guard case .heatmap(let bins) = values[0] else { return [[String]]() }
            return bins.sorted { $0.low > $1.low }
                .map { ["\(step)", "\($0.low)", "\($0.high)", "\($0.count.rounded())"] }
        }
        return Question(
            title: "How is the latency of the backends distributed?", steps: explore("Latency of the backends"),
            readings: [
                .init(
                    script: "[[document.querySelector('.result-line').innerText.split(' ')[0]]]",
                    expected: [["\(result.matchedRecords)"]]),
                .init(
                    script: PageScript.tips(
                        of: result,
                        rows: "lines.map(([range, count]) => [step, ...range.split(' – ').map(number), number(count)])",
                    ),
                    expected: cells, tolerance: PageScript.rounding),
            ])
    }

    /// The values of each step in the charts of a query, which the pointer shows.
    private static func course(_ result: QueryResult) throws -> Question.Reading {
        let rows = result.calculations.enumerated().flatMap { index, calculation in
            result.rows.flatMap { row in
                row.values.series.enumerated().compactMap { step, values in
                    values[index].number.map { ["\(calculation)", row.key[0].text ?? "", "\(step)", "\($0)"] }
                }
            }
        }
        // The pointer shows the ten largest values of a step.
        try #require(result.rows.count <= 10)
        return Question.Reading(
            script: PageScript.tips(
                of: result, rows: "lines.map(([title, value]) => [caption, title, step, number(value)])"),
            expected: rows, tolerance: 0.009 + PageScript.rounding, order: .any)
    }

    private static func differences(_ oracle: Oracle) throws -> Question {
        let query = try Query(text: "count where kind = client last 24h every total")
        let result = NaiveEvaluator.differences(
            try QueryPlan(query, now: oracle.now), selection: try Condition(text: "status = error"),
            over: oracle.spans)
        // The page leaves out what the selection asks for, and what differs by too little.
        let cards = [false, true].flatMap { isPresence in
            result.attributes.filter { $0.isPresence == isPresence }.prefix(50)
        }.filter { $0.score > 0.005 && $0.field != "status" }
        func percent(_ share: Double) -> String {
            share > 0 && share < 0.005 ? "<1 %" : "\(Int((share * 100).rounded())) %"
        }
        let rows = cards.flatMap { card in
            card.values.prefix(6).map { value in
                let texts: [String] =
                    switch value.value {
                    case .exact(.missing): ["(missing)", ""]
                    case .exact(.string("")): ["(empty)", ""]
                    case .exact(let value): [value.text ?? "", ""]
                    case .range(let low, let high): ["\(low)", "\(high)"]
                    }
                return [card.field, percent(card.score)] + texts
                    + [percent(value.selected / result.selected), percent(value.rest / result.rest)]
            }
        }
        return Question(
            title: "Which attribute sets failing requests apart?",
            steps: explore("What failing requests have in common"),
            readings: [
                .init(
                    script: "[document.querySelector('.differences .tab-note').innerText.trim().split(/\\s+/)]",
                    expected: [
                        [
                            Self.count(result.selected), "selected", "records", "and", Self.count(result.rest),
                            "others",
                        ]
                    ]),
                .init(
                    script: """
                        [...document.querySelectorAll('.difference')].flatMap((card) => [...card.querySelectorAll('.difference-value')]
                          .map((value) => [card.querySelector('h2').textContent, card.querySelector('header .faint').textContent,
                            ...[...value.querySelector('.mono').textContent.split(' – ').map(\(PageScript.number)), ''].slice(0, 2),
                            .../: (\\S+ %) of the selected, (\\S+ %) of the others/.exec(value.title).slice(1)]))
                        """,
                    // Attributes that may differ by chance come last.
                    expected: rows, tolerance: PageScript.rounding, order: .any),
            ])
    }

    private static func backendErrors(_ oracle: Oracle) throws -> Question {
        let failed = oracle.spans.filter { $0.text("status") == "error" }
        let parents = Set(failed.compactMap { $0.text("parent.id") })
        let backend = failed.filter {
            $0.text("service.name") == "shop-server" && !parents.contains($0.text("span.id") ?? "")
        }
        var sessions: [String: String] = [:]
        for span in oracle.spans where span.text("service.name") == "astronomy-shop" {
            if let trace = span.text("trace.id"), let session = span.text("session.id") { sessions[trace] = session }
        }
        let last = backend.max { $0.time < $1.time }
        let session = try #require(last?.text("trace.id").flatMap { sessions[$0] })
        let expected = backend.filter { sessions[$0.text("trace.id") ?? ""] == session }
        return Question(
            title: "What failed in the backend during this session?",
            steps: [.click("[data-session=\"\(session)\"]"), .click(".chip[data-filter=backend-error]")],
            answer:
                "document.querySelector('.chip[data-filter=backend-error]').ariaPressed === 'true' ? [...document.querySelectorAll('[role=treeitem]')].map((it) => [it.ariaLabel.includes('backend, ') ? 'backend' : it.ariaLabel]) : []",
            expected: expected.map { _ in ["backend"] })
    }

    private static func funnel(_ oracle: Oracle) async throws -> Question {
        let result = try NaiveFunnel.evaluate(
            try await FunnelQuery.shipped(), now: oracle.now,
            over: [(.spans, oracle.spans), (.events, oracle.events)])
        return Question(
            title: "Where do people leave on the way to an order?", steps: [link("journeys")],
            answer: "[...document.querySelectorAll('.funnel-count')].map((it) => [it.firstChild.data])",
            expected: result.steps.map { ["\($0.reached)"] })
    }

    private static func map(_ oracle: Oracle) throws -> Question {
        let map = try NaiveServiceMap.evaluate(
            .last(nanoseconds: 86_400_000_000_000), now: oracle.now, over: oracle.spans)
        return Question(
            title: "Which service calls which, how often?", steps: [link("map")],
            answer: """
                [...document.querySelectorAll('.results tbody tr')]
                  .map((row) => [row.cells[0].innerText.trim(), row.cells[1].innerText.replaceAll(',', '')])
                """,
            expected: map.edges.map { ["\($0.from) → \($0.to)", "\(Int($0.calls.count.rounded()))"] })
    }

    private static func lists(_ oracle: Oracle) throws -> [Question] {
        let word = "shop_failed"
        let logs = oracle.events.filter { event in event.fields.values.contains { $0.text?.contains(word) == true } }
        var lengths: [String: (start: Int64, end: Int64, isFailed: Bool)] = [:]
        for span in oracle.spans {
            guard let trace = span.text("trace.id"), let duration = span.number("duration") else { continue }
            var length = lengths[trace] ?? (.max, .min, false)
            length.start = min(length.start, span.time)
            length.end = max(length.end, span.time + Int64(duration))
            length.isFailed = length.isFailed || span.number("http.response.status_code") == 500
            lengths[trace] = length
        }
        let slow = lengths.filter { $0.value.isFailed && $0.value.end - $0.value.start >= 1_000_000_000 }
        let devices = Dictionary(grouping: oracle.sessions) { $0.text("device.id") ?? "" }
        let device = try #require(devices.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) })
        return [
            Question(
                title: "Which records of all services contain this word?",
                steps: [link("logs"), .click(".search input"), .type(word)],
                answer:
                    "location.search.includes('q=') ? [[String(document.querySelectorAll('.logs .log-record').length)]] : []",
                expected: [["\(logs.count)"]]),
            Question(
                title: "Which traces took more than a second and answered 500?",
                steps: [
                    link("traces"), .click(".search input"), .type("http.response.status_code=500"),
                    .choose("[aria-label=\"Shortest duration\"]", value: "1000000"),
                ],
                answer:
                    "location.search.includes('minUs') ? [...document.querySelectorAll('.traces [data-trace]')].map((it) => [it.dataset.trace]) : []",
                expected: slow.sorted { $0.value.start > $1.value.start }.map { [$0.key] }),
            Question(
                title: "Which sessions did this device have?",
                steps: [link("devices"), .click("[data-device=\"\(device.key)\"]")],
                answer:
                    "location.pathname.startsWith('/devices/') ? [...document.querySelectorAll('[data-session]')].map((it) => [it.dataset.session]) : []",
                expected: device.value.sorted { $0.time > $1.time }.map { [$0.text("session.id") ?? ""] }),
        ]
    }

    private static func comparison(_ oracle: Oracle) throws -> Question {
        let result = try oracle.result(
            "count, p95(duration) by service.name last 1h compare previous every total")
        return Question(
            title: "How is this hour, against the last?", steps: explore("This hour and the one before"),
            answer: """
                [...document.querySelectorAll('.tab-panel .results tbody tr')].map((row) => [row.cells[0].innerText.trim(),
                  row.cells[1].title, row.cells[1].querySelector('.change').innerText.split(' from ')[1].replaceAll(',', ''), row.cells[2].title])
                """,
            expected: result.rows.map { row in
                let before = row.comparison?.totals.first?.number ?? 0
                return [
                    row.key[0].text ?? "", "\(row.values.totals[0].number ?? 0)", "\(before)",
                    "\(row.values.totals[1].number ?? 0)",
                ]
            }, tolerance: 0.009)
    }

    private static let lossyPhone: [(String, JSON)] = [
        ("service.name", "astronomy-shop"), ("app.installation.id", "phone-with-loss"),
        ("device.model.identifier", "iPhone14,6"),
    ]
    private static let lost = [(reason: "sampled out", count: 96), (reason: "evicted", count: 7)]

    /// A history of this size may lose nothing, so one more phone has a ledger with losses.
    private static var loss: Question {
        Question(
            title: "What was sampled out or lost on a device, and why?",
            steps: [link("devices"), .click("[data-device=phone-with-loss]")],
            answer: """
                [...document.querySelector('.panel .ledger-bar').ariaLabel.matchAll(/(\\d+) (evicted|sampled out)/g)]
                  .map((found) => [found[1], found[2]])
                """,
            expected: lost.map { ["\($0.count)", $0.reason] })
    }

    /// No request of the history takes so long and fails, so one of another service does.
    private static func slowFailure(before end: UInt64) -> JSON {
        OTLPBody.traces(
            [("service.name", "reports")],
            [
                OTLPBody.Span(
                    trace: "5b8efff798038103d269b633813fc60c", id: "eee19b7ec3c1b174", name: "GET /report", kind: 2,
                    start: end - 3_000_000_000, end: end - 1_600_000_000,
                    attributes: [("http.response.status_code", 500)], error: "the report has no end")
            ])
    }

    private static let alerts = """
        title: Orders
        alerts:
          - name: Orders fail
            query: count of events where name = "demo.order.failed"
            above: 0
            window: 24h
            every: 10s

        """

    private static func alert(_ oracle: Oracle) throws -> Question {
        let failed = oracle.count(of: .events) {
            $0.text("name") == "demo.order.failed" && $0.time >= oracle.now - 86_400_000_000_000
        }
        return Question(
            title: "Does an alert fire?", steps: [link("alerts")],
            answer: """
                [...document.querySelectorAll('.alerts tbody tr')].filter((row) => row.innerText.includes('Orders fail'))
                  .map((row) => [row.cells[0].innerText.trim(), row.cells[2].innerText.trim()])
                """,
            expected: [["Firing", "\(failed)"]])
    }

    /// A number as the page shows it.
    private static func count(_ number: Double) -> String {
        Int(number).formatted(.number.locale(Locale(identifier: "en_US")))
    }

    @Test
    func `each question is answered as the oracle answers it, with at most four clicks`() async throws {
        // Some answers are read from the rows of a page, so the history is small.
        let settings = HistorySettings.ofYesterday(sessions: 200)
        try await ConsoleUnderTest.run {
            $0.store.now = { settings.end }
            $0.alertInterval = .milliseconds(50)
        } _: { console in
            try await console.send(FleetHistory(settings))
            let account = LedgerAccount(time: settings.end, created: 500, delivered: 397, dropped: Self.lost)
            try await console.send(account.body(Self.lossyPhone), to: .metrics)
            try await console.send(Self.slowFailure(before: settings.end), to: .traces)
            let folder = console.console.configuration.boardsFolder
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(Self.alerts.utf8).write(to: folder.appendingPathComponent("orders.yaml"), options: .atomic)
            let oracle = try await Oracle(console.console.store)
            let questions =
                try await Self.results(oracle) + Self.products(oracle) + Self.lists(oracle) + [
                    Self.heatmap(oracle), Self.differences(oracle), Self.backendErrors(oracle), Self.funnel(oracle),
                    Self.map(oracle), Self.comparison(oracle), Self.alert(oracle), Self.loss,
                ]
            try await WebDriver.run { browser in
                for question in questions {
                    #expect(question.clicks <= Question.clickLimit, "\(question.title)")
                    #expect(
                        question.readings.allSatisfy { !$0.expected.isEmpty },
                        "\(question.title): the history has nothing to answer with")
                    do {
                        for (found, reading) in try await browser.answer(question, at: console.address) {
                            Issue.record("\(question.title)\nfound    \(found)\nexpected \(reading.expected)")
                        }
                    } catch {
                        Issue.record(error, "\(question.title)")
                    }
                }
                // The address of an answer gives it again, in a browser that knows nothing else.
                let shared = questions[0]
                _ = try await browser.answer(shared, at: console.address)
                let address = try await browser.run("return location.href").text ?? ""
                try await browser.run("sessionStorage.clear(); localStorage.clear();")
                try await browser.open(address)
                for (found, _) in try await browser.mistakes(in: shared) {
                    Issue.record("the address of an answer gives \(found)")
                }
                try await browser.requireNoErrors()
            }
        }
    }
}
