import AstrolabeTestSupport
import BrowserKit
import ConsoleAccess
import ConsoleModel
import Foundation
import ShopHistory
import Testing

@testable import TelemetryConsole

/// Rules and a browser that others have written.
extension EveryPageTests {
    private static let needsFirefox = ConditionTrait.enabled(
        if: ProcessInfo.processInfo.environment["ASTROLABE_FIREFOX"] != nil,
        "ASTROLABE_FIREFOX names no Firefox; ./astrolabe test finds one or installs it")

    /// The schemes of a page, dark if true: those while records arrive, and then those while it is paused.
    private static var themes: (live: [Bool], paused: [Bool]) {
        Thoroughness.isThorough ? (live: [false, true], paused: [true, false]) : (live: [false], paused: [true])
    }

    @Test(ConformanceScript.needsPython)
    func `axe-core finds no violation on any page, light and dark, still and live`() async throws {
        let axe = Axe(source: try await ConformanceScript.axe)
        // A console of its own, because records arrive.
        try await ConsoleUnderTest.run {
            $0.store.now = { SmallFleet.history.end }
        } _: { console in
            try await SmallFleet.fill(console)
            let pages = try await Self.pages(of: console)
            try await WebDriver.run { browser in
                for (number, page) in pages.enumerated() {
                    try await browser.resize(width: 1_440, height: 900)
                    try await Self.open(page, number: number, at: console, in: browser)
                    try await Self.check(axe, "\(page.path), live", in: Self.themes.live, browser)
                    try await browser.run("document.querySelector('[aria-label=\"Pause updates\"]').click()")
                    try await browser.wait(until: "document.querySelector('.live').textContent.startsWith('Paused')")
                    try await browser.resize(width: 390, height: 844)
                    try await Self.check(axe, "\(page.path), paused", in: Self.themes.paused, browser)
                }
            }
        }
    }

    /// Opens a page, reads on in its list, and sends a visit, which the sidebar counts.
    private static func open(
        _ page: Page, number: Int, at console: ConsoleUnderTest, in browser: WebDriver,
    ) async throws {
        let count = "document.querySelector('[data-section=sessions] .count').textContent"
        try await browser.open(console.address + page.path)
        try await browser.wait(until: "document.querySelector('\(page.part)')")
        try await browser.wait(until: "\(count) && document.querySelector('.live').textContent === 'Live'")
        try await browser.run("document.querySelector('main .list')?.scrollTo(0, 300)")
        let before = try await browser.run("return \(count)").text ?? ""
        try await console.send(ShopVisit.purchase(number: number, start: SmallFleet.history.end - 600_000_000_000))
        try await browser.wait(until: "\(count) !== '\(before)'")
    }

    /// The page that the console of all pages does not have, because it has no keys.
    @Test(ConformanceScript.needsPython)
    func `axe-core finds no violation where a person signs in, also after a wrong key`() async throws {
        let axe = Axe(source: try await ConformanceScript.axe)
        try await AccessTests.run(keys: { try $0.make(.view) }) { console, _ in
            try await WebDriver.run { browser in
                for path in ["/sign-in", "/sessions"] {
                    try await browser.open(console.address + path)
                    try await browser.wait(until: "document.querySelector('.sign-in input')")
                    try await Self.check(axe, path, in: [false, true], browser)
                }
                try await AccessPageTests.signIn("astrolabe_view_wrong", in: browser)
                try await browser.wait(until: "document.querySelector('.sign-in [role=alert]').innerText")
                try await Self.check(axe, "/sessions after a wrong key", in: [true], browser)
            }
        }
    }

    private static func check(_ axe: Axe, _ title: String, in themes: [Bool], _ browser: WebDriver) async throws {
        for isDark in themes {
            try await browser.prefer(dark: isDark)
            try await browser.wait(until: "document.getAnimations().every((it) => it.playState === 'finished')")
            let violations = try await axe.violations(in: browser)
            #expect(violations == [], "\(title), \(isDark ? "dark" : "light")")
        }
    }

    @Test(ConformanceScript.needsPython, needsFirefox)
    func `Firefox opens every page without an error`() async throws {
        let console = try #require(SharedConsole.current)
        let pages = try await Self.pages(of: console).flatMap { [$0.path, $0.part] }
        let errors = try await ConformanceScript.run("firefox.py", [console.address] + pages, in: "page-conformance")
        #expect(errors == "")
    }
}
