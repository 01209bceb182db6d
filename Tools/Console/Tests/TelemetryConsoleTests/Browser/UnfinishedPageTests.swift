import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// A chart of records that have not all arrived.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct UnfinishedPageTests {
    private static let phone: [(String, JSON)] = [
        ("service.name", "shop"), ("app.installation.id", "i-1"), ("os.name", "iOS"),
    ]

    /// A phone that has sent 10 of the 30 events of an hour that is over, and a ledger that says so.
    private static func send(to console: ConsoleUnderTest) async throws {
        let time = UInt64(Date().timeIntervalSince1970) * 1_000_000_000 - 70 * 60_000_000_000
        let events = (0..<10).map { number in
            OTLPBody.Event(name: "tap", time: time + UInt64(number), attributes: [("session.id", "s-1")])
        }
        try await console.send(OTLPBody.logs(phone, events), to: .logs)
        let ledger = LedgerAccount(time: time, created: 30, delivered: 10, queue: 20)
        try await console.send(ledger.body(phone), to: .metrics)
    }

    @Test
    func `dashes the step that is not finished, and says what the phone holds`() async throws {
        try await ConsoleUnderTest.run { console in
            try await Self.send(to: console)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/explore?time=4h&q=count%20of%20events%20every%201h")
                try await browser.wait(until: "document.querySelector('.plot .trend.unfinished')?.getAttribute('d')")
                let mark = try await browser.run("return document.querySelector('.unfinished-mark').textContent").text
                #expect(mark?.hasPrefix("41 %") == true, "10 events and 4 metrics of 34: \(mark ?? "none")")
                let picture = "document.querySelector('.plot svg').getAttribute('aria-label')"
                let label = try await browser.run("return \(picture)").text ?? ""
                #expect(label.contains("has arrived; 1 phone holds 20 records"), "\(label)")
                let status = try await browser.run("return document.querySelector('.result-line').innerText").text ?? ""
                #expect(status.contains("1 phone holds 20 records"), "\(status)")

                try await browser.click(".chart-table summary")
                let head =
                    "[...document.querySelectorAll('.chart-table th[scope=col]')].map((it) => it.innerText).join()"
                try await browser.wait(until: "\(head) === 'Time,all,Arrived'")
                let cells = "[...document.querySelectorAll('.chart-table tbody tr')].map((it) => it.cells[2].innerText)"
                #expect(try await browser.run("return \(cells).includes('41 %')").bool == true)
                try await browser.requireNoErrors()
            }
        }
    }
}
