import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Escape, the place of the focus, and the other keys, in headless Chromium.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct KeyboardPageTests {
    /// Something that is open above a page.
    private struct OpenState {
        let name: String
        let path: String
        /// The part of the page that is there before it is used.
        let part: String
        /// Clicks that open it.
        let clicks: [String]
        /// An expression that is true while it is open.
        let isOpen: String
        /// The selector of the element with the focus when it is closed.
        let focus: String
        var width = 1_440
    }

    private static let states: [OpenState] = {
        let menu = "document.querySelector(':popover-open')"
        let list = "/sessions?q=iPhone&errors=true"
        return [
            OpenState(
                name: "the export of a filtered list", path: list, part: ".entry",
                clicks: [".page-head [aria-label=Export]"], isOpen: menu, focus: "[aria-label=Export]"),
            OpenState(
                name: "the facets of a filtered list", path: list, part: ".entry",
                clicks: [".page-head [aria-label=Facets]"], isOpen: menu, focus: "[aria-label=Facets]"),
            OpenState(
                name: "the time range", path: list, part: ".entry", clicks: [".time-button"], isOpen: menu,
                focus: ".time-button"),
            OpenState(
                name: "the shortcuts", path: list, part: ".entry",
                clicks: ["[aria-label=\"Keyboard shortcuts\"]"], isOpen: "document.querySelector('dialog[open]')",
                focus: "[aria-label=\"Keyboard shortcuts\"]"),
            OpenState(
                name: "a value of a record", path: "/sessions/SESSION", part: ".moment",
                clicks: [".moment.request", ".unfolded dd .cell"], isOpen: menu, focus: ".cell"),
            OpenState(
                name: "a value of a span", path: "/traces/TRACE", part: ".inspector h2",
                clicks: [".inspector dd .cell"], isOpen: menu, focus: ".cell"),
            OpenState(
                name: "the details of a span on a narrow page", path: "/traces/TRACE", part: ".span-row",
                clicks: [".span-row"], isOpen: "!document.querySelector('.inspector').hidden", focus: ".vlist",
                width: 700),
            OpenState(
                name: "the links on a narrow page", path: "/logs", part: "h1", clicks: [".nav-menu"],
                isOpen: "document.querySelector('.sidebar.open')", focus: ".nav-menu", width: 700),
            OpenState(
                name: "the menu of a board", path: "/boards/app-performance", part: ".board-tools [title=More]",
                clicks: [".board-tools [title=More]"], isOpen: menu, focus: ".board-tools [title=More]"),
            OpenState(
                name: "a board that is edited", path: "/boards/app-performance",
                part: ".board-tools [title=More]", clicks: [".board-tools > button"],
                isOpen: "document.querySelector('.add-panel')", focus: ".board-tools > button"),
            OpenState(
                name: "a new panel", path: "/boards/app-performance", part: ".board-tools [title=More]",
                clicks: [".board-tools > button", ".add-panel"], isOpen: "document.querySelector('dialog[open]')",
                focus: ".add-panel"),
            OpenState(
                name: "a completion", path: "/explore?q=count", part: ".tabs .tab",
                clicks: ["[data-clause=where]"], isOpen: "document.querySelector('.completion:not([hidden])')",
                focus: "[data-clause=where]"),
        ]
    }()

    @Test
    func `Escape closes what is open and nothing else, and the focus goes back`() async throws {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            let trace = try #require(visit.traces["declined"])
            try await WebDriver.run { browser in
                for state in Self.states {
                    let path = state.path.replacingOccurrences(of: "SESSION", with: visit.session)
                        .replacingOccurrences(of: "TRACE", with: trace)
                    try await browser.resize(width: state.width, height: 900)
                    try await browser.open(console.address + path)
                    try await browser.wait(until: "document.querySelector('\(state.part)')")
                    for click in state.clicks { try await browser.click(click) }
                    try await browser.wait(until: state.isOpen)
                    let before = try await browser.run("return location.pathname + location.search").text
                    try await browser.press(Key.escape)
                    try await browser.wait(until: "!(\(state.isOpen))")
                    let after = try await browser.run("return location.pathname + location.search").text
                    #expect(after == before, "\(state.name)")
                    let focus = try await browser.run("return document.activeElement.matches('\(state.focus)')")
                    #expect(focus.bool == true, "\(state.name)")
                    try await browser.requireNoErrors()
                }
            }
        }
    }

    @Test
    func `changes of a board are dropped only after a question`() async throws {
        try await ConsoleUnderTest.run { console in
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/boards")
                try await browser.click(".board-card[href=\"/boards/app-performance\"]")
                try await browser.wait(until: "document.querySelector('.board-panel')")
                try await browser.press("e")
                try await browser.wait(until: "document.querySelector('.add-panel')")
                let question = "document.querySelector('dialog.question[open]')"
                let names = "[...document.querySelectorAll('.board-panel h2')].map((it) => it.innerText)"
                let second = try await browser.run("return \(names)[1]").text ?? ""

                // After a panel is removed, the next can be.
                try await browser.click(".board-panel:first-child [data-remove]")
                try await browser.wait(until: "\(names)[0] === '\(second)'")
                #expect(
                    try await browser.run("return document.activeElement.ariaLabel").text == "Remove: \(second)")
                let count = try await browser.run("return \(names).length").int

                // Escape asks, as the browser's back button and links do, and Escape in the question keeps the changes.
                let leave: [(WebDriver) async throws -> Void] = [
                    { try await $0.press(Key.escape) },
                    { try await $0.run("history.back()") },
                    { try await $0.run("document.querySelector('.nav-link[href=\"/sessions\"]').click()") },
                    { try await $0.click(".board-tools button", text: "Cancel") },
                ]
                for attempt in leave {
                    try await attempt(browser)
                    try await browser.wait(until: question)
                    #expect(try await browser.run("return document.activeElement.innerText").text == "Keep editing")
                    try await browser.press(Key.escape)
                    try await browser.wait(until: "!\(question)")
                    try await browser.wait(until: "location.pathname === '/boards/app-performance'")
                    #expect(try await browser.run("return \(names).length").int == count)
                }

                try await browser.run("history.back()")
                try await browser.wait(until: question)
                try await browser.click("dialog.question button", text: "Discard the changes")
                try await browser.wait(until: "location.pathname === '/boards'")
                try await browser.wait(until: "document.activeElement.matches('.board-card[href$=app-performance]')")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `what is typed in a dialog is dropped only after a question, and an error belongs to its field`()
        async throws
    {
        try await ConsoleUnderTest.run { console in
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/boards")
                try await browser.wait(until: "document.querySelector('.board-card')")
                try await browser.press("n")
                try await browser.wait(until: "document.activeElement.matches('dialog [name=title]')")
                try await browser.type("???")
                try await browser.press(Key.enter)
                try await browser.wait(until: "document.querySelector('[name=title][aria-invalid=true]')")
                let described = """
                    return document.getElementById(document.activeElement.getAttribute('aria-describedby')).innerText
                    """
                #expect(try await browser.run(described).text?.contains("Expected a title") == true)
                try await browser.press(Key.escape)
                try await browser.wait(until: "document.querySelector('dialog.question[open]')")
                try await browser.press(Key.escape)
                try await browser.wait(until: "!document.querySelector('dialog.question')")
                #expect(try await browser.run("return document.querySelector('[name=title]').value").text == "???")
                try await browser.press(Key.escape)
                try await browser.click("dialog.question button", text: "Discard the changes")
                try await browser.wait(until: "!document.querySelector('dialog')")
            }
        }
    }

    @Test
    func `Escape in a condition keeps what is typed`() async throws {
        try await ConsoleUnderTest.run { console in
            try await console.send(ShopVisit.purchase())
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/explore?q=count")
                try await browser.wait(until: "document.querySelector('.tabs .tab')")
                try await browser.click("[data-clause=where]")
                try await browser.type("kind = client")
                // The first may close a completion. What is typed becomes a part of the query when its field is left.
                try await browser.press(Key.escape, Key.escape)
                let parts = "[...document.querySelectorAll('.part-text')].map((it) => it.innerText)"
                try await browser.wait(until: "\(parts).includes('kind = client')")
                #expect(try await browser.path() == "/explore")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `the focus stays at what was used`() async throws {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            try await console.send(ShopVisit(number: 2, start: visit.start - 900_000_000_000).browsing)
            let trace = try #require(visit.traces["declined"])
            try await WebDriver.run { browser in
                func focused(_ expression: String) async throws {
                    try await browser.wait(until: "((it) => \(expression))(document.activeElement)")
                }
                try await browser.open("\(console.address)/sessions")
                try await browser.wait(until: "document.querySelectorAll('.entry').length === 2")
                try await browser.click(".chip", text: "With errors")
                try await browser.wait(until: "location.search === '?errors=true'")
                try await focused("it.matches('[aria-pressed=true]') && it.innerText === 'With errors'")
                try await browser.run("[...document.querySelectorAll('.sort')].at(-1).focus()")
                try await browser.press(Key.enter)
                try await focused("it.ariaLabel === 'Sort by duration, largest first'")
                try await browser.press("j", Key.enter)
                try await browser.wait(until: "document.querySelectorAll('.moment').length > 10")
                try await focused("it.matches('.vlist')")
                try await browser.click(".chip[data-filter=request]")
                try await focused("it.matches('.chip[data-filter=request][aria-pressed=true]')")
                try await browser.press(Key.escape)
                try await browser.wait(until: "location.pathname === '/sessions'")
                try await focused("it.matches('.entry') && it.pathname === '/sessions/\(visit.session)'")

                // Arrow keys go through all values of a choice.
                try await browser.open("\(console.address)/traces")
                try await browser.wait(until: "document.querySelector('.entry')")
                try await browser.run("document.querySelector('[aria-label=\"Shortest duration\"]').focus()")
                for value in ["100000", "500000"] {
                    try await browser.press(Key.down)
                    try await browser.wait(until: "location.search === '?minUs=\(value)'")
                    try await focused("it.ariaLabel === 'Shortest duration' && it.value === '\(value)'")
                }

                try await browser.open("\(console.address)/traces/\(trace)")
                try await browser.wait(until: "document.querySelector('.inspector h2')")
                try await browser.click("button", text: "Collapse all")
                try await focused("it.innerText === 'Expand all'")
                try await browser.press(Key.enter)
                try await focused("it.innerText === 'Collapse all'")
                // Arrow keys scroll the details, and choose no other span.
                try await browser.run("document.querySelector('.inspector [aria-label^=Copy]').focus()")
                let span = try await browser.run("return location.search").text
                try await browser.press(Key.down, Key.end)
                #expect(try await browser.run("return location.search").text == span)
                try await focused("it.closest('.inspector')")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `letters can be turned off and changed as shortcuts`() async throws {
        try await ConsoleUnderTest.run { console in
            try await WebDriver.run(dark: false) { browser in
                let theme = "document.documentElement.dataset.theme"
                let toggle = "dialog.keys [type=checkbox]"
                try await browser.open("\(console.address)/alerts")
                try await browser.wait(until: "document.querySelector('h1')")
                try await browser.press("?")
                try await browser.wait(until: "document.activeElement.matches('\(toggle)')")
                try await browser.press("?")
                try await browser.wait(until: "document.querySelector('dialog') === null")
                try await browser.press("?")
                try await browser.click(toggle)
                try await browser.press(Key.escape, "t", "?")
                try await browser.wait(until: "document.querySelector('dialog') === null")
                #expect(try await browser.run("return \(theme) === undefined").bool == true)

                try await browser.open("\(console.address)/alerts")
                try await browser.click("[aria-label=\"Keyboard shortcuts\"]")
                try await browser.wait(until: "document.querySelector('\(toggle)').checked === false")
                try await browser.click(toggle)
                try await browser.click("dialog button", text: "Change the keys")
                let field = "[aria-label=\"Key of Toggle appearance\"]"
                try await browser.click(field)
                try await browser.run("document.querySelector('\(field)').select()")
                try await browser.type("g")
                try await browser.wait(until: "document.querySelector('\(field)').ariaInvalid === 'true'")
                let problem = try await browser.run("return document.getElementById('shortcut-problem').innerText").text
                #expect(problem?.contains("is taken by") == true)
                try await browser.run("document.querySelector('\(field)').select()")
                try await browser.type("x")
                try await browser.wait(until: "document.querySelector('\(field)').ariaInvalid === 'false'")
                try await browser.press(Key.escape, "t", "x")
                try await browser.wait(until: "\(theme) === 'dark'")
                try await browser.requireNoErrors()
            }
        }
    }
}
