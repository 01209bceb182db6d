import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// An investigation with the keyboard alone.
extension KeyboardPageTests {
    private static func focused(_ expression: String, in browser: WebDriver) async throws {
        try await browser.wait(until: "((it) => \(expression))(document.activeElement)")
    }

    @Test
    func `a reader who comes back goes on at what was opened`() async throws {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            try await console.send(ShopVisit(number: 2, start: visit.start - 900_000_000_000).browsing)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/sessions")
                try await browser.wait(until: "document.querySelectorAll('.entry').length === 2")
                try await browser.press("j", "j", Key.enter)
                try await browser.wait(until: "document.querySelectorAll('.moment').length")
                let session = try await browser.run("return location.pathname").text ?? ""

                try await browser.run("document.querySelector('a[href^=\"/compare\"]').focus()")
                try await browser.press(Key.enter)
                try await browser.wait(until: "location.pathname === '/compare'")
                try await browser.press(Key.escape)
                try await browser.wait(until: "location.pathname === '\(session)'")
                try await browser.press(Key.escape)
                try await Self.focused("it.matches('.entry') && it.pathname === '\(session)'", in: browser)
                try await browser.press("k")
                try await Self.focused("it.matches('.entry') && it.pathname !== '\(session)'", in: browser)

                try await browser.press("g", "b")
                try await browser.wait(until: "document.querySelector('.board-card')")
                try await browser.press("j", "j", Key.enter)
                try await browser.wait(until: "document.querySelector('.board-panel')")
                let board = try await browser.run("return location.pathname").text ?? ""
                try await browser.press(Key.escape)
                try await Self.focused("it.matches('.board-card') && it.pathname === '\(board)'", in: browser)

                try await browser.press("g", "a")
                try await browser.wait(until: "document.querySelector('.alerts tbody th a')")
                try await browser.press("j")
                try await Self.focused("it.matches('.alerts tbody th a')", in: browser)
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `keys that choose a row take the focus to the rows, and Escape takes it back to them`() async throws {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            let trace = try #require(visit.traces["declined"])
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/sessions/\(visit.session)")
                try await browser.wait(until: "document.querySelectorAll('.moment').length > 10")
                try await browser.run("document.querySelector('[aria-label=\"Copy session id\"]').focus()")
                // Enter would press the button.
                try await browser.press("n", Key.enter)
                try await Self.focused("it.matches('.vlist')", in: browser)
                try await browser.wait(until: "document.querySelector('.unfolded .attributes')")
                // The error is no view. A screen reader is not sent to a row that is not there.
                try await browser.press("2")
                try await Self.focused(
                    "it.matches('.vlist') && !it.hasAttribute('aria-activedescendant')", in: browser)

                try await browser.open("\(console.address)/traces/\(trace)")
                try await browser.wait(until: "document.querySelector('.inspector dd .cell')")
                try await browser.run("document.querySelector('.inspector dd .cell').focus()")
                try await browser.press(Key.enter)
                try await browser.wait(until: "document.querySelector(':popover-open')")
                // Beyond its last entry, a menu closes.
                try await browser.press(Key.tab, Key.tab, Key.tab, Key.tab)
                try await browser.wait(until: "!document.querySelector(':popover-open')")
                try await Self.focused("it.closest('.inspector')", in: browser)
                try await browser.press(Key.escape)
                try await Self.focused("it.matches('.vlist')", in: browser)
                #expect(try await browser.path() == "/traces/\(trace)")

                try await browser.open("\(console.address)/logs")
                try await browser.wait(until: "document.querySelector('.log-record')")
                try await browser.press("j", Key.enter)
                try await browser.wait(until: "document.querySelector('.log-record[open] a')")
                try await browser.press(Key.tab)
                try await Self.focused("it.closest('.log-record[open]') && !it.matches('summary')", in: browser)
                try await browser.press(Key.escape)
                try await Self.focused("it.matches('.log-record[open] summary')", in: browser)
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `each result of Explore has a key, and a box in a heatmap needs no mouse`() async throws {
        try await ConsoleUnderTest.run { console in
            let start = UInt64(Date().timeIntervalSince1970 - 300) * 1_000_000_000
            try await console.send(ShopVisit.purchase(start: start))
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/explore?time=15m&q=heatmap(duration)%20every%2010s")
                let slider = "document.querySelector('.chart-frame [role=slider]')"
                let value = "\(slider).getAttribute('aria-valuetext')"
                let box = "document.querySelector('.chart-frame .brush').getAttribute('visibility')"
                try await browser.wait(until: slider)
                for (key, tab) in [("5", "differences"), ("2", "records"), ("1", "groups")] {
                    try await browser.press(key)
                    try await Self.focused(
                        "it.matches('[role=tab][data-key=\(tab)][aria-selected=true]')", in: browser)
                }

                try await browser.run("\(slider).focus()")
                try await browser.press(Key.end)
                for _ in 0..<90 {
                    if try await browser.run("return \(value)").text?.contains("no value") == false { break }
                    try await browser.press(Key.left)
                }
                try await browser.press(Key.enter)
                #expect(try await browser.run("return \(box)").text == "visible")
                try await browser.press(Key.escape)
                #expect(try await browser.run("return \(box)").text == "hidden")
                try await Self.focused("it.matches('[role=slider]')", in: browser)
                try await browser.press(Key.enter, Key.left, Key.right, Key.enter)
                try await browser.wait(until: "document.querySelector('.differences .tab-note')")
                try await Self.focused("it.matches('[role=tab][data-key=differences]')", in: browser)
                let address = try await browser.run("return decodeURIComponent(location.search)").text ?? ""
                #expect(address.contains("selection=") && address.contains("duration >= "), "\(address)")
                try await browser.requireNoErrors()
            }
        }
    }
}
