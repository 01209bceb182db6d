import BrowserKit
import ConsoleModel
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
    @Test(arguments: [8, 90])
    func `an alert leads to the cause of the bad release in four clicks, minutes after the demo's start`(
        minutes: UInt64
    ) async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let history = HistorySettings.ofYesterday()
        let now = history.end + minutes * 60_000_000_000
        func adjust(_ configuration: inout ConsoleConfiguration) {
            configuration = ConsoleUnderTest.configuration(in: folder)
            configuration.store.now = { now }
        }
        var shopper = LiveShopper(start: history.end)
        let trips = shopper.trips(until: now)
        let next = shopper
        try await ConsoleUnderTest.run(adjust) { console in
            try await console.send(FleetHistory(history))
            for trip in trips { try await console.send(trip, to: .traces) }
        }
        // The first evaluation of the alerts finds the history.
        try await ConsoleUnderTest.run(adjust) { console in
            try await WebDriver.run { browser in
                var visitor = Visitor(browser: browser, console: console, shopper: next)
                try await browser.open(console.address)
                try await browser.run("performance.setResourceTimingBufferSize(10_000)")
                try await visitor.click(".nav-link[href=\"/alerts\"]")
                // The rows come one by one, as the alerts are evaluated.
                let firing = "[...document.querySelectorAll('.alerts tr.firing')]"
                let row = "\(firing).find((it) => it.textContent.includes('Checkout fails'))"
                try await browser.wait(until: row)
                let words = try await browser.run("return \(row).textContent").text ?? ""
                #expect(words.contains("2.2.0"), "\(words)")
                try await visitor.click(".alerts tr.firing a", text: "Checkout fails")
                try await visitor.click(".tab", text: "What is different?")
                try await visitor.click(".differences-head .chip", text: "Failed")
                #expect(visitor.clicks == 4)

                try await browser.wait(until: "document.querySelectorAll('\(Self.causes)').length > 1")
                try await Self.requireCauses(visitor)
                // The page goes on to follow the shopper, and keeps what it found.
                for _ in 0..<2 { try await visitor.seeTrip() }
                try await Self.requireCauses(visitor)
                let missing = try await visitor.texts(".difference-cards.by-presence h2")
                #expect(missing.contains { $0.hasSuffix("error.type") }, "found \(missing)")
                #expect(missing.contains("demo.order.id"), "found \(missing)")

                // A click on a value shows its records.
                try await visitor.click("\(Self.causes):first-child .difference-value:nth-of-type(1)")
                try await browser.wait(until: "location.search.includes('CHF')")
                try await browser.requireNoErrors()
            }
        }
    }

    /// The cards before those of attributes that one side lacks.
    private static let causes = ".difference-cards.by-value > .difference"

    private static func requireCauses(_ visitor: Visitor) async throws {
        let fields = try await visitor.texts("\(causes) h2")
        #expect(fields.first == "demo.currency.code", "found \(fields)")
        #expect(fields.prefix(2).contains { $0.hasSuffix("os.version") }, "found \(fields)")
        #expect(!fields.contains { ["demo.payment.card_type", "error.type", "demo.order.id"].contains($0) })
        let value = try await visitor.texts("\(causes):first-child .difference-value").first ?? ""
        // The share of the orders that failed, and beside it that of the others.
        let words = value.split(whereSeparator: \.isWhitespace)
        #expect(words.first == "CHF" && words.contains("·") && words.filter { $0 == "%" }.count == 2, "found \(value)")
    }

    /// A person who clicks, while the shopper goes on.
    private struct Visitor {
        let browser: WebDriver
        let console: ConsoleUnderTest
        var shopper: LiveShopper
        private(set) var clicks = 0

        init(browser: WebDriver, console: ConsoleUnderTest, shopper: LiveShopper) {
            self.browser = browser
            self.console = console
            self.shopper = shopper
        }

        mutating func click(_ selector: String, text: String? = nil) async throws {
            try await browser.click(selector, text: text)
            clicks += 1
            try await console.send(shopper.trip(), to: .traces)
        }

        /// Sends a trip, and waits until the page has asked its question again.
        mutating func seeTrip() async throws {
            let asked =
                "performance.getEntriesByType('resource').filter((it) => it.name.includes('/api/v1/query?')).length"
            let before = try await browser.run("return \(asked)").int ?? 0
            try await console.send(shopper.trip(), to: .traces)
            try await browser.wait(until: "\(asked) > \(before)")
        }

        func texts(_ selector: String) async throws -> [String] {
            try await browser.run("return [...document.querySelectorAll('\(selector)')].map((it) => it.innerText)")
                .elements.compactMap(\.text)
        }
    }
}
