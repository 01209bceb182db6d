import BrowserKit
import ConsoleModel
import DemoFixture
import Foundation
import ShopHistory
import Testing

@testable import TelemetryConsole

/// The second act of Docs/Guide/Demo.md, over the synthetic history of the demo and what its shopper has sent since.
///
/// The console's clock is that of the demo at its age.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct SecondActTests {
    @Test(arguments: DemoHistory.ages)
    func `an alert leads to the cause of the bad release in the clicks of the demo's page, minutes after its start`(
        age: UInt64
    ) async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let history = DemoHistory(.ofYesterday(), age: age)
        func adjust(_ configuration: inout ConsoleConfiguration) {
            configuration = ConsoleUnderTest.configuration(in: folder)
            configuration.store.now = { history.now }
        }
        let step = try DemoPage.read().step("From the alert to the cause")
        let shopper = try await ConsoleUnderTest.run(adjust) { console in
            try await history.send(to: console.address)
        }
        // The first evaluation of the alerts finds the history.
        try await ConsoleUnderTest.run(adjust) { console in
            await shopper.move(to: console.address)
            try await WebDriver.run { browser in
                var presenter = DemoPresenter(step) { try await shopper.shopOnce() }
                try await browser.open(console.address)
                try await browser.run("performance.setResourceTimingBufferSize(10_000)")
                try await presenter.click(through: "Alerts", in: browser)
                // The rows come one by one, as the alerts are evaluated.
                let firing = "[...document.querySelectorAll('.alerts tr.firing')]"
                let row = "\(firing).find((it) => it.textContent.includes('Checkout fails'))"
                try await browser.wait(until: row)
                let words = try await browser.run("return \(row).textContent").text ?? ""
                #expect(words.contains("2.2.0"), "\(words)")
                try await presenter.click(through: "Failed", in: browser)
                try presenter.finish()

                try await browser.wait(until: "document.querySelectorAll('\(Self.causes)').length > 1")
                try await Self.requireCauses(in: browser)
                // The page goes on to follow the shopper, and keeps what it found.
                for _ in 0..<2 { try await Self.see(shopper, in: browser) }
                try await Self.requireCauses(in: browser)
                let missing = try await Self.texts(".difference-cards.by-presence h2", in: browser)
                #expect(missing.contains { $0.hasSuffix("error.type") }, "found \(missing)")
                #expect(missing.contains("demo.order.id"), "found \(missing)")

                // A click on a value asks about its records alone.
                try await browser.click("\(Self.causes):first-child .difference-value:nth-of-type(1)")
                try await browser.wait(until: "location.search.includes('CHF')")
                try await browser.requireNoErrors()
            }
        }
    }

    /// The cards before those of attributes that one side lacks.
    private static let causes = ".difference-cards.by-value > .difference"

    private static func requireCauses(in browser: WebDriver) async throws {
        let fields = try await texts("\(causes) h2", in: browser)
        #expect(fields.first == "demo.currency.code", "found \(fields)")
        #expect(fields.prefix(2).contains { $0.hasSuffix("os.version") }, "found \(fields)")
        #expect(!fields.contains { ["demo.payment.card_type", "error.type", "demo.order.id"].contains($0) })
        let value = try await texts("\(causes):first-child .difference-value", in: browser).first ?? ""
        // The share of the orders that failed, and beside it that of the others.
        let words = value.split(whereSeparator: \.isWhitespace)
        #expect(words.first == "CHF" && words.contains("·") && words.filter { $0 == "%" }.count == 2, "found \(value)")
    }

    /// Lets the shopper make a trip, and waits until the page has asked its question again.
    private static func see(_ shopper: RunningShopper, in browser: WebDriver) async throws {
        let asked =
            "performance.getEntriesByType('resource').filter((it) => it.name.includes('/api/v1/query?')).length"
        let before = try await browser.run("return \(asked)").int ?? 0
        try await shopper.shopOnce()
        try await browser.wait(until: "\(asked) > \(before)")
    }

    private static func texts(_ selector: String, in browser: WebDriver) async throws -> [String] {
        try await browser.run("return [...document.querySelectorAll('\(selector)')].map((it) => it.innerText)")
            .elements.compactMap(\.text)
    }
}
