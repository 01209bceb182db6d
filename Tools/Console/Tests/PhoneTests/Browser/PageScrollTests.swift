import BrowserKit
import Testing
import ViewTree

@testable import DeviceSimulator

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable && StandInApp.isAvailable, "needs chromium, chromedriver and Python"),
)
struct `A scroll view on the phone's page` {
    @Test func `stays at its end while it grows, until the user scrolls away`() async throws {
        func messages(_ count: Int) -> RenderedNode {
            let rows = (0..<count).map { node(100 + $0, .frame, ["height": 50], [node(300 + $0, .color)]) }
            let scroll = node(
                4, .scroll, ["vertical": true, "horizontal": false, "anchor": [0.5, 1]],
                [node(5, .vstack, ["spacing": 0], rows)])
            return node(3, .vstack, [:], [goButton, scroll])
        }
        try await PhonePage.open(tree(1, messages(40)), then: tree(2, messages(60))) { page in
            let rest = """
                (() => { const { scrollHeight, clientHeight, scrollTop } = document.querySelector('.window .scroll');
                  return Math.round(scrollHeight - clientHeight - scrollTop); })()
                """
            try await page.browser.wait(until: "\(rest) === 0")
            try await page.tap("go")
            try await page.browser.wait(until: "document.querySelectorAll('.window .frame').length === 60")
            try await page.browser.wait(until: "\(rest) === 0")
        }
        try await PhonePage.open(tree(1, messages(40)), then: tree(2, messages(60))) { page in
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
        let shown = tree(1, node(3, .vstack, [:], [goButton, scroll]))
        try await PhonePage.open(shown, then: shown) { page in
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
