import AstrolabeTestSupport
import BrowserKit
import ConsoleAccess
import Foundation
import Testing

@testable import TelemetryConsole

/// Tests of signing in and out in headless Chromium.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct AccessPageTests {
    private static let front = "document.querySelector('dialog.sign-in-front[open]')"
    private static let board = """
        title: Checkout
        panels:
          - title: Requests
            query: count where kind = server
            as: number
          - title: Routes
            query: count by http.route where kind = server
            as: table

        """

    /// Sends the form for a key, as soon as the page shows it.
    static func signIn(_ key: String, in browser: WebDriver) async throws {
        try await browser.wait(until: "document.querySelector('.sign-in input')")
        try await browser.run(
            "document.querySelector('.sign-in input').value = '\(key)';"
                + "document.querySelector('.sign-in').requestSubmit()")
    }

    private static func signOut(in browser: WebDriver) async throws {
        try await browser.wait(until: "!document.querySelector('[aria-label=\"Sign out\"]').hidden")
        try await browser.run("document.querySelector('[aria-label=\"Sign out\"]').click()")
        try await browser.wait(until: "location.pathname === '/sign-in' && document.querySelector('.sign-in')")
    }

    private static func file(of console: ConsoleUnderTest) -> URL {
        console.console.configuration.boardsFolder.appendingPathComponent("checkout.yaml")
    }

    private static func writeBoard(to console: ConsoleUnderTest) throws {
        let file = file(of: console)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(board.utf8).write(to: file, options: .atomic)
    }

    /// Opens the board for editing and removes a panel.
    private static func editBoard(_ browser: WebDriver) async throws {
        try await browser.wait(until: "document.querySelectorAll('.board-panel').length === 2")
        try await browser.press("e")
        try await browser.wait(until: "document.querySelector('.add-panel')")
        try await browser.run("document.querySelector('[aria-label=\"Remove: Routes\"]').click()")
        try await browser.wait(until: "document.querySelectorAll('.board-panel').length === 1")
    }

    @Test
    func `a person follows a link, signs in on the page, and signs out`() async throws {
        try await AccessTests.run(keys: {
            (
                sender: try $0.make(.ingest), viewer: try $0.make(.view),
                old: try $0.file.create("old", use: .view, expires: Date(timeIntervalSince1970: 1_700_000_000)),
            )
        }) { console, keys in
            let visit = ShopVisit.purchase()
            try await AccessTests.send(visit, to: console, keys.sender.text)
            try await WebDriver.run { browser in
                let path = "/sessions/\(visit.session)"
                try await browser.open("\(console.address)\(path)?tab=timeline")
                for (key, reason) in [
                    ("astrolabe_view_wrong", "not known"), (keys.old.text, "expired at 2023-11-14"),
                ] {
                    try await Self.signIn(key, in: browser)
                    try await browser.wait(
                        until: "document.querySelector('.sign-in [role=alert]').innerText.includes('\(reason)')")
                }
                #expect(try await browser.run("return Boolean(document.querySelector('.page-head'))").bool == false)
                try await browser.press(Key.escape)
                try await browser.press(Key.escape)
                try await browser.wait(until: Self.front)
                try await Self.signIn(keys.viewer.text, in: browser)
                try await browser.wait(until: "document.body.innerText.includes('ProductList')")
                try await browser.wait(until: "!document.querySelector('.sign-in-front')")
                #expect(try await browser.path() == path)
                try await Self.signOut(in: browser)
                try await Self.signIn(keys.viewer.text, in: browser)
                try await browser.wait(
                    until: "location.pathname === '\(path)' && document.body.innerText.includes('ProductList')")
                try await Self.signOut(in: browser)
                try await browser.open("\(console.address)/sessions")
                try await browser.wait(until: Self.front)
            }
        }
    }

    @Test
    func `a key that is revoked while a panel is edited takes nothing of it away`() async throws {
        try await AccessTests.run(keys: {
            (file: $0.file, first: try $0.make(.view), second: try $0.make(.view))
        }) { console, keys in
            try Self.writeBoard(to: console)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/boards/checkout")
                try await Self.signIn(keys.first.text, in: browser)
                try await Self.editBoard(browser)
                try await browser.run("document.querySelector('.add-panel').click()")
                try await browser.wait(until: "document.querySelector('dialog.form-dialog[open]')")
                try await browser.run(
                    """
                    document.querySelector('dialog [name=title]').value = 'Rate';
                    document.querySelector('dialog [name=query]').value = 'count where kind = client';
                    document.querySelector('dialog [name=title]').focus();
                    """)
                _ = try keys.file.revoke(keys.first.id)
                let (status, headers) = (console.address + "/api/v1/status", AccessTests.bearer(keys.first.text))
                try await eventually("the console has looked at its keys") {
                    try await HTTP.request("GET", status, headers: headers).status == 401
                }
                try await browser.run("document.querySelector('dialog.form-dialog form').requestSubmit()")
                try await browser.wait(until: Self.front)
                // It is in front of the dialog, which has what was typed.
                try await browser.wait(until: "document.activeElement?.closest('.sign-in-front')")
                let title = "document.querySelector('dialog.form-dialog[open] [name=title]').value"
                #expect(try await browser.run("return \(title)").text == "Rate")
                try await Self.signIn(keys.second.text, in: browser)
                // The request that the console refused is sent again.
                try await browser.wait(until: "!document.querySelector('dialog[open]')")
                try await browser.wait(
                    until: "[...document.querySelectorAll('.board-panel h2')].at(-1)?.innerText === 'Rate'")
                try await browser.click(".board-tools button", text: "Save")
                try await browser.wait(until: "!document.querySelector('.add-panel')")
                let saved = try String(contentsOf: Self.file(of: console), encoding: .utf8)
                #expect(saved.contains("title: Rate") && saved.contains("Requests") && !saved.contains("Routes"))
            }
        }
    }

    @Test
    func `unsaved changes of a board and an unfinished query are back after signing out and in`() async throws {
        try await AccessTests.run(keys: {
            try $0.make(.view)
        }) { console, viewer in
            try Self.writeBoard(to: console)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/boards/checkout")
                try await Self.signIn(viewer.text, in: browser)
                try await Self.editBoard(browser)
                try await Self.signOut(in: browser)
                // A page that is loaded before the sign-in loses nothing either.
                try await browser.open("\(console.address)/boards/checkout")
                try await browser.wait(until: Self.front)
                try await Self.signIn(viewer.text, in: browser)
                try await browser.wait(until: "document.querySelector('.add-panel')")
                try await browser.wait(until: "document.querySelectorAll('.board-panel').length === 1")
                try await browser.click(".board-tools button", text: "Save")
                try await browser.wait(until: "!document.querySelector('.add-panel')")
                #expect(try !String(contentsOf: Self.file(of: console), encoding: .utf8).contains("Routes"))
                #expect(try await browser.run("return sessionStorage.getItem('astrolabe.draft')").text == nil)

                try await browser.open("\(console.address)/explore?q=count")
                try await browser.click("[data-clause=where]")
                try await browser.type("http.route =")
                try await Self.signOut(in: browser)
                try await Self.signIn(viewer.text, in: browser)
                try await browser.wait(
                    until: "document.querySelector('.query-line')?.value.includes('where http.route =')")
                try await browser.wait(until: "document.querySelector('.query-line').checkVisibility()")
            }
        }
    }

    @Test
    func `the other windows of a browser follow a sign-in and a sign-out`() async throws {
        try await AccessTests.run(keys: {
            try $0.make(.view)
        }) { console, viewer in
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/traces")
                try await browser.wait(until: Self.front)
                // A window of its own, because a tab would hide this page.
                try await browser.run("window.other = window.open('/boards', '', 'popup,width=900,height=600')")
                try await browser.wait(until: "other.document.querySelector('dialog.sign-in-front[open]')")
                try await Self.signIn(viewer.text, in: browser)
                try await browser.wait(
                    until: "!document.querySelector('.sign-in-front') && document.querySelector('.page')")
                try await browser.wait(until: "other.document.querySelector('.board-card')")
                try await browser.wait(until: "!other.document.querySelector('.sign-in-front')")
                try await browser.wait(until: "!other.document.querySelector('[aria-label=\"Sign out\"]').hidden")
                try await browser.run("other.document.querySelector('[aria-label=\"Sign out\"]').click()")
                try await browser.wait(until: "location.pathname === '/sign-in' && document.querySelector('.sign-in')")
                #expect(try await browser.run("return location.search").text == "?to=%2Ftraces")
                try await Self.signIn(viewer.text, in: browser)
                try await browser.wait(until: "location.pathname === '/traces' && document.querySelector('.page')")
            }
            let audit = try String(contentsOfFile: console.console.configuration.auditPath, encoding: .utf8)
            #expect(audit.ranges(of: "\"sign-in\"").count == 2)
            #expect(audit.ranges(of: "\"sign-out\"").count == 1)
        }
    }

    @Test
    func `a browser stays signed in to two consoles of one host`() async throws {
        try await AccessTests.run(keys: {
            try $0.make(.view)
        }) { first, ada in
            try await AccessTests.run(keys: {
                try $0.make(.view)
            }) { second, grace in
                try await WebDriver.run { browser in
                    for (console, key) in [(first, ada), (second, grace)] {
                        try await browser.open("\(console.address)/boards")
                        try await Self.signIn(key.text, in: browser)
                        try await browser.wait(until: "document.querySelector('.board-card')")
                    }
                    try await browser.open("\(first.address)/boards")
                    try await browser.wait(until: "document.querySelector('.board-card')")
                    try await browser.wait(until: "!document.querySelector('[aria-label=\"Sign out\"]').hidden")
                }
            }
        }
    }
}
