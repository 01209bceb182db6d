import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// The pages about what the flight recorder sent, in a real browser; see ``BrowserTests``.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct RecorderPageTests {
    /// A session that was chosen by chance, and one that a failed request promoted, without its first seconds.
    private static func withSessions(
        _ body:
            @escaping @Sendable (
                WebDriver, ConsoleUnderTest, _ sampled: ShopVisit, _ promoted: ShopVisit
            ) async throws -> Void
    ) async throws {
        try await ConsoleUnderTest.run { console in
            var sampled = ShopVisit.purchase(number: 1)
            sampled.sample(threshold: "c")
            var promoted = ShopVisit.purchase(number: 2)
            promoted.promote(
                by: "http", overwritten: 8_000,
                [("astrolabe.recorder.refused", 40), ("astrolabe.recorder.refusal", "daily_bytes")])
            let account = LedgerAccount(time: promoted.now, created: 900, delivered: 700, notSent: 200)
            try await console.send(account.body(promoted.phone), to: .metrics)
            let visits = [sampled, promoted]
            for visit in visits { try await console.send(visit) }
            try await WebDriver.run { browser in
                try await body(browser, console, visits[0], visits[1])
                try await browser.requireNoErrors()
            }
        }
    }

    private static func choose(_ value: String, in label: String, _ browser: WebDriver) async throws {
        try await browser.run(
            """
            const select = document.querySelector('select[aria-label="\(label)"]');
            select.value = '\(value)';
            select.dispatchEvent(new Event('change'));
            """)
    }

    @Test
    func `a session says why it is here, where the ring began and what a budget refused`() async throws {
        try await Self.withSessions { browser, console, sampled, promoted in
            func text(_ selector: String) async throws -> String {
                try await browser.run("return document.querySelector('\(selector)')?.innerText ?? ''").text ?? ""
            }
            try await browser.open("\(console.address)/sessions/\(promoted.session)")
            try await browser.wait(until: "document.querySelector('.facts')?.innerText.includes('Why it is here')")
            #expect(try await text(".facts").contains("Promoted: failed request"))
            let notice = try await text(".notice")
            #expect(notice.contains("sent \(promoted.phoneSpans.count) records"))
            #expect(notice.contains("because of a failed request at +"))
            #expect(notice.contains("The ring had overwritten what came before."))
            #expect(notice.contains("40 records more had no room: the bytes of a day were used up."))
            let overview = "document.querySelector('.overview canvas').getAttribute('aria-label')"
            let summary = try await browser.run("return \(overview)").text ?? ""
            #expect(summary.contains("Recorder: not sent, Failed request"))
            try await browser.run("document.querySelector('[data-filter=promoted]').click()")
            let chip = try await text("[data-filter=promoted][aria-pressed=true] .count")
            #expect(chip == String(promoted.phoneSpans.count))
            try await browser.open("\(console.address)/sessions/\(sampled.session)")
            try await browser.wait(until: "document.querySelector('.facts')?.innerText.includes('Why it is here')")
            #expect(try await text(".facts").contains("25 % of sessions are"))
            #expect(try await !text(".notice").contains("flight recorder"))
        }
    }

    @Test
    func `the list of sessions shows the trigger, and includes or leaves out promoted sessions by its address`()
        async throws
    {
        try await Self.withSessions { browser, console, sampled, promoted in
            let ids = "[...document.querySelectorAll('.entry')].map((it) => it.dataset.session).join()"
            try await browser.open("\(console.address)/sessions")
            try await browser.wait(until: "document.querySelectorAll('.entry').length === 2")
            let badge = "document.querySelector('[data-session=\"\(promoted.session)\"] .badge[title^=\"Sent by\"]')"
            #expect(try await browser.run("return \(badge).innerText").text == "Failed request")
            try await Self.choose("false", in: "Flight recorder", browser)
            try await browser.wait(until: "\(ids) === '\(sampled.session)'")
            try await browser.wait(until: "location.search === '?promoted=false'")
            try await browser.open("\(console.address)/sessions?promoted=http")
            try await browser.wait(until: "\(ids) === '\(promoted.session)'")
            let chosen = "document.querySelector('select[aria-label=\"Flight recorder\"]')?.value"
            #expect(try await browser.run("return \(chosen)").text == "http")
            try await browser.press(Key.escape)
            try await browser.wait(until: "document.querySelectorAll('.entry').length === 2 && !location.search")
            // A device may have a trigger that the page does not know.
            try await browser.open("\(console.address)/sessions?promoted=custom")
            try await browser.wait(until: "\(chosen) === 'custom'")
        }
    }

    @Test
    func `Explore leaves promoted records out in every dataset, and keeps that in its address`() async throws {
        try await Self.withSessions { browser, console, sampled, promoted in
            let query = "new URLSearchParams(location.search).get('q')"
            func counts(_ number: Int) -> String {
                "document.querySelector('.result-line').innerText.startsWith('\(number) record')"
            }
            let from = sampled.start / 1_000 - 1_000_000
            try await browser.open("\(console.address)/explore?q=count&time=\(from)~\(from + 600_000_000)")
            let both = [sampled, promoted]
            let all = both.reduce(0) { $0 + $1.phoneSpans.count + $1.backendSpans.count }
            try await browser.wait(until: counts(all))
            try await Self.choose("without", in: "Records of the flight recorder", browser)
            try await browser.wait(until: counts(all - promoted.phoneSpans.count))
            #expect(
                try await browser.run("return \(query)").text == "count where astrolabe.recorder.trigger not exists")
            try await Self.choose("only", in: "Records of the flight recorder", browser)
            let value = "document.querySelector('.results tbody td')?.innerText"
            try await browser.wait(until: "\(value) === '\(promoted.phoneSpans.count)'")
            try await Self.choose("without", in: "Records of the flight recorder", browser)
            try await Self.choose("sessions", in: "Records", browser)
            try await browser.wait(until: "\(query) === 'count of sessions where promoted = false'")
            try await browser.wait(until: counts(1))
            try await Self.choose("", in: "Records of the flight recorder", browser)
            try await browser.wait(until: counts(2))
        }
    }

    @Test
    func `what the recorder sent is readable and named in the narrowest window`() async throws {
        try await Self.withSessions { browser, console, _, promoted in
            let trace = try #require(promoted.traces["declined"])
            for (path, part) in [
                ("sessions", ".badge[title^='Sent by']"), ("sessions/\(promoted.session)", ".notice"),
                ("traces/\(trace)", ".notice a.link"),
                ("devices/\(promoted.installation)", "section[aria-label='Flight recorder'] tbody tr"),
            ] {
                try await browser.resize(width: 320, height: 800)
                try await browser.open("\(console.address)/\(path)")
                try await browser.wait(until: "document.querySelector(\"\(part)\")")
                try await browser.wait(until: "document.getAnimations().every((it) => it.playState === 'finished')")
                #expect(try await browser.run("return document.documentElement.scrollWidth").int == 320, "\(path)")
                let contrast = try await browser.run(ContrastScript.failures)
                #expect(contrast["failures"].elements.compactMap(\.text) == [], "\(path)")
                let faults = try await browser.run(AccessibilityScript.faults).elements.compactMap(\.text)
                #expect(faults == [], "\(path)")
            }
        }
    }

    @Test
    func `a trace names its trigger, and a device shows its ring and what was promoted and refused`() async throws {
        try await Self.withSessions { browser, console, _, promoted in
            let trace = try #require(promoted.traces["declined"])
            try await browser.open("\(console.address)/traces/\(trace)")
            try await browser.wait(until: "document.querySelector('.notice a.link')")
            let notice = try await browser.run("return document.querySelector('.notice').innerText").text ?? ""
            #expect(notice.contains("because of a failed request"))
            try await browser.run("document.querySelector('.notice a.link').click()")
            try await browser.wait(until: "location.pathname === '/sessions/\(promoted.session)'")
            try await browser.open("\(console.address)/devices/\(promoted.installation)")
            let panel = "document.querySelector('section[aria-label=\"Flight recorder\"]')"
            try await browser.wait(until: "\(panel)?.querySelector('tbody tr')")
            let text = try await browser.run("return \(panel).innerText.replace(/\\s+/g, ' ')").text ?? ""
            #expect(text.contains("The ring holds 200 records that were not sent, or has overwritten them."))
            #expect(
                text.contains("Failed request 1 \(promoted.phoneSpans.count) 40 the bytes of a day were used up"))
            #expect(try await browser.run("return document.querySelector('.verdict.good') !== null").bool == true)
        }
    }
}
