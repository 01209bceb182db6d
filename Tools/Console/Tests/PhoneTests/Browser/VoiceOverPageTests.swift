import BrowserKit
import Testing

@testable import DeviceSimulator

@Suite(
    .serialized, .timeLimit(.minutes(10)), .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver"),
)
struct `The VoiceOver panel of the phone's page` {
    private static let texts = "[...document.querySelectorAll('.spoken button')].map((item) => item.title).join('|')"
    private static let mark = "document.querySelector('.spoken-mark')"

    @Test func `lists what is read in order, follows the screen, and frames an element`() async throws {
        try await PhoneUnderTest.run { subject in
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                let page = try await PhonePage.open(subject, in: browser)
                try await page.see("go-shopping")
                #expect(try await browser.run("return \(Self.texts)").text == "")
                try await browser.click(".spoken-panel summary")
                try await browser.wait(until: "\(Self.texts).includes('Go Shopping, button|Learn More, button')")
                #expect(try await browser.run("return \(Self.mark).hidden").bool == true)
                // The frame is where the button is, in the glass that may be scaled.
                try await browser.run(
                    "[...document.querySelectorAll('.spoken button')].find((item) => item.title === 'Go Shopping, button').focus()"
                )
                let isFramed = """
                    (() => { const one = \(Self.mark).getBoundingClientRect(); \
                    const other = document.querySelector('.app [data-identifier="go-shopping"]').getBoundingClientRect(); \
                    return Math.abs(one.left - other.left) < 2 && Math.abs(one.bottom - other.bottom) < 2; })()
                    """
                try await browser.wait(until: "!\(Self.mark).hidden && \(isFramed)")
                // An arrow key goes to the next element.
                try await browser.run(
                    """
                    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
                    """)
                #expect(try await browser.run("return document.activeElement.title").text == "Learn More, button")
                try await page.tap("go-shopping")
                try await page.see("product-LS4PSXUNUM")
                try await browser.wait(until: "\(Self.texts).startsWith('Back, button|')")
                try await page.requireNoErrors()
            }
        }
    }
}
