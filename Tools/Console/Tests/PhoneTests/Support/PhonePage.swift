import BrowserKit
import Foundation

/// The phone's page in a browser, used by mouse and keys.
struct PhonePage: Sendable {
    let browser: WebDriver

    static func open(_ subject: PhoneUnderTest, in browser: WebDriver) async throws -> PhonePage {
        try await browser.open(subject.page)
        try await browser.wait(until: "document.querySelector('.live')?.dataset.state === 'open'")
        return PhonePage(browser: browser)
    }

    /// Waits until the screen shows it: a node by its identifier, with a text in it where one is given.
    func see(_ identifier: String, _ text: String = "") async throws {
        try await browser.wait(
            until: """
                [...document.querySelectorAll('\(Self.selector(identifier))')].some((element) => !element.closest('.covered')
                  && (element.textContent + (element.value ?? '') + element.getAttribute('aria-label')).includes('\(text)'))
                """)
    }

    /// Waits until the text can be read on the screen.
    func read(_ text: String) async throws {
        try await browser.wait(until: "document.querySelector('.app').innerText.includes('\(text)')")
    }

    /// Taps what stands still.
    func tap(_ identifier: String) async throws {
        try await stand()
        try await browser.click(Self.selector(identifier))
    }

    /// Waits until nothing on the screen moves.
    func stand() async throws {
        try await browser.wait(until: "!document.querySelector('.app :is(.moving, .entering, .leaving)')")
    }

    /// Goes into a field, empties it and types.
    func type(_ text: String, into identifier: String) async throws {
        try await tap(identifier)
        let field = "document.activeElement"
        try await browser.wait(until: "\(field).dataset.identifier === '\(identifier)'")
        try await browser.run("\(field).select()")
        try await browser.type(text)
    }

    func back() async throws {
        try await stand()
        let pages = "document.querySelectorAll('.app .page').length"
        let before = try await browser.run("return \(pages)").int ?? 0
        try await browser.click(".page:not(.covered) > .bar .back")
        // The phone answers a moment later: until then the page that goes still takes taps.
        try await browser.wait(until: "\(pages) < \(before)")
    }

    /// Drags from an edge of the glass over half of it.
    func swipeBack(fromRight isFromRight: Bool) async throws {
        try await browser.run(
            """
            const glass = document.querySelector('.phone-screen');
            // A pointer of a test cannot be captured.
            glass.setPointerCapture = () => {};
            const { left, right, top, width } = glass.getBoundingClientRect();
            const [edge, sign] = \(isFromRight) ? [right, -1] : [left, 1];
            const send = (type, share) => glass.dispatchEvent(new PointerEvent(type, {
              bubbles: true, pointerId: 9, pointerType: 'touch', clientX: edge + sign * width * share, clientY: top + 300 }));
            send('pointerdown', 0.01);
            for (const share of [0.1, 0.3, 0.5]) send('pointermove', share);
            send('pointerup', 0.5);
            """)
    }

    /// A button of the device's panel.
    func press(_ title: String) async throws { try await browser.click("#device button", text: title) }

    func set(network: String) async throws {
        try await browser.click("[aria-label=Network] [data-value=\(network)]")
        try await browser.wait(
            until: "document.querySelector('[aria-label=Network] [data-value=\(network)]').ariaChecked === 'true'")
    }

    /// The name of the screen that the phone's bar shows.
    static let screenName = "document.querySelector('.phone-tools .clip').textContent"

    /// The panel's count of records that wait in the queue.
    static let queued =
        "document.querySelector('.queue-row')?.closest('.panel').querySelector('.panel-note').textContent"

    /// Waits until so many records, at least, are in the queue that the panel shows; gives their number.
    func seeQueue(atLeast count: Int) async throws -> Int {
        try await browser.wait(until: "parseInt(\(Self.queued)) >= \(count)")
        return try await browser.run("return parseInt(\(Self.queued))").int ?? 0
    }

    func seeEmptyQueue() async throws { try await browser.wait(until: "\(Self.queued) === 'empty'") }

    /// Requires that the browser has no errors, except those of a session of which nothing had arrived yet.
    func requireNoErrors() async throws { try await browser.requireNoErrors(except: "/timeline") }

    private static func selector(_ identifier: String) -> String { ".window [data-identifier=\"\(identifier)\"]" }
}
