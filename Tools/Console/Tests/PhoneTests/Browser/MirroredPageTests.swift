import AstrolabeTestSupport
import BrowserKit
import Testing

@testable import DeviceSimulator

@Suite(
    .serialized, .timeLimit(.minutes(10)), .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver"),
)
struct `The phone's page in another language` {
    @Test(
        arguments: [("ar_EG", true), ("en_US", false), ("de_DE", false)].prefix(Thoroughness.count(2, thorough: 3)))
    func `is laid out in the language's direction: rows, bars and the way back`(
        locale: String, isMirrored: Bool,
    ) async throws {
        try await PhoneUnderTest.run { subject in
            try await subject.phone.set { $0.locale = locale }
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                let page = try await PhonePage.open(subject, in: browser)
                try await page.tap("go-shopping")
                try await page.see("product-LS4PSXUNUM")
                try await page.stand()
                let row = "[data-identifier=product-LS4PSXUNUM]"
                #expect(try await Self.isInRightHalf("\(row) .aspect, \(row) .image", in: browser) == isMirrored)
                #expect(try await Self.isInRightHalf("\(row) .disclosure", in: browser) != isMirrored)
                #expect(try await Self.isInRightHalf("[data-identifier=cart]", in: browser) != isMirrored)
                #expect(
                    try await Self.isInRightHalf(".page:not(.covered) > .bar .back", in: browser) == isMirrored)
                #expect(try await Self.isInRightHalf(".status-time", in: browser) == isMirrored)
                // A swipe from the edge where the language begins leads back.
                try await page.swipeBack(fromRight: isMirrored)
                try await page.see("learn-more")
                try await page.stand()
                try await page.requireNoErrors()
            }
        }
    }

    @Test func `follows a choice on the page, and has the words of the phone itself`() async throws {
        try await PhoneUnderTest.run { subject in
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                let page = try await PhonePage.open(subject, in: browser)
                try await page.tap("go-shopping")
                try await page.see("product-LS4PSXUNUM", "$57.08")
                try await browser.run(
                    """
                    const list = document.querySelector('[aria-label="Language and region"]');
                    list.value = 'de_DE';
                    list.dispatchEvent(new Event('change'));
                    """)
                try await page.see("go-shopping", "Zum Shop")
                try await page.tap("go-shopping")
                try await page.see("product-LS4PSXUNUM", "57,08")
                let words = try await browser.run(
                    """
                    const window = document.querySelector('.window');
                    const back = window.querySelector('.page:not(.covered) > .bar .back');
                    return [window.lang, back.innerText.trim(), window.querySelector('.search-cancel').textContent].join();
                    """)
                #expect(words.text == "de,Zurück,Abbrechen")
            }
        }
    }

    /// Returns true if the middle of the first element that the selector finds is on the right half of the glass. Waits
    /// for the element: a row is there before its picture.
    private static func isInRightHalf(_ selector: String, in browser: WebDriver) async throws -> Bool {
        try await browser.wait(
            until: """
                (() => {
                  const element = [...document.querySelectorAll('.phone-screen ' + '\(selector)')].find((one) => !one.closest('.covered'));
                  if (!element) return false;
                  const [box, glass] = [element, document.querySelector('.phone-screen')].map((one) => one.getBoundingClientRect());
                  window.offset = (box.left + box.right) / 2 - (glass.left + glass.right) / 2;
                  return true;
                })()
                """)
        return try #require(try await browser.run("return window.offset").double) > 0
    }
}
