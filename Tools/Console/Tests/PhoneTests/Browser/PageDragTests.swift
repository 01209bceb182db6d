import BrowserKit
import Testing
import ViewTree

@testable import DeviceSimulator

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable && StandInApp.isAvailable, "needs chromium, chromedriver and Python"),
)
struct `A drag on the phone's page` {
    private static func box(_ id: Int, height: Double) -> RenderedNode {
        node(id, .frame, ["height": .number(height)], [node(id + 1, .color, ["fill": "red"])])
    }

    private static let report = node(
        98, .frame, ["height": 60], [node(99, .text, ["text": "none", "identifier": "report"])])

    /// A view that is dragged after 30 points, with a button.
    private static let card = node(
        20, .dragArea, ["distance": 30, "identifier": "card"],
        [
            node(
                21, .vstack, [:],
                [
                    box(22, height: 100),
                    node(
                        24, .button, ["identifier": "inside"], [node(25, .text, ["text": "Inside"])], actions: [.tap]),
                ])
        ], actions: [.drag])

    private static let rows = (0..<40).map { number in
        let id = 100 + number * 10
        let row = node(id, .dragArea, ["distance": 10], [box(id + 1, height: 40)], actions: [.drag])
        return node(id + 5, .group, ["identifier": .string("row-\(number)")], [row])
    }

    /// Opens the page of an app that shows the card, a list of rows, and its events in a text.
    private func open(_ body: @Sendable @escaping (PhonePage) async throws -> Void) async throws {
        let scroll = node(
            4, .scroll, ["vertical": true, "horizontal": false], [node(5, .vstack, ["spacing": 0], Self.rows)])
        let stack = node(3, .vstack, [:], [Self.report, Self.card, scroll])
        let app = try StandInApp.showingEvents(tree(1, stack), in: 99)
        try await PhoneUnderTest.run(app) { subject in
            try await subject.phone.launched()
            // In a high window the phone has its size, and a pixel is a point.
            try await WebDriver.run(height: 1_200) { browser in
                let page = try await PhonePage.open(subject, in: browser)
                try await page.see("report", "none")
                try await page.stand()
                try await body(page)
                try await browser.requireNoErrors()
            }
        }
    }

    private let card = ".window .drag-area[data-identifier=card]"
    private let button = ".window [data-identifier=inside]"

    @Test func `begins at its distance, and reports its way and its end`() async throws {
        try await open { page in
            try await page.browser.drag(card, by: [(10, 0), (15, 0)])
            try await page.browser.drag(card, by: [(40, 5), (20, -15)])
            try await page.see("report", "drag 20 changed 60 -10, drag 20 ended 60 -10")
            let report = "drag 20 changed 60 -10, drag 20 ended 60 -10"
            #expect(try await text(of: page) == report, "the short drag reports nothing")
        }
    }

    @Test func `leaves a tap to the button inside, and takes it if the finger moves`() async throws {
        try await open { page in
            try await page.tap("inside")
            try await page.see("report", "tap 24")
            try await page.browser.drag(button, by: [(0, 20), (0, 20)])
            try await page.see("report", "tap 24, drag 20 changed 0 40, drag 20 ended 0 40")
            try await page.browser.drag(button, by: [(0, -16), (0, -16), (0, 32)])
            try await page.see("report", "ended 0 40, drag 20 changed 0 0, drag 20 ended 0 0")
            try await page.tap("inside")
            try await page.see("report", "ended 0 0, tap 24")
            let report =
                "tap 24, drag 20 changed 0 40, drag 20 ended 0 40, drag 20 changed 0 0, drag 20 ended 0 0, tap 24"
            #expect(try await text(of: page) == report, "no drag is a tap")
        }
    }

    @Test func `is cancelled with its pointer, and follows no other`() async throws {
        try await open { page in
            let pointer =
                "const send = (type, pointerId, clientX) => dispatchEvent(new PointerEvent(type, "
                + "{ pointerId, clientX, clientY: 0 }));"
            try await page.browser.run("addEventListener('pointerdown', (event) => window.last = event, true)")
            try await page.browser.drag(card, by: [(40, 0)]) {
                try await page.see("report", "drag 20 changed 40 0")
                try await page.browser.run("\(pointer) send('pointermove', 77, 0); send('pointerup', 77, 0);")
                try await page.browser.run("\(pointer) send('pointercancel', window.last.pointerId, 0)")
                try await page.see("report", "drag 20 changed 40 0, drag 20 cancelled 40 0")
            }
            try await page.tap("inside")
            try await page.see("report", "drag 20 changed 40 0, drag 20 cancelled 40 0, tap 24")
        }
    }

    @Test func `on a row takes the place of scrolling, and the wheel scrolls`() async throws {
        try await open { page in
            let top = "document.querySelector('.window .scroll').scrollTop"
            let row = ".window [data-identifier=row-3]"
            try await page.browser.drag(row, by: [(0, -20), (0, -20)])
            try await page.see("report", "drag 130 changed 0 -40, drag 130 ended 0 -40")
            #expect(try await page.browser.run("return \(top)").int == 0)
            try await page.browser.scroll(row, by: 200)
            try await page.browser.wait(until: "\(top) === 200")
        }
    }

    private func text(of page: PhonePage) async throws -> String {
        try await page.browser.run("return document.querySelector('[data-identifier=report]').textContent").text ?? ""
    }
}
