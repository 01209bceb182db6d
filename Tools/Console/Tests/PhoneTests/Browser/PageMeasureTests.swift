import BrowserKit
import Testing
import ViewTree

@testable import DeviceSimulator

@Suite(
    .serialized, .timeLimit(.minutes(3)),
    .enabled(if: WebDriver.isAvailable && StandInApp.isAvailable, "needs chromium, chromedriver and Python"),
)
struct `The sizes that the phone's page reports` {
    private func node(
        _ id: Int, _ kind: NodeKind, _ properties: [String: NodeValue] = [:], _ children: [RenderedNode] = [],
        actions: [ViewAction] = [],
    ) -> RenderedNode {
        RenderedNode(id: id, kind: kind, properties: properties, actions: actions, children: children)
    }

    /// Starts an app that shows the content with the last reported value of each node in the text with the id 99.
    private func open(
        _ content: [RenderedNode], _ body: @Sendable @escaping (PhonePage) async throws -> Void,
    ) async throws {
        let words = node(99, .text, ["text": "none", "identifier": "report"])
        let report = node(98, .frame, ["height": 20], [words])
        let stack = node(3, .vstack, [:], [report] + content)
        let root = node(1, .window, [:], [node(2, .content, [:], [stack])])
        let app = try StandInApp.showingMeasures(RenderedTree(revision: 1, root: root), in: 99)
        try await PhoneUnderTest.run(app) { subject in
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                let page = try await PhonePage.open(subject, in: browser)
                try await body(page)
                #expect(try await browser.errors() == [])
            }
        }
    }

    @Test func `are those of a reader that fills what is left, with its place and the safe area`() async throws {
        let bar = node(4, .frame, ["height": 100], [node(5, .color, ["fill": "red"])])
        let word = node(7, .text, ["text": "inside", "identifier": "inside"])
        let reader = node(6, .geometry, ["place": true], [word], actions: [.measure])
        let space = node(8, .coordinateSpace, [:], [reader])
        try await open([bar, space]) { page in
            // The screen without the status bar, the report, the bar and the gaps of 8 points.
            try await page.see("report", "6: 393 623 0 195 0 0 34 0 8 0 0;")
            let places = try await page.browser.run(
                """
                const [word, reader] = ['[data-identifier=inside]', '.geometry']
                  .map((selector) => document.querySelector(selector).getBoundingClientRect());
                return [word.left === reader.left, word.top === reader.top].join();
                """)
            #expect(places.text == "true,true")
        }
    }

    @Test func `of a reader in a scroll view are ten points high, and follow the scrolling`() async throws {
        let reader = node(6, .geometry, ["place": true], [], actions: [.measure])
        let tall = node(7, .frame, ["height": 2000], [node(8, .color, ["fill": "blue"])])
        let column = node(9, .vstack, [:], [reader, tall])
        let scroll = node(10, .scroll, ["vertical": true, "horizontal": false], [column])
        try await open([node(11, .coordinateSpace, [:], [scroll])]) { page in
            try await page.see("report", "6: 393 10 0 87 0 0 0 0 11 0 0;")
            try await page.browser.run("document.querySelector('.window .scroll').scrollTop = 50")
            try await page.see("report", "6: 393 10 0 37 0 0 0 0 11 0 -50;")
        }
    }
}
