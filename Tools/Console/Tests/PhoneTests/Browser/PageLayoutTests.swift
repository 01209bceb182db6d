import BrowserKit
import Testing
import ViewTree

@testable import DeviceSimulator

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable && StandInApp.isAvailable, "needs chromium, chromedriver and Python"),
)
struct `The layout of the phone's page` {
    private func text(_ id: Int, _ words: String) -> RenderedNode { node(id, .text, ["text": .string(words)]) }

    /// Starts an app that shows these layers of its window, and gives what the script returns on the page.
    private func measure(_ layers: [RenderedNode], _ script: String) async throws -> String? {
        let app = try StandInApp.showing(RenderedTree(revision: 1, root: node(1, .window, [:], layers)))
        return try await PhoneUnderTest.run(app) { subject in
            try await subject.phone.launched()
            return try await WebDriver.run { browser in
                let page = try await PhonePage.open(subject, in: browser)
                try await page.see("shown")
                let result = try await browser.run(
                    """
                    const find = (name) => document.querySelector(`.window [data-identifier=${name}]`);
                    const size = (name) => `${find(name).offsetWidth}x${find(name).offsetHeight}`;
                    \(script)
                    """)
                try await browser.requireNoErrors()
                return result.text
            }
        }
    }

    @Test func `keeps the size of a fixed frame in a clip beside long text, and in a smaller frame`() async throws {
        let square = node(5, .frame, ["width": 60, "height": 60], [node(6, .color, ["fill": "red"])])
        let long = text(7, String(repeating: "many words ", count: 20))
        let beside = node(8, .hstack, [:], [node(4, .clip, ["radius": 9, "identifier": "shown"], [square]), long])
        let wide = node(9, .frame, ["width": 200, "height": 80], [node(10, .color, ["fill": "blue"])])
        let padded = node(11, .padding, ["top": 5, "bottom": 5, "identifier": "padded"], [wide])
        let narrow = node(12, .frame, ["width": 100, "height": 40, "identifier": "narrow"], [padded])
        let content = node(2, .content, [:], [node(3, .vstack, [:], [beside, narrow])])
        let sizes = try await measure([content], "return ['shown', 'padded', 'narrow'].map(size).join(' ');")
        #expect(sizes == "60x60 200x90 100x40")
    }

    @Test func `shows a control without its label at its own size, and reads the label`() async throws {
        let toggle = node(
            4, .toggle, ["on": true, "labelHidden": true, "identifier": "shown"], [text(5, "Alarm")], actions: [.tap])
        let row = node(6, .hstack, ["identifier": "row"], [toggle, node(7, .spacer), text(8, "end")])
        let content = node(2, .content, [:], [node(3, .vstack, [:], [row])])
        let result = try await measure(
            [content],
            "return [size('shown'), find('shown').innerText, find('shown').getAttribute('aria-label')].join(' ');")
        #expect(result == "51x31 Alarm ")
    }

    @Test func `shows filters, the space between letters, and a text as high as its lines`() async throws {
        let filtered = node(
            4, .filter, ["filter": "saturation", "amount": 0.5, "identifier": "shown"], [text(5, "a")])
        let turned = node(
            6, .filter, ["filter": "hueRotation", "amount": 90, "identifier": "turned"], [text(7, "b")])
        let lines = node(8, .text, ["text": "c", "leastLines": 3, "fontSize": 20, "identifier": "lines"])
        let one = node(9, .text, ["text": "c", "fontSize": 20, "identifier": "one"])
        let wide = node(10, .text, ["text": "cccc", "fontSize": 20, "tracking": 10, "identifier": "wide"])
        let narrow = node(11, .text, ["text": "cccc", "fontSize": 20, "identifier": "narrow"])
        let content = node(2, .content, [:], [node(3, .vstack, [:], [filtered, turned, lines, one, wide, narrow])])
        let result = try await measure(
            [content],
            """
            const height = (name) => find(name).getBoundingClientRect().height;
            return [
              ...['shown', 'turned'].map((name) => getComputedStyle(find(name)).filter),
              Math.round(height('lines') / height('one')), find('wide').offsetWidth - find('narrow').offsetWidth,
            ].join(' ');
            """)
        #expect(result == "saturate(0.5) hue-rotate(90deg) 3 40")
    }

    @Test func `fills the glass with a full-screen cover, and has one way back from a stack in another`() async throws {
        let inner = node(
            6, .page, ["title": "Inner", "displayMode": "inline", "identifier": "shown"],
            [node(7, .pageContent, [:], [text(8, "inside")])], actions: [.back])
        let stack = node(5, .navigation, [:], [inner])
        let outer = node(4, .page, ["title": "Outer", "barHidden": true], [node(9, .pageContent, [:], [stack])])
        let cover = node(3, .sheet, ["fullScreen": true], [node(10, .navigation, [:], [outer])])
        let content = node(2, .content, ["covered": true], [text(11, "under")])
        let result = try await measure(
            [content, cover],
            """
            const box = (element) => {
              const { left, top, right, bottom } = element.getBoundingClientRect();
              return [left, top, right, bottom].map(Math.round).join();
            };
            const [glass, panel, page] = ['.phone-screen', '.sheet-panel', '[data-identifier=shown]']
              .map((selector) => box(document.querySelector(selector)));
            const backs = [...document.querySelectorAll('.back')].filter((back) => back.checkVisibility());
            const titles = backs.map((back) => back.closest('.page').querySelector('.bar-title').textContent);
            return [panel === glass, page === glass, ...titles].join(' ');
            """)
        #expect(result == "true true Inner")
    }

    @Test func `shows of a menu outside of a list the choice alone, and says its label`() async throws {
        func picker(_ id: Int, _ properties: [String: NodeValue]) -> RenderedNode {
            let label = node(id + 1, .label, [:], [text(id + 2, "Size")])
            let choices = node(id + 3, .choices, [:], [text(id + 4, "S"), text(id + 5, "M")])
            return node(id, .picker, properties.merging(["selected": 1]) { $1 }, [label, choices], actions: [.change])
        }
        let alone = picker(10, ["identifier": "shown", "labelHidden": true])
        let form = node(
            3, .form, [:], [node(4, .section, [:], [node(5, .row, [:], [picker(20, ["identifier": "row"])])])])
        let content = node(2, .content, [:], [node(6, .vstack, [:], [alone, form])])
        let result = try await measure(
            [content],
            """
            return ['shown', 'row'].map((name) => {
              const button = find(name).querySelector('.menu-button');
              const words = find(name).innerText.trim().split(/\\s+/).join(' ');
              return [words, button.ariaLabel, getComputedStyle(button).color].join('|');
            }).join(' / ');
            """)
        #expect(result == "M|Size, M|rgb(0, 122, 255) / Size M|Size, M|rgba(60, 60, 67, 0.6)")
    }
}
