import BrowserKit
import ConsoleModel
import Foundation
import ShopHistory
import Testing

@testable import TelemetryConsole

/// The second act of Docs/Guide/Demo.md, over the synthetic history of the demo.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct SecondActTests {
    @Test
    func `an alert leads to the cause of the bad release in four clicks`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let history = HistorySettings.ofYesterday()
        func adjust(_ configuration: inout ConsoleConfiguration) {
            configuration = ConsoleUnderTest.configuration(in: folder)
            configuration.store.now = { history.end }
        }
        try await ConsoleUnderTest.run(adjust) { console in try await console.send(FleetHistory(history)) }
        // The first evaluation of the alerts finds the history.
        try await ConsoleUnderTest.run(adjust) { console in
            try await WebDriver.run { browser in
                func click(_ text: String, in selector: String) async throws {
                    let found =
                        "[...document.querySelectorAll('\(selector)')].find((it) => it.innerText.trim() === '\(text)')"
                    try await browser.wait(until: found)
                    try await browser.run("\(found).click()")
                }
                try await browser.open(console.address)
                try await browser.wait(until: "document.querySelector('.nav-link[href=\"/alerts\"]')")
                try await browser.run("document.querySelector('.nav-link[href=\"/alerts\"]').click()")
                try await browser.wait(until: "document.querySelector('.alerts tr.firing')")
                try await click("Checkout fails", in: ".alerts tr.firing a")
                try await click("What is different?", in: ".tab")
                try await click("Failed", in: ".differences-head .chip")
                try await browser.wait(until: "document.querySelectorAll('.difference').length > 3")
                let fields =
                    try await browser.run(
                        "return [...document.querySelectorAll('.difference')].map((it) => it.innerText.split(/\\s/).slice(0, 1)[0]).join()"
                    ).text ?? ""
                #expect(fields.contains("demo.currency.code"), "found \(fields)")
                let currency =
                    try await browser.run(
                        "return [...document.querySelectorAll('.difference')].find((it) => it.innerText.includes('demo.currency.code')).querySelector('.difference-value').innerText"
                    ).text ?? ""
                #expect(currency.hasPrefix("CHF"), "found \(currency)")
                try await browser.requireNoErrors()
            }
        }
    }
}
