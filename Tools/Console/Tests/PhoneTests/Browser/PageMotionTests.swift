import BrowserKit
import Testing
import ViewTree

@testable import DeviceSimulator

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable && StandInApp.isAvailable, "needs chromium, chromedriver and Python"),
)
struct `What moves on the phone's page` {
    @Test func `is a scroll view, to the row that the app names, once for each command`() async throws {
        func column(_ properties: [String: NodeValue]) -> RenderedNode {
            let rows = (20..<120).map { id in
                node(
                    id, .frame, ["height": 40, "identifier": .string("row-\(id)")],
                    [node(id + 200, .color, ["fill": "red"])])
            }
            let scroll = node(
                4, .scroll, ["vertical": true, "horizontal": false], [node(5, .vstack, ["spacing": 0], rows)])
            return node(3, .vstack, [:], [goButton.adding(properties), scroll])
        }
        let before = tree(1, column([:]))
        try await PhonePage.open(before, then: tree(2, column(["scrollTo": [1, 70, false, 0.5, 0]]))) { page in
            try await page.tap("go")
            let top = """
                document.querySelector('[data-identifier=row-70]').getBoundingClientRect().top
                  - document.querySelector('.window .scroll').getBoundingClientRect().top
                """
            try await page.browser.wait(until: "Math.abs(\(top)) < 1")
            // The app sends the command again with each screen.
            try await page.browser.run("document.querySelector('.window .scroll').scrollTop = 0")
            try await page.tap("go")
            try await page.see("go", "Go 2")
            #expect(try await page.browser.run("return document.querySelector('.window .scroll').scrollTop").int == 0)
        }
    }

    @Test func `is no list that arrives, which begins at its top under a clear bar`() async throws {
        let go = node(11, .toolbarItem, ["placement": "trailing"], [goButton])
        func page(_ list: Int) -> RenderedNode {
            let rows = (1...60).map { index -> RenderedNode in
                let id = list + 2 * index
                return node(id, .row, [:], [node(id + 1, .text, ["text": "row"])])
            }
            let body = node(4, .pageContent, [:], [node(list, .list, [:], [node(list + 1, .section, [:], rows)])])
            return node(3, .navigation, [:], [node(5, .page, ["title": "Lists"], [go, body])])
        }
        try await PhonePage.open(tree(1, page(1_000)), then: tree(2, page(2_000))) { page in
            let body = "document.querySelector('.page-body')"
            try await page.browser.run("\(body).scrollTop = 300")
            try await page.browser.wait(until: "document.querySelector('.page.scrolled.collapsed')")
            try await page.tap("go")
            try await page.browser.wait(until: "document.querySelector('.list').dataset.node === '2000'")
            try await page.browser.wait(until: "!document.querySelector('.page.scrolled, .page.collapsed')")
            #expect(try await page.browser.run("return \(body).scrollTop").int == 0)
        }
    }

    @Test func `is a view that comes from the frame of another one of its name`() async throws {
        func card(_ id: Int, _ side: NodeValue) -> RenderedNode {
            node(
                id, .frame, ["width": side, "height": side, "identifier": "card", "matched": ["7.0", true, true]],
                [node(id + 1, .color, ["fill": "red"])])
        }
        let timing = TreeAnimation(delay: 0, duration: 600, curve: [0, 0.25, 1])
        let before = tree(1, node(3, .vstack, [:], [goButton, card(20, 50)]))
        let after = tree(
            2, node(3, .vstack, [:], [goButton, node(5, .text, ["text": "above"]), card(30, 200)]), timing)
        try await PhonePage.open(before, then: after) { page in
            let find = "document.querySelector('.window .frame:not(.leaving)')"
            let frame = "(({ left, top, width }) => [left, top, width])(\(find).getBoundingClientRect())"
            try await page.browser.run("window.start = \(frame)")
            try await page.tap("go")
            try await page.browser.wait(until: "\(find).dataset.node === '30'")
            try await page.browser.wait(until: "\(frame).every((value, index) => Math.abs(value - start[index]) < 2)")
            try await page.browser.run("for (const animation of \(find).getAnimations()) animation.finish()")
            try await page.browser.wait(until: "Math.abs(\(frame)[2] - start[2] * 4) < 2")
        }
    }

    @Test func `is a view that comes or goes, which keeps its place and takes no input on the way out`() async throws {
        let low: [NodeValue] = [["move bottom"], ["scale 0.5 0.5,0", "opacity"]]
        let old = node(
            5, .tapArea, ["identifier": "old", "transition": .list(low)], [node(6, .text, ["text": "old"])],
            actions: [.tap])
        let new = node(7, .text, ["text": "new", "identifier": "new", "transition": .list(low)])
        let rest = node(8, .text, ["text": "below", "identifier": "below"])
        // It lasts until the test ends it, so that the page is read in its course.
        let timing = TreeAnimation(delay: 0, duration: 600, curve: [0, 0.25, 1])
        let before = tree(1, node(3, .vstack, [:], [goButton, old, rest]))
        let after = tree(2, node(3, .vstack, [:], [goButton, new, rest]), timing)
        try await PhonePage.open(before, then: after) { page in
            let find = "document.querySelector('.window .tap-area')"
            let place = "[\(find).offsetLeft, \(find).offsetTop].join()"
            let start = try await page.browser.run("return \(place)").text
            try await page.browser.run(
                """
                window.ends = [];
                const wait = window.setTimeout;
                window.setTimeout = (work, delay, ...rest) =>
                  (delay === 600000 ? window.ends.push(work) : wait(work, delay, ...rest));
                """)
            try await page.tap("go")
            try await page.see("new")
            let motion = try await page.browser.run(
                """
                const frames = (element) => element.getAnimations().map(({ effect }) => {
                  const [first, last] = effect.getKeyframes();
                  const { duration, easing } = effect.getTiming();
                  return [first.translate, last.scale, last.opacity, duration, easing].join(' ');
                }).join();
                const old = document.querySelector('.leaving');
                return [old === \(find), old?.inert, old && \(place), frames(old),
                  frames(document.querySelector('[data-identifier=new]'))].join('|');
                """)
            let easing = "600000 linear(0 0%, 0.25 50%, 1 100%)"
            #expect(motion.text == "true|true|\(start ?? "")| 0.5 0 \(easing)|0% 100%   \(easing)")
            try await page.browser.run("for (const end of window.ends) end();")
            #expect(try await page.browser.run("return document.querySelector('.leaving') === null").bool == true)
            try await page.see("below")
        }
    }

    @Test func `is a view whose transition has its own timing, also in a change without an animation`() async throws {
        let own: [NodeValue] = [
            [["opacity", 0, 600, [0, 1]], "scale 0.5 0.5,0"], [["move top", 1, 600, [0, 1]]],
        ]
        let old = node(5, .text, ["text": "old", "transition": .list(own)])
        let new = node(7, .text, ["text": "new", "identifier": "new", "transition": .list(own)])
        let still = node(8, .text, ["text": "still", "identifier": "still"])
        let before = tree(1, node(3, .vstack, [:], [goButton, old]))
        try await PhonePage.open(before, then: tree(2, node(3, .vstack, [:], [goButton, new, still]))) { page in
            try await page.tap("go")
            try await page.see("new")
            let motion = try await page.browser.run(
                """
                const frames = (element) => element.getAnimations().map(({ effect }) => {
                  const [first, last] = effect.getKeyframes();
                  const { delay, duration } = effect.getTiming();
                  return [first.opacity, first.scale, last.translate, delay, duration].join(' ');
                }).join();
                return ['.leaving', '[data-identifier=new]', '[data-identifier=still]']
                  .map((each) => frames(document.querySelector(each))).join('|');
                """)
            #expect(motion.text == "  0% -100% 1000 600000|0   0 600000|")
        }
    }

    @Test func `is a symbol, for each change of its value or as long as it should, and the next text`() async throws {
        func column(_ symbol: NodeValue, _ changes: NodeValue, _ text: NodeValue) -> RenderedNode {
            let effects: NodeValue = [["bounce up", 1, 1, changes], ["pulse", 0, 2]]
            return node(
                3, .vstack, [:],
                [
                    goButton, node(4, .image, ["symbol": symbol, "effects": effects, "contentTransition": "replace"]),
                    node(5, .text, ["text": text, "contentTransition": "numericUp"]),
                ])
        }
        let timing = TreeAnimation(delay: 0, duration: 600, curve: [0, 1])
        let after = tree(2, column("star.fill", 1, "2"), timing)
        try await PhonePage.open(tree(1, column("star", 0, "1")), then: after) { page in
            let moves = """
                const named = (frame) => ['scale', 'opacity'].find((name) => name in frame);
                const moves = (element) => element.getAnimations().map(({ effect }) =>
                  named(effect.getKeyframes()[1]) + ' ' + effect.getTiming().iterations).sort().join();
                const symbol = document.querySelector('.window .image .symbol');
                """
            #expect(try await page.browser.run("\(moves) return moves(symbol)").text == "opacity Infinity")
            try await page.tap("go")
            try await page.browser.wait(until: "document.querySelector('[data-symbol=\"star.fill\"]')")
            let motion = try await page.browser.run(
                """
                \(moves)
                const text = [...document.querySelectorAll('.window .text')].find((each) => each.textContent === '2');
                const from = text.getAnimations().map(({ effect }) => effect.getKeyframes()[0].translate);
                return [moves(symbol), from].join('|');
                """)
            #expect(motion.text == "opacity Infinity,scale 1,undefined 1|0px 45%")
        }
    }
}
