import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Pages for screen readers and the keyboard.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct ReadablePageTests {
    private static let phone: [(String, JSON)] = [
        ("service.name", "shop"), ("service.version", "2.1.0"), ("device.model.name", "iPhone 15 Pro"),
        ("os.name", "iOS"), ("os.version", "18.1"),
    ]

    /// A session of 40 screens in 40 s, one of which failed. It ends now.
    private static func visit() -> JSON {
        let start = UInt64(Date().timeIntervalSince1970) * 1_000_000_000 - 40_000_000_000
        let spans = (0..<40).map { (number: Int) -> OTLPBody.Span in
            let begin: UInt64 = start + UInt64(number) * 1_000_000_000
            let attributes: [(String, JSON)] = [
                ("session.id", "s-1"), ("app.screen.name", .string("Screen \(number)")),
                ("kind.of", .string(number < 30 ? "early" : "late")),
            ]
            return OTLPBody.Span(
                trace: String(repeating: "0", count: 30) + String(10 + number), id: "00f067aa0ba902b7",
                name: "Screen \(number)", start: begin, end: begin + 1_000_000_000, attributes: attributes,
                error: number == 7 ? "no" : nil)
        }
        return OTLPBody.traces(phone, spans)
    }

    @Test
    func `a session's row and its overview say what they show, in few words`() async throws {
        try await ConsoleUnderTest.run { console in
            try await console.send(Self.visit(), to: .traces)
            try await WebDriver.run { browser in
                try await browser.moveToNoon()
                try await browser.open("\(console.address)/sessions")
                try await browser.wait(until: "document.querySelector('.entry')")
                let row = try await browser.run("return document.querySelector('.entry').ariaLabel").text ?? ""
                for part in [
                    "iPhone 15 Pro, iOS 18.1, shop 2.1.0", "started today", "lasted 40 s", "1 error", "0 requests",
                    "screens Screen 0, Screen 1,", "and 34 more",
                ] { #expect(row.contains(part), "\(row)") }
                try await browser.open("\(console.address)/sessions/s-1")
                let overview = "document.querySelector('.overview canvas').ariaLabel"
                try await browser.wait(until: "\(overview).includes('40 records of the phone')")
                let label = try await browser.run("return \(overview)").text ?? ""
                for part in ["40 s of activity", "0 of the backend", "1 error", "Screen 0", "and 35 more"] {
                    #expect(label.contains(part), "\(label)")
                }
                #expect(label.count < 300, "\(label)")
            }
        }
    }

    @Test(arguments: [
        ("count by kind.of every 10s", "late", true), ("heatmap(duration) every 10s", " of ", false),
    ])
    func `the keyboard reads the values of a chart, and a new answer does not take its focus`(
        query: String, part: String, isLine: Bool,
    ) async throws {
        try await ConsoleUnderTest.run { console in
            try await console.send(Self.visit(), to: .traces)
            let escaped = try #require(query.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/explore?time=15m&q=\(escaped)")
                let slider = "document.querySelector('.chart-frame [role=slider]')"
                try await browser.wait(until: slider)
                try await browser.run("\(slider).focus()")
                try await browser.press(Key.end)
                func text() async throws -> String {
                    try await browser.run("return \(slider).getAttribute('aria-valuetext')").text ?? ""
                }
                // The chart ends now, and the records end when they were made: on a busy machine some steps before.
                let stepCount = 90
                var texts = [try await text()]
                while texts.count < 6 || !texts.contains(where: { $0.contains(part) }) && texts.count < stepCount {
                    try await browser.press(Key.left)
                    texts.append(try await text())
                }
                #expect(texts.contains { $0.contains(part) }, "\(texts)")
                #expect(Set(texts).count == texts.count, "each step has its own time: \(texts)")
                let tip = "document.querySelector('.chart-tip')"
                #expect(try await browser.run("return \(tip).hidden").bool == false)
                if !isLine { try await browser.press(Key.up, Key.down) }

                // The frame counts the records a second after a change, and a page asks for new values at once.
                let counts = "document.querySelector('.services').textContent"
                let before = try await browser.run("return \(counts)").text ?? ""
                let now = UInt64(Date().timeIntervalSince1970) * 1_000_000_000
                let span = OTLPBody.Span(
                    trace: String(repeating: "9", count: 32), id: "00f067aa0ba902b7", name: "one more",
                    start: now - 1_000_000_000, end: now, attributes: [("kind.of", "late")])
                try await console.send(OTLPBody.traces(Self.phone, [span]), to: .traces)
                try await browser.wait(until: "\(counts) !== '\(before)'")
                #expect(try await browser.run("return document.activeElement === \(slider)").bool == true)
                try await browser.press(Key.escape)
                #expect(try await browser.run("return \(tip).hidden").bool == true)
                #expect(try await browser.run("return location.pathname").text == "/explore")
                try await browser.requireNoErrors()
            }
        }
    }
}
