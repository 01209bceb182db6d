import BrowserKit
import Testing
import ViewTree

@testable import DeviceSimulator

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable && StandInApp.isAvailable, "needs chromium, chromedriver and Python"),
)
struct `The sizes that the phone's page reports` {
    /// Starts an app that shows the content with the last reported value of each node in the text with the id 99.
    private func open(
        _ content: [RenderedNode], _ body: @Sendable @escaping (PhonePage) async throws -> Void,
    ) async throws {
        let words = node(99, .text, ["text": "none", "identifier": "report"])
        let report = node(98, .frame, ["height": 20], [words])
        let stack = node(3, .vstack, [:], [report] + content)
        let app = try StandInApp.showingMeasures(tree(1, stack), in: 99)
        try await PhoneUnderTest.run(app) { subject in
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                let page = try await PhonePage.open(subject, in: browser)
                try await body(page)
                try await browser.requireNoErrors()
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

    @Test func `leave a view at a position in its place, with its center at the point`() async throws {
        let square = node(
            5, .frame, ["width": 40, "height": 20, "identifier": "square"], [node(6, .color, ["fill": "red"])])
        let placed = node(7, .position, ["x": 100, "y": 50], [square])
        let reader = node(8, .geometry, [:], [placed], actions: [.measure])
        try await open([reader]) { page in
            try await page.see("report", "8: 393 731 0 0 0 0 0 0;")
            let place = try await page.browser.run(
                """
                const box = (selector) => document.querySelector(selector).getBoundingClientRect();
                const [square, outer] = [box('[data-identifier=square]'), box('.geometry')];
                const scale = outer.width / 393;
                const center = [square.left + square.width / 2 - outer.left, square.top + square.height / 2 - outer.top];
                return [...center, square.width].map((length) => Math.round(length / scale)).join();
                """)
            #expect(place.text == "100,50,40")
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

    @Test func `of a shape are those of its frame, to which the page scales its path meanwhile`() async throws {
        let path: [String: NodeValue] = ["shape": "path", "path": "M 0 0 L 50 20", "size": [50, 20]]
        let line: [String: NodeValue] = ["stroke": "linear:0,0,1,0;red 0;blue 100", "lineWidth": 3, "dash": [4, 2]]
        let drawn = node(6, .shape, path.merging(line) { $1 }, actions: [.measure])
        let frame = node(7, .frame, ["width": 100, "height": 40], [drawn])
        let square = node(9, .frame, ["width": 50, "height": 60], [node(10, .color, ["fill": "red"])])
        let clip = node(8, .clip, path.merging(["identifier": "clip"]) { $1 }, [square], actions: [.measure])
        let ring = node(12, .shape, ["shape": "circle", "stroke": "red", "lineWidth": 4, "identifier": "ring"])
        try await open([frame, clip, node(11, .frame, ["width": 30, "height": 30], [ring])]) { page in
            try await page.see("report", "6: 100 40 0 0 0 0 0 0;8: 50 60 0 0 0 0 0 0;")
            let drawing = try await page.browser.run(
                """
                const path = document.querySelector('.shape path');
                const { stroke, strokeWidth, strokeDasharray } = getComputedStyle(path);
                const find = (name) => document.querySelector(`[data-identifier=${name}]`);
                const { top, borderTopWidth } = getComputedStyle(find('ring'), '::after');
                return [path.getAttribute('d'), stroke, strokeWidth, path.getAttribute('stroke-dasharray'),
                  getComputedStyle(find('clip')).clipPath, top, borderTopWidth].join('|');
                """)
            let clipped = #"path("M 0 0 L 50 60")"#
            #expect(drawing.text == "M 0 0 L 100 40|url(\"#stroke-6\")|3px|4 2|\(clipped)|-2px|4px")
        }
    }
}
