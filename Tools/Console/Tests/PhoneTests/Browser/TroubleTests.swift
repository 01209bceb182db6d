import AstrolabeTelemetryModel
import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import ConsoleStore
import DeviceLink
import Foundation
import TelemetryConsole
import Testing

@testable import DeviceSimulator

/// The demonstrations of what can go wrong, set off in a real browser as a person would, and followed to their cause.
/// On the way pictures are taken for the documentation's site, if `ASTROLABE_PICTURES` names a folder.
///
/// By default the scenarios that ship tell these stories, and `The phone's page` shows a crash and a hang.
@Suite(
    .serialized, .timeLimit(.minutes(10)), .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver"),
    .enabled(
        if: Thoroughness.isThorough || ProcessInfo.processInfo.environment["ASTROLABE_PICTURES"] != nil,
        "runs with ./astrolabe test --thorough",
    ),
)
struct `What goes wrong on the phone's page` {
    @Test func `ten Explorascopes crash the app, and the crash's page shows the line in its source`() async throws {
        try await inShop { subject, page in
            try await page.putIntoCart("OLJCESPC7Z", pieces: 10)
            try await page.read("this will crash the app")
            try await page.browser.take("demo-question")
            try await page.tap("demo-confirm")
            try await page.browser.wait(
                until: "document.querySelector('.end-card')?.innerText.includes('The app crashed')")
            #expect(try await subject.phone.ended()?.kind == .signal)
            let card = "document.querySelector('.end-card').innerText"
            try await page.browser.wait(until: "\(card).split('Explorascopes are in the cart').length === 2")
            try await page.browser.take("demo-dead")
            try await page.browser.click(".relaunch")
            try await page.see("go-shopping")
            try await page.browser.wait(until: "document.querySelector('.crash-note a')")
            let crash = try await page.browser.run("return document.querySelector('.crash-note a').pathname")
            #expect(crash.text?.hasPrefix("/health/groups/") == true)

            let console = try await ConsolePage.open("/health", of: subject, in: page.browser)
            try await console.openProblem(titled: "ten National Park Foundation Explorascopes are in the cart")
            try await console.expectOwnFrame(at: .marked("fatalError(", in: "Utils/DemoPerformer.swift"))
            let aside = try await console.text(of: ".problem-side")
            #expect(aside.contains("ProductDetail"))
            #expect(aside.contains("Crash the App"), "the last breadcrumb is the tap")
            #expect(aside.contains("demo.crash_triggered"), "the session's last seconds")
            try await page.browser.take("demo-crash")

            try await page.browser.press("v")
            try await page.browser.wait(until: "document.querySelector('.stage .w-screen > .w')")
            try await page.browser.press("p")
            try await page.browser.wait(until: "document.querySelector('.cover-card.crash')")
            try await page.browser.wait(until: "document.querySelector('.stage [data-name=\"add-to-cart\"]')")
            #expect(try await console.text(of: ".stage .w-screen").isEmpty, "every text is masked")
            let scheme = try await page.browser.run(
                "return getComputedStyle(document.querySelector('.w-glass')).colorScheme")
            #expect(scheme.text == "light", "as the phone was, and the page is not")
            try await page.browser.wait(
                until:
                    "[...document.querySelectorAll('.moment .name')].some((it) => it.textContent.startsWith('Crash: '))"
            )
            try await page.browser.take("demo-replay")
            try await console.requireNoErrors()
        }
    }

    @Test func `nine freeze it for ten seconds, and the hang's page shows where the main thread was`() async throws {
        try await inShop { subject, page in
            try await page.putIntoCart("OLJCESPC7Z", pieces: 9)
            try await page.read("this will freeze the app")
            try await page.tap("demo-confirm")
            let phase = "document.querySelector('.phase').textContent"
            try await page.browser.wait(until: "\(phase) === 'Not responding'")
            try await page.see("quantity-in-cart", "9")
            try await page.browser.wait(until: "\(phase) === 'Active'")

            let truth = try await subject.longest("hang")
            #expect(truth >= 10)
            let hang = try await subject.hang(of: truth)
            let console = try await ConsolePage.open(hang.path, of: subject, in: page.browser)
            try await console.expectFlame(names: "freeze(for:)")
            #expect(try await console.text(of: ".problem-side").contains("main thread waiting"))
            try await page.browser.take("demo-hang")
            #expect(abs(hang.duration - truth) <= truth / 10, "\(hang.duration) s of \(truth)")
            try await console.requireNoErrors()
        }
    }

    @Test func `an Optical Tube Assembly burns the processor, and the flame shows in what function`() async throws {
        try await inShop { subject, page in
            try await page.putIntoCart("9SIQT8TOJO")
            try await page.read("this will keep the processor busy")
            try await page.tap("demo-confirm")
            try await page.see("quantity-in-cart", "1")

            let truth = try await subject.longest("cpu_burn")
            let hang = try await subject.hang(of: truth)
            let console = try await ConsolePage.open(hang.path, of: subject, in: page.browser)
            try await console.expectFlame(names: "burn(for:)")
            // A processor that other tests keep busy gives the thread less than half of the time.
            #expect(
                try await console.text(of: ".problem-side").contains(/main thread (on CPU|waiting) \d+ % of the time/))
            try await page.browser.take("demo-busy")
            #expect(abs(hang.duration - truth) <= truth / 10, "\(hang.duration) s of \(truth)")
            try await console.requireNoErrors()
        }
    }

    @Test func `The Comet Book's frames are late, and its screen is the slowest`() async throws {
        try await inShop { subject, page in
            try await page.putIntoCart("HQTGWGPNH4")
            try await page.read("this will show a slow animation")
            try await page.tap("demo-confirm")
            try await page.see("leave-comet")
            try await page.browser.wait(
                until: "!document.querySelector('.window [data-identifier=\"leave-comet\"]')")

            let console = try await ConsolePage.open("/health/screens", of: subject, in: page.browser)
            try await page.browser.wait(
                until: "document.querySelector('.main .entry')?.innerText.includes('SlowComet')")
            try await page.browser.take("demo-slow-screens")
            let screens = try await subject.store.slowScreens()
            let comet = try #require(screens.first { $0.screen == "SlowComet" })
            #expect(try #require(comet.late.slowRate) > 0.5, "\(comet)")
            try await console.requireNoErrors()
        }
    }

    @Test func `eight send a payload of metrics that is made up, and says so`() async throws {
        try await inShop { subject, page in
            try await page.putIntoCart("OLJCESPC7Z", pieces: 8)
            try await page.read("this will send a made-up metrics payload")
            try await page.tap("demo-confirm")
            let console = try await ConsolePage.open("/metrics", of: subject, in: page.browser)
            try await page.browser.wait(until: "document.body.innerText.includes('demo.payload.')")
            try await console.requireNoErrors()
        }
    }

    /// The shop in front, with its symbols in the console.
    private func inShop(
        _ body: @escaping @Sendable (PhoneUnderTest, PhonePage) async throws -> Void
    ) async throws {
        try await PhoneUnderTest.run { subject in
            try subject.keepShopSymbols()
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                try await browser.resize(width: 1_440, height: 900)
                let page = try await PhonePage.open(subject, in: browser)
                try await page.tap("go-shopping")
                try await body(subject, page)
            }
        }
    }
}

extension PhonePage {
    fileprivate func putIntoCart(_ product: String, pieces: Int = 1) async throws {
        try await tap("product-\(product)")
        try await see("product-price")
        for count in 1..<pieces {
            try await browser.click(".window [data-identifier=product-quantity] [aria-label=Increment]")
            try await see("product-quantity", "\(count + 1)")
        }
        try await tap("add-to-cart")
    }
}

extension WebDriver {
    /// Takes a picture for the documentation, where one is wanted.
    fileprivate func take(_ name: String) async throws {
        guard let folder = ProcessInfo.processInfo.environment["ASTROLABE_PICTURES"] else { return }
        try await wait(until: "[...document.images].every((image) => image.complete)")
        try await wait(
            until:
                "document.getAnimations().every((it) => it.playState !== 'running' || it.effect.getTiming().iterations === Infinity)"
        )
        try await screenshot().write(to: URL(fileURLWithPath: folder).appendingPathComponent(name + ".png"))
    }
}

/// The console's pages about health, in a browser.
private struct ConsolePage: Sendable {
    let browser: WebDriver

    static func open(_ path: String, of subject: PhoneUnderTest, in browser: WebDriver) async throws -> ConsolePage {
        try await browser.open(subject.address + path)
        return ConsolePage(browser: browser)
    }

    /// Opens the problem once it is there.
    func openProblem(titled title: String) async throws {
        try await browser.wait(until: "document.querySelector('a.entry')?.innerText.includes('\(title)')")
        try await browser.press("j", Key.enter)
        try await browser.wait(until: "document.querySelector('.problem-head h1')")
    }

    /// The line of a file of the app's, found by what is written there.
    struct SourceLine {
        let file: String
        let line: Int

        static func marked(_ text: String, in path: String) throws -> SourceLine {
            let file = Repository.file("Examples/AstronomyShop/Sources/AstronomyShop/\(path)")
            let lines = try String(contentsOf: file, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false)
            let index = try #require(lines.firstIndex { $0.contains(text) })
            return SourceLine(file: file.lastPathComponent, line: index + 1)
        }
    }

    /// The innermost frame of the app's is there.
    func expectOwnFrame(at place: @autoclosure () throws -> SourceLine) async throws {
        let place = try place()
        try await browser.wait(
            until: "document.querySelector('.problem-head .at')?.textContent === '\(place.file):\(place.line)'")
        let frame = try await text(of: ".problem-main > .panel:first-child .frame.own")
        #expect(frame.contains("\(place.file):\(place.line)"), "\(frame)")
    }

    func expectFlame(names function: String) async throws {
        try await browser.wait(
            until:
                "[...document.querySelectorAll('.flame-part.own')].some((it) => it.ariaLabel.includes('\(function)'))"
        )
    }

    func text(of selector: String) async throws -> String {
        try await browser.run("return document.querySelector('\(selector)').innerText").text ?? ""
    }

    /// Requires that the browser has no errors, except those of the session of which nothing had arrived yet.
    func requireNoErrors() async throws { try await browser.requireNoErrors(except: "/timeline") }
}

extension PhoneUnderTest {
    /// Waits for the record of a hang that took about so many seconds. A busy machine may cause shorter ones.
    fileprivate func hang(of truth: Double) async throws -> (path: String, duration: Double) {
        try await arrived("a hang of \(truth) s") {
            for group in try await store.issues(IssueQuery(kind: .hang)) {
                let durations = try await store.issueEvents(of: group.fingerprint).compactMap(\.duration)
                if let longest = durations.max(), longest > truth / 2 {
                    return (path: "/health/groups/\(group.fingerprint)", duration: longest)
                }
            }
            return nil
        }
    }

    /// Seconds of the span around a demonstration, which is the truth that the hang's record is held against.
    fileprivate func longest(_ trigger: String) async throws -> Double {
        try await arrived("the span of \(trigger)") {
            let spans = try await (store as? SQLiteStore)?.spans(where: "demo.trigger", equals: .string(trigger))
            return spans?.map { Double($0.durationNano) / 1e9 }.max()
        }
    }

    /// Looks after each arrival of telemetry, until there is what is wanted.
    private func arrived<Value>(_ what: String, _ look: () async throws -> Value?) async throws -> Value {
        let changes = await store.changes()
        var news = changes.signals.makeAsyncIterator()
        repeat {
            if let value = try await look() { return value }
        } while await news.next() != nil
        throw NotSeen(description: "telemetry ended before there was \(what)")
    }
}
