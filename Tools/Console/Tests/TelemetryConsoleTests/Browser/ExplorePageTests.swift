import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// A day of requests in which checkouts in one currency fail.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct ExplorePageTests {
    private static let start: UInt64 = 1_790_000_000_000_000_000
    private static let hour: UInt64 = 3_600_000_000_000
    private static let shop: [(String, JSON)] = [("service.name", "shop")]

    /// 96 requests: every fourth is a checkout, every eighth is in CHF, and checkouts in CHF fail and take 2 s.
    private static var requests: [OTLPBody.Span] {
        (0..<96).map { number in
            let isCheckout = number % 4 == 0
            let currency = number % 8 == 0 ? "CHF" : ["EUR", "USD", "JPY"][number % 3]
            let fails = isCheckout && currency == "CHF"
            let begin = start + UInt64(number) * hour / 4
            return OTLPBody.Span(
                trace: hex(number, digits: 32), id: hex(number, digits: 16), name: isCheckout ? "POST" : "GET", kind: 3,
                start: begin, end: begin + (fails ? 2_000_000_000 : 20_000_000 + UInt64(number) * 1_000_000),
                attributes: [
                    ("session.id", .string("s-\(number / 8)")), ("demo.currency.code", .string(currency)),
                    ("url.path", isCheckout ? "/api/checkout" : "/api/products"),
                ], error: fails ? "declined" : nil)
        }
    }

    private static func hex(_ number: Int, digits: Int) -> String {
        let text = String(number + 1, radix: 16)
        return String(repeating: "0", count: digits - text.count) + text
    }

    private static func page(_ query: String, in console: ConsoleUnderTest) -> String {
        let text = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let microseconds = start / 1_000
        return "\(console.address)/explore?q=\(text)&time=\(microseconds)~\(microseconds + 24 * hour / 1_000)"
    }

    private static func explore(
        _ query: String, _ body: @escaping @Sendable (borrowing WebDriver, ConsoleUnderTest) async throws -> Void,
    ) async throws {
        try await ConsoleUnderTest.run { console in
            try await console.send(OTLPBody.traces(shop, requests), to: .traces)
            try await WebDriver.run { browser in
                try await browser.open(page(query, in: console))
                try await browser.wait(until: "document.querySelector('.results tbody tr')")
                // A chart is drawn when the browser reports its width, a frame after the table.
                try await browser.wait(
                    until:
                        "[...document.querySelectorAll('.plot .chart-frame')].every((frame) => frame.firstElementChild)"
                )
                try await body(browser, console)
                // The browser reports the response to a query that is not valid.
                try await browser.requireNoErrors(except: "400 (Bad Request)")
            }
        }
    }

    private static let rows =
        "[...document.querySelectorAll('.results tbody tr')].map((it) => it.innerText.replace(/\\s+/g, ' ').trim()).join()"

    @Test
    func `the groups of a query stand in the table and in a chart with axes`() async throws {
        try await Self.explore("count, p99(duration) by url.path") { browser, _ in
            let rows = try await browser.run("return \(Self.rows)").text
            #expect(rows?.hasPrefix("/api/products 72 ") == true && rows?.contains(",/api/checkout 24 2 s") == true)
            #expect(try await browser.run("return document.querySelectorAll('.plot').length").int == 2)
            let lines = "document.querySelectorAll('.plot path.trend:not(.unfinished)').length"
            #expect(try await browser.run("return \(lines)").int == 4)
            let ticks =
                try await browser.run(
                    "return [...document.querySelectorAll('.plot')].map((it) => [...it.querySelectorAll('.tick')].map((tick) => tick.textContent).join(' ')).join()"
                ).text ?? ""
            #expect(ticks.contains(" s "), "the second chart's axis is in seconds")
            #expect(
                try await browser.run("return document.querySelector('.result-line').innerText").text?.hasPrefix(
                    "96 records") == true)
        }
    }

    @Test
    func `Enter finishes a word that is only begun, and a query never has half of a calculation`() async throws {
        try await Self.explore("count") { browser, _ in
            func offers(_ text: String) -> String {
                "[...document.querySelectorAll('.completion li')].some((it) => it.textContent.startsWith('\(text)'))"
            }
            let field = "document.querySelector('[data-clause=calculate]')"
            try await browser.run("\(field).focus()")
            try await browser.type("p95")
            try await browser.wait(until: offers("p95("))
            try await browser.press(Key.enter)
            #expect(try await browser.run("return \(field).value").text == "p95(")
            // A calculation without its operand is no part of the query, even if the user goes elsewhere.
            try await browser.run("document.querySelector('[data-clause=by]').focus()")
            #expect(try await browser.run("return new URLSearchParams(location.search).get('q')").text == "count")
            try await browser.type("demo.curr")
            try await browser.wait(until: offers("demo.currency.code"))
            try await browser.press(Key.enter, Key.enter)
            try await browser.wait(
                until: "new URLSearchParams(location.search).get('q') === 'count by demo.currency.code'")
        }
    }

    @Test
    func `a value becomes a condition, and the browser's back button removes it`() async throws {
        try await Self.explore("count by demo.currency.code") { browser, _ in
            try await browser.run(
                "[...document.querySelectorAll('.results .cell')].find((it) => it.innerText === 'CHF').click()")
            try await browser.run(
                "[...document.querySelectorAll(':popover-open .menu-item')].find((it) => it.innerText === 'Only this').click()"
            )
            try await browser.wait(until: "\(Self.rows) === 'CHF 12'")
            #expect(
                try await browser.run("return new URLSearchParams(location.search).get('q')").text
                    == "count by demo.currency.code where demo.currency.code = \"CHF\"")
            try await browser.run("history.back()")
            try await browser.wait(
                until:
                    "\(Self.rows).startsWith('USD') || \(Self.rows).startsWith('EUR') || \(Self.rows).startsWith('JPY')"
            )
            #expect(try await browser.run("return document.querySelectorAll('.part').length").int == 2)
        }
    }

    @Test
    func `a box in the heatmap shows what is different about its records`() async throws {
        try await Self.explore("heatmap(duration)") { browser, _ in
            // Dispatches the events of a drag over the slow records, the upper half of the plot. Nothing replaces the
            // plot within one turn of the page.
            _ = try await browser.runAsync(
                """
                (function drag() {
                  const plot = document.querySelector('.plot canvas + svg');
                  if (!plot) return requestAnimationFrame(drag);
                  const box = plot.getBoundingClientRect();
                  const at = (type, x, y) => plot.dispatchEvent(new PointerEvent(type, { clientX: box.left + x, clientY: box.top + y, pointerId: 1, bubbles: true }));
                  plot.setPointerCapture = () => {};
                  at('pointerdown', 10, 12); at('pointermove', 200, 40); at('pointerup', box.width - 16, 60);
                  done(true);
                })();
                """)
            try await browser.wait(until: "document.querySelector('.difference')")
            let sides = try await browser.run("return document.querySelector('.differences .tab-note').innerText").text
            #expect(sides?.split(separator: " ").joined(separator: " ") == "12 selected records and 84 others")
            let best =
                try await browser.run(
                    "return [...document.querySelectorAll('.difference h2')].slice(0, 3).map((it) => it.innerText).join()"
                ).text ?? ""
            #expect(best.contains("demo.currency.code") && best.contains("status"), "found \(best)")
            try await browser.run(
                "[...document.querySelectorAll('.difference-value')].find((it) => it.innerText.includes('CHF')).click()"
            )
            try await browser.wait(until: "document.querySelector('.result-line').innerText.startsWith('12 records')")
        }
    }

    @Test
    func `the records, traces and sessions behind a number are one click away`() async throws {
        try await Self.explore("count where status = error") { browser, _ in
            try await browser.run(
                "[...document.querySelectorAll('.tab')].find((it) => it.innerText === 'Sessions').click()")
            try await browser.wait(until: "document.querySelector('.results a[href^=\"/sessions/s-\"]')")
            #expect(try await browser.run("return document.querySelectorAll('.results tbody tr').length").int == 12)
            try await browser.run(
                "[...document.querySelectorAll('.tab')].find((it) => it.innerText === 'Records').click()")
            try await browser.wait(until: "document.querySelectorAll('.records .log-record').length === 12")
            try await browser.run("document.querySelector('.records summary').click()")
            try await browser.wait(until: "document.querySelector('.record-fields')")
            try await browser.run(
                "[...document.querySelectorAll('.tab')].find((it) => it.innerText === 'Traces').click()")
            try await browser.wait(until: "document.querySelector('.results a[href^=\"/traces/\"]')")
            try await browser.run("document.querySelector('.results a').click()")
            try await browser.wait(
                until: "location.pathname.startsWith('/traces/') && document.body.innerText.includes('declined')")
        }
    }

    @Test
    func `a query becomes a panel of a board`() async throws {
        try await Self.explore("count by url.path") { browser, console in
            func click(_ text: String, in selector: String) async throws {
                try await browser.run(
                    "[...document.querySelectorAll('\(selector)')].find((it) => it.innerText.trim() === '\(text)').click()"
                )
            }
            try await click("Export", in: "header button")
            try await click("Add to a board…", in: ":popover-open .menu-item")
            try await browser.wait(until: "document.querySelector('.form-dialog[open] select')")
            try await browser.run(
                "const form = document.querySelector('.form-dialog'); form.querySelector('select').value = 'error-monitoring'; form.querySelector('input').value = 'Paths'"
            )
            try await click("Add", in: ".form-dialog button")
            try await browser.wait(until: "location.pathname === '/boards/error-monitoring'")
            try await browser.wait(until: "document.querySelector('.board-panel[aria-label=Paths] .trend')")
            let board = try await console.get("/api/v1/boards/error-monitoring")["board"]
            #expect(board["panels"].elements.last?["query"].text == "count by url.path")
        }
    }

    @Test
    func `an error names its place, and completion offers the fields and values of the data`() async throws {
        try await Self.explore("count") { browser, _ in
            try await browser.run(
                "[...document.querySelectorAll('.builder button')].find((it) => it.innerText === 'Edit as text').click()"
            )
            try await browser.wait(until: "document.activeElement.matches('.query-line')")
            try await browser.run("document.activeElement.select()")
            try await browser.type("count by nope(")
            try await browser.press(Key.escape, Key.enter)
            try await browser.wait(until: "document.querySelector('.query-problem mark')")
            #expect(
                try await browser.run("return document.querySelector('.query-problem').innerText").text?.contains(
                    "Expected") == true)

            try await browser.run(
                "const line = document.querySelector('.query-line'); line.value = 'count'; line.dispatchEvent(new Event('change'))"
            )
            try await browser.wait(until: "!document.querySelector('.query-problem mark')")
            try await browser.run("document.querySelector('[data-clause=where]').focus()")
            try await browser.type("demo.cur")
            try await browser.wait(
                until:
                    "[...document.querySelectorAll('.completion:not([hidden]) li')].some((it) => it.innerText.startsWith('demo.currency.code'))"
            )
            try await browser.press(Key.tab)
            try await browser.type(" = ")
            try await browser.wait(
                until:
                    "[...document.querySelectorAll('.completion:not([hidden]) li')].some((it) => it.innerText.includes('CHF'))"
            )
            try await browser.type("CHF")
            try await browser.press(Key.escape, Key.enter)
            try await browser.wait(until: "document.querySelector('.result-line').innerText.startsWith('12 records')")
        }
    }
}
