import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// The time zone of the pages in headless Chromium: named, chosen, and in links and files.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct TimeZonePageTests {
    private static let device = "5f3c2d0e-1a2b-4c3d-8e9f-100000000001"

    /// A session that began three days ago at 18:57:04 UTC, of a device in Tokyo.
    private static func send(to console: ConsoleUnderTest) async throws {
        let days = UInt64(Date().timeIntervalSince1970) / 86_400 - 3
        let start = (days * 86_400 + 18 * 3_600 + 57 * 60 + 4) * 1_000_000_000
        let resource: [(String, JSON)] = [
            ("service.name", "shop"), ("os.name", "iOS"), ("app.installation.id", .string(device)),
            ("astrolabe.device.timezone", "Asia/Tokyo"),
        ]
        let span = OTLPBody.Span(
            trace: String(repeating: "7", count: 32), id: "00f067aa0ba902b7", name: "work", start: start,
            end: start + 1_000_000_000, attributes: [("session.id", "s-1")])
        try await console.send(OTLPBody.traces(resource, [span]), to: .traces)
    }

    private static func run(
        _ body: @escaping @Sendable (WebDriver, ConsoleUnderTest) async throws -> Void
    ) async throws {
        try await ConsoleUnderTest.run { console in
            try await send(to: console)
            try await WebDriver.run { browser in try await body(browser, console) }
        }
    }

    private static let picker = "document.querySelector('[aria-label=\"Time zone\"]')"

    private static func choose(_ zone: String, _ browser: WebDriver) async throws {
        try await browser.run("\(picker).value = '\(zone)'; \(picker).dispatchEvent(new Event('change'))")
    }

    @Test
    func `the zone of a link is named on each page and stays in the address`() async throws {
        try await Self.run { browser, console in
            try await browser.open("\(console.address)/sessions?zone=Asia%2FKolkata")
            try await browser.wait(until: "document.querySelector('.entry')?.innerText.includes('00:27:04')")
            try await browser.wait(until: "\(Self.picker).value === 'Asia/Kolkata'")
            #expect(
                try await browser.run("return \(Self.picker).title").text == "Times in Asia/Kolkata, UTC+5:30")
            try await browser.click(".entry")
            try await browser.wait(until: "document.querySelector('.facts')?.innerText.includes('00:27:04')")
            #expect(try await browser.run("return location.search").text == "?zone=Asia%2FKolkata")
            for page in ["/logs", "/explore", "/alerts", "/health"] {
                try await browser.run("document.querySelector('.nav-link[href=\"\(page)\"]').click()")
                try await browser.wait(until: "location.pathname === '\(page)'")
                try await browser.wait(until: "location.search.includes('zone=Asia%2FKolkata')")
                try await browser.wait(until: "\(Self.picker).value === 'Asia/Kolkata'")
            }
            try await browser.requireNoErrors()
        }
    }

    @Test
    func `times are shown in UTC, in the zone of the device, or in that of the browser`() async throws {
        try await Self.run { browser, console in
            for page in ["/sessions/s-1", "/devices/\(Self.device)"] {
                try await browser.open(console.address + page)
                try await browser.wait(until: "[...\(Self.picker).options].some((it) => it.value === 'Asia/Tokyo')")
            }
            try await browser.open("\(console.address)/sessions/s-1")
            try await browser.wait(until: "\(Self.picker).innerText.includes('Device: Asia/Tokyo')")
            let shown = "document.querySelector('.facts')?.innerText"
            try await Self.choose("Asia/Tokyo", browser)
            try await browser.wait(until: "\(shown)?.includes('03:57:04')")
            try await Self.choose("UTC", browser)
            try await browser.wait(until: "\(shown)?.includes('18:57:04')")
            #expect(try await browser.run("return location.search").text == "?zone=UTC")
            // Another window begins with what was chosen.
            try await browser.open("\(console.address)/sessions")
            try await browser.wait(until: "document.querySelector('.entry')?.innerText.includes('18:57:04')")
            try await browser.wait(until: "location.search === '?zone=UTC'")
            try await Self.choose("local", browser)
            try await browser.wait(until: "location.search === ''")
            try await browser.requireNoErrors()
        }
    }

    @Test
    func `the repeated hour of a clock change is a range like any other`() async throws {
        try await Self.run { browser, console in
            let range = "1793511000000000~1793514600000000"
            try await browser.open("\(console.address)/explore?q=count&time=\(range)&zone=America%2FNew_York")
            let title = "document.querySelector('.time-button').innerText.trim()"
            try await browser.wait(until: "\(title) === 'Nov 1, 01:30 UTC−4 – 01:30 UTC−5'")
            try await browser.click(".time-button")
            try await browser.wait(until: "document.querySelectorAll('.time-form select:not([hidden])').length === 2")
            try await browser.click(".time-form button")
            try await browser.wait(until: "!document.querySelector(':popover-open')")
            let search = try await browser.run("return decodeURIComponent(location.search)").text ?? ""
            #expect(search.contains("time=\(range)"))

            // An end before the start is an error of the two fields.
            try await browser.click(".time-button")
            try await browser.run(
                "document.querySelector('[aria-label=From]').value = '2026-11-02T00:00:00'")
            try await browser.click(".time-form button")
            try await browser.wait(until: "document.querySelectorAll('.time-form [aria-invalid=true]').length === 2")
            let described = """
                return document.getElementById(document.activeElement.getAttribute('aria-describedby')).innerText
                """
            #expect(try await browser.run(described).text == "Expected a start before the end.")
        }
    }
}
