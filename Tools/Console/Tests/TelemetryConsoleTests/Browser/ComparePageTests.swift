import AstrolabePlatform
import BrowserKit
import Testing

@testable import TelemetryConsole

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct ComparePageTests {
    private static let start: UInt64 = 1_790_000_000_000_000_000

    /// A trace with a charge, and one span that the other trace does not have.
    private static func trace(_ id: String, charge: UInt64, extra: String) -> JSON {
        func span(_ name: String, _ number: Int, parent: String = "", after: UInt64, lasts: UInt64) -> OTLPBody.Span {
            OTLPBody.Span(
                trace: id, id: "00000000000000a\(number)", parent: parent, name: name,
                start: start + after * 1_000_000, end: start + (after + lasts) * 1_000_000)
        }
        let root = "00000000000000a1"
        return OTLPBody.traces(
            [("service.name", "shop")],
            [
                span("POST /checkout", 1, after: 0, lasts: 50 + charge),
                span("charge", 2, parent: root, after: 10, lasts: charge),
                span(extra, 3, parent: root, after: 20 + charge, lasts: 5),
            ])
    }

    @Test
    func `two traces are compared span by span, from the page of one of them`() async throws {
        let (fast, slow) = ("4bf92f3577b34da6a3ce929d0e0e4736", "4bf92f3577b34da6a3ce929d0e0e4737")
        try await ConsoleUnderTest.run { console in
            try await console.send(Self.trace(fast, charge: 100, extra: "ship"), to: .traces)
            try await console.send(Self.trace(slow, charge: 400, extra: "retry"), to: .traces)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/traces/\(fast)")
                try await browser.wait(until: "document.querySelectorAll('.span-row').length === 3")
                try await browser.click(".page-head a", text: "Compare")
                // The other trace with the same first span is offered.
                try await browser.wait(until: "document.querySelectorAll('.compare-choices button').length === 2")
                try await browser.run("document.querySelector('.compare-choices button').click()")
                try await browser.wait(until: "document.querySelectorAll('.compare-table tbody tr').length === 4")
                #expect(try await browser.run("return location.search").text == "?a=\(fast)&b=\(slow)")
                let summary = try await browser.run("return document.querySelector('.compare-summary').innerText").text
                #expect(
                    summary
                        == "B took 300 ms longer. Most of it: charge +300 ms of its own. 1 span only in A. 1 span only in B."
                )
                let rows = try await browser.run(
                    "return [...document.querySelectorAll('.compare-table tbody tr')].map((row) => [...row.querySelectorAll('td.end')].map((it) => it.innerText).join(' ')).join(', ')"
                )
                #expect(
                    rows.text
                        == "150 ms 450 ms +300 ms 0, 100 ms 400 ms +300 ms +300 ms, 5 ms –  −5 ms, – 5 ms  +5 ms")
                try await browser.press("x")
                try await browser.wait(
                    until: "document.querySelector('.compare-summary').innerText.startsWith('B took 300 ms less')")
                try await browser.requireNoErrors()
            }
        }
    }

    private static func visit(_ version: String, _ session: String, at start: UInt64, failed: Int) -> JSON {
        OTLPBody.traces(
            [("service.name", "shop"), ("service.version", .string(version))],
            (0..<40).map { index in
                OTLPBody.Span(
                    trace: "4bf92f3577b34da6a3ce929d0e0e\(session == "s-1" ? 1000 + index : 2000 + index)",
                    id: "00000000000000a1", parent: "", name: "GET", kind: 3, start: start,
                    end: start + 1_000_000,
                    attributes: [
                        ("session.id", .string(session)), ("http.request.method", "GET"),
                        ("url.template", "/api/cart"),
                    ],
                    error: index < failed ? "failed" : nil)
            })
    }

    @Test(arguments: [
        ("releases", "2.0.0", "2.1.0"), ("sessions", "s-1", "s-2"), ("windows", "previous", "24h"),
    ])
    func `two releases, sessions or times are compared by the same questions`(
        kind: String, first: String, second: String,
    ) async throws {
        try await Self.compare(
            kind, first, second, secondFailed: 20, expected: "10 % of 40 | 50 % of 40 | ▲ 400 % worse",
            color: "slower")
    }

    @Test
    func `a difference that may be chance has no color`() async throws {
        try await Self.compare(
            "releases", "2.0.0", "2.1.0", secondFailed: 8, expected: "10 % of 40 | 20 % of 40 | ▲ 100 % may be chance",
            color: "faint")
    }

    private static func compare(
        _ kind: String, _ first: String, _ second: String, secondFailed: Int, expected: String, color: String,
    ) async throws {
        let hour: UInt64 = 3_600_000_000_000
        let now = SystemTime.wall
        try await ConsoleUnderTest.run { console in
            try await console.send(Self.visit("2.0.0", "s-1", at: now - 30 * hour, failed: 4), to: .traces)
            try await console.send(Self.visit("2.1.0", "s-2", at: now - hour, failed: secondFailed), to: .traces)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/compare?of=\(kind)&time=7d")
                try await browser.wait(until: "document.querySelectorAll('.compare-groups').length >= 2")
                for (side, value) in [("A", first), ("B", second)] {
                    let text =
                        try await browser.run(
                            "return document.querySelector('select[aria-label=\(side)]').value"
                        ).text ?? ""
                    #expect(text.hasSuffix(value), "\(side)")
                }
                let row = """
                    [...document.querySelectorAll('.compare-groups tr')].find((row) => row.cells[0].innerText === '\
                    Requests that failed')
                    """
                let cells = try await browser.run(
                    "const row = \(row); return [...row.cells].slice(1).map((it) => it.textContent.trim()).join(' | ')")
                #expect(cells.text == expected)
                #expect(try await browser.run("return \(row).cells[3].classList.contains('\(color)')").bool == true)
                let note = try await browser.run("return document.querySelector('.compare').innerText").text ?? ""
                #expect(note.contains("larger than chance"))
                // The number leads to its records.
                try await browser.run("const row = \(row); row.querySelector('td:nth-child(3) a, td a').click()")
                try await browser.wait(until: "location.pathname === '/explore'")
                try await browser.requireNoErrors()
            }
        }
    }
}
