import BrowserKit
import Testing
import ViewTree

@testable import DeviceSimulator

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable && StandInApp.isAvailable, "needs chromium, chromedriver and Python"),
)
struct `A scroll view on the phone's page` {
    private func node(
        _ id: Int, _ kind: NodeKind, _ properties: [String: NodeValue] = [:], _ children: [RenderedNode] = [],
        actions: [ViewAction] = [],
    ) -> RenderedNode {
        RenderedNode(id: id, kind: kind, properties: properties, actions: actions, children: children)
    }

    private func tree(_ revision: Int, _ content: RenderedNode) -> RenderedTree {
        RenderedTree(revision: revision, root: node(1, .window, [:], [node(2, .content, [:], [content])]))
    }

    private let button = RenderedNode(
        id: 9, kind: .button, properties: ["identifier": "go"], actions: [.tap],
        children: [RenderedNode(id: 10, kind: .text, properties: ["text": "Go"])])

    private func open(
        _ before: RenderedTree, _ after: RenderedTree, _ body: @Sendable @escaping (PhonePage) async throws -> Void,
    ) async throws {
        try await PhoneUnderTest.run(try StandInApp.changing(before, to: after)) { subject in
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                let page = try await PhonePage.open(subject, in: browser)
                try await page.see("go")
                try await body(page)
                try await browser.requireNoErrors()
            }
        }
    }

    @Test func `stays at its end while it grows, until the user scrolls away`() async throws {
        func messages(_ count: Int) -> RenderedNode {
            let rows = (0..<count).map { node(100 + $0, .frame, ["height": 50], [node(300 + $0, .color)]) }
            let scroll = node(
                4, .scroll, ["vertical": true, "horizontal": false, "anchor": [0.5, 1]],
                [node(5, .vstack, ["spacing": 0], rows)])
            return node(3, .vstack, [:], [button, scroll])
        }
        try await open(tree(1, messages(40)), tree(2, messages(60))) { page in
            let rest = """
                (() => { const { scrollHeight, clientHeight, scrollTop } = document.querySelector('.window .scroll');
                  return Math.round(scrollHeight - clientHeight - scrollTop); })()
                """
            try await page.browser.wait(until: "\(rest) === 0")
            try await page.tap("go")
            try await page.browser.wait(until: "document.querySelectorAll('.window .frame').length === 60")
            try await page.browser.wait(until: "\(rest) === 0")
        }
        try await open(tree(1, messages(40)), tree(2, messages(60))) { page in
            let scroll = "document.querySelector('.window .scroll')"
            try await page.browser.wait(until: "\(scroll).scrollTop > 500")
            try await page.browser.run("\(scroll).scrollTop = 100")
            // The page learns of the scrolling with the next frame.
            try await page.browser.wait(until: "\(scroll).scrollTop === 100")
            _ = try await page.browser.runAsync("requestAnimationFrame(() => requestAnimationFrame(() => done(1)))")
            try await page.tap("go")
            try await page.browser.wait(until: "document.querySelectorAll('.window .frame').length === 60")
            #expect(try await page.browser.run("return \(scroll).scrollTop").int == 100)
        }
    }

    @Test func `has its margins inside of the edge, and targets to rest at`() async throws {
        let cards = (0..<6).map { node(100 + $0, .frame, ["width": 200, "height": 50], [node(300 + $0, .color)]) }
        let scroll = node(
            4, .scroll, ["vertical": false, "horizontal": true, "marginLeading": 24, "snaps": "view"],
            [node(5, .hstack, ["spacing": 10, "scrollTargets": true], cards)])
        let shown = tree(1, node(3, .vstack, [:], [button, scroll]))
        try await open(shown, shown) { page in
            let look = try await page.browser.run(
                """
                const scroll = document.querySelector('.window .scroll');
                const style = getComputedStyle(scroll);
                const first = document.querySelector('.scroll-targets > *');
                return [style.paddingLeft, style.scrollPaddingLeft, style.scrollSnapType,
                  getComputedStyle(first).scrollSnapAlign, first.offsetLeft].join('|');
                """)
            #expect(look.text == "24px|24px|x mandatory|start|24")
        }
    }
}
