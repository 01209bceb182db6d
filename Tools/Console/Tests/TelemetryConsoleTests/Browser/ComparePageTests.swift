import BrowserKit
import Testing

@testable import TelemetryConsole

@Suite(
    .serialized, .timeLimit(.minutes(3)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct ComparePageTests {
    private static let start: UInt64 = 1_790_000_000_000_000_000

    /// A trace with a charge, and one span that the other trace does not have.
    private static func trace(_ id: String, charge: UInt64, extra: String) -> JSON {
        func span(_ name: String, _ number: Int, parent: String = "", after: UInt64, lasts: UInt64) -> OTLPBody.Span {
            OTLPBody.Span(
                trace: id, id: "00000000000000a\(number)", parent: parent, name: name,
                start: start + after * 1_000_000, end: start + (after + lasts) * 1_000_000, )
        }
        let root = "00000000000000a1"
        return OTLPBody.traces(
            [("service.name", "shop")],
            [
                span("POST /checkout", 1, after: 0, lasts: 50 + charge),
                span("charge", 2, parent: root, after: 10, lasts: charge),
                span(extra, 3, parent: root, after: 20 + charge, lasts: 5),
            ], )
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
                #expect(try await browser.errors() == [])
            }
        }
    }
}
