import AstrolabeTestSupport
import BrowserKit
import Foundation
import Testing
import ViewTree

@testable import DeviceSimulator

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable && StandInApp.isAvailable, "needs chromium, chromedriver and Python"),
)
struct `Plain views on the phone's page` {
    /// Numbers the nodes of a tree.
    private final class Nodes {
        private var last = 100

        func callAsFunction(
            _ kind: NodeKind, _ properties: [String: NodeValue] = [:], _ children: [RenderedNode] = [],
            actions: [ViewAction] = [],
        ) -> RenderedNode {
            last += 1
            return RenderedNode(id: last, kind: kind, properties: properties, actions: actions, children: children)
        }

        func text(_ words: String, _ properties: [String: NodeValue] = [:]) -> RenderedNode {
            self(.text, ["text": .string(words), "fontSize": 17].merging(properties) { $1 })
        }

        func symbol(_ name: String) -> RenderedNode { self(.image, ["symbol": .string(name), "fontSize": 22]) }

        func button(_ words: String, icon: String? = nil) -> RenderedNode {
            let label = icon.map { self(.label, [:], [symbol($0), text(words)]) }
            return self(.button, [:], [label ?? text(words)], actions: [.tap])
        }
    }

    private static let report = 99
    private static let due = 98

    private static func list(_ node: Nodes) -> RenderedNode {
        let long = String(repeating: "many words ", count: 20)
        let add = node(
            .button, ["identifier": "add", "label": "Add"], [node.symbol("plus.circle.fill")], actions: [.tap])
        let inset = node(.padding, ["top": 8, "leading": 8, "bottom": 8, "trailing": 8], [node.symbol("star.fill")])
        let star = node(.paint, ["shape": "circle", "fill": "yellow", "identifier": "star"], [inset])
        let blue = node(.frame, ["height": 100, "identifier": "blue"], [node(.color, ["fill": "blue"])])
        let over = node(
            .vstack, ["spacing": 0],
            [node(.padding, ["bottom": -60], [blue]), node.text("over", ["identifier": "over"])])
        let date = RenderedNode(
            id: due, kind: .datePicker,
            properties: [
                "identifier": "due", "components": "dateTime", "date": "2026-11-25T17:30", "locale": "en-US",
                "firstWeekday": 1, "minimum": "2026-11-03T00:00",
            ], actions: [.change], children: [node.text("Due")])
        let slider = node(
            .slider, ["identifier": "volume", "label": "Volume", "number": 0.4, "minimum": 0, "maximum": 1],
            actions: [.change])
        let rows = [
            RenderedNode(id: report, kind: .text, properties: ["text": "none", "identifier": "report"]),
            node(.hstack, [:], [node.text(long), add]), node(.hstack, [:], [star, node.text(long)]), date, slider,
            node(.image, ["resource": "picture", "scale": 2, "identifier": "picture"]), over,
        ]
        return node(.list, [:], [node(.section, [:], rows.map { node(.row, [:], [$0]) })])
    }

    private static func menu(_ node: Nodes) -> RenderedNode {
        let order = node(
            .picker, ["style": "inline", "selected": 1],
            [node(.label, [:], [node.text("Order")]), node(.choices, [:], [node.text("Up"), node.text("Down")])],
            actions: [.change])
        let items = [
            node.button("Rename", icon: "pencil"), node.button("Copy"), node(.divider, ["identifier": "divider"]),
            order, node(.toggle, ["on": true], [node.text("Hidden files")], actions: [.tap]),
            node.button("Delete", icon: "trash"),
        ]
        return node(
            .menu, ["open": true], [node(.label, [:], [node.text("More")]), node(.choices, [:], items)],
            actions: [.tap, .dismiss])
    }

    private static func tree() -> RenderedTree {
        let node = Nodes()
        let item = node(.toolbarItem, ["placement": "trailing"], [menu(node)])
        let first = node(
            .page, ["title": "First", "tint": "green"], [item, node(.pageContent, [:], [list(node)])],
            actions: [.back])
        let second = node(.page, ["title": "Second"], [node(.pageContent, [:], [node(.list)])])
        let tabs = ["One", "Two"].map { node(.tab, ["selected": .bool($0 == "One")], [node.text($0)]) }
        let pages = [
            node(.tabPage, [:], [node(.navigation, [:], [first])]),
            node(.tabPage, ["covered": true], [node(.navigation, [:], [second])]),
            node(.tabBar, ["tint": "green"], tabs, actions: [.change]),
        ]
        return RenderedTree(revision: 1, root: node(.window, [:], [node(.content, [:], [node(.tabs, [:], pages)])]))
    }

    /// Shows the tree, serves one picture, and reports the last change.
    private static func app() throws -> StandInApp {
        let screen = String(decoding: try JSONEncoder().encode(tree()), as: UTF8.self)
        let picture = Data("<svg xmlns='http://www.w3.org/2000/svg' width='500' height='200'/>".utf8)
        return .python(
            """
            hello()
            tree = json.loads(r'''\(screen)''')
            picture = "\(picture.base64EncodedString())"
            for line in link.makefile("r", encoding="utf-8"):
                message = json.loads(line)
                if message["type"] == "resource":
                    say("resource", {"name": message["body"], "type": "image/svg+xml", "data": picture})
                if message["type"] == "event":
                    event = message["body"]["event"]
                    say("outcome", {"number": message["body"]["number"], "outcome": "handled"})
                    if event["action"] != "change":
                        continue
                    tree["revision"] += 1
                    find(tree["root"], \(report))["properties"]["text"] = f"{event['node']} {event['value']}"
                if message["type"] in ("begin", "screen", "event"):
                    say("screen", tree)
            """)
    }

    private static let helpers = """
        const find = (name) => document.querySelector(`.window [data-identifier=${name}]`);
        const size = (name) => `${find(name).offsetWidth}x${find(name).offsetHeight}`;
        const style = (selector) => getComputedStyle(document.querySelector(selector));
        """

    @Test func `look as on a phone, and are used by the keyboard`() async throws {
        try await PhoneUnderTest.run(try Self.app()) { subject in
            try await subject.phone.launched()
            // In a high window the phone has its size, and a pixel is a point.
            try await WebDriver.run(height: 1_200) { browser in
                let page = try await PhonePage.open(subject, in: browser)
                try await page.see("report", "none")
                try await browser.wait(until: "document.querySelector('.menu-items')?.isConnected")
                try await browser.wait(until: "document.querySelector('.image img')?.style.width")
                func read(_ expression: String) async throws -> String? {
                    try await browser.run("\(Self.helpers) return String(\(expression));").text
                }
                #expect(try await read("[size('add'), size('star')]") == "27x27,43x43", "icons beside long texts")
                #expect(try await read("size('picture')") == "250x100", "an image at its scale")
                let gap = "find('over').getBoundingClientRect().top - find('blue').getBoundingClientRect().bottom"
                #expect(try await read("Math.round(\(gap))") == "-60", "negative padding")
                let green = "rgb(52, 199, 89)"
                #expect(try await read("style('.back').color") == green)
                #expect(try await read("style('.tab[aria-selected=true]').color") == green)
                let hidden = "document.querySelectorAll('.page')[1].matches('.collapsed, .scrolled')"
                #expect(try await read(hidden) == "false", "a page of a hidden tab")
                let slider = "[style('.slider').appearance, style('.slider').getPropertyValue('--at')]"
                #expect(try await read(slider) == "none,0.4")
                try await Self.requireMenu(read)
                try await Self.useCalendar(page)
                try await browser.requireNoErrors()
            }
        }
    }

    private static func requireMenu(_ read: (String) async throws -> String?) async throws {
        let titles = "[...document.querySelectorAll('.menu-items > .group > .button .text')]"
        let lefts = "new Set(\(titles).map((title) => Math.round(title.getBoundingClientRect().left))).size"
        #expect(try await read("[\(titles).map((title) => title.innerText), \(lefts)]") == "Rename,Copy,Delete,1")
        #expect(try await read("find('divider').offsetHeight") == "8")
        let roles =
            "[...document.querySelectorAll('.menu-items [role^=menuitem]')].map((it) => it.role.slice(8)).join()"
        #expect(try await read(roles) == ",,radio,radio,checkbox,")
    }

    private static func useCalendar(_ page: PhonePage) async throws {
        let browser = page.browser
        let pills = "[...document.querySelectorAll('.date-pill')]"
        let shown = try await browser.run("return \(pills).map((pill) => pill.innerText).join('|')").text
        #expect(shown?.replacing("\u{202F}", with: " ") == "Nov 25, 2026|5:30 PM")
        try await browser.run("\(pills)[0].click()")
        try await browser.wait(until: "document.activeElement.ariaLabel === 'Wednesday, November 25, 2026'")
        if ConformanceScript.python != nil {
            let axe = Axe(source: try await ConformanceScript.axe)
            // The colors of iOS have too little contrast for the rules.
            let violations = try await axe.violations(in: browser).filter { !$0.hasPrefix("color-contrast") }
            #expect(violations == [])
        }
        try await browser.press(Key.down, Key.enter)
        try await page.see("report", "\(due) 2026-12-02T17:30")
        try await browser.press(Key.escape)
        try await browser.wait(until: "!document.querySelector('.date-card') && document.activeElement === \(pills)[0]")
    }
}
