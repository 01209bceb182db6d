import BrowserKit
import Foundation
import Testing

@testable import DeviceSimulator

@Suite(
    .serialized, .timeLimit(.minutes(10)), .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver"),
)
struct `The phone's page for another device` {
    @Test func `draws its screen in its size, and the app starts again on it`() async throws {
        try await PhoneUnderTest.run { subject in
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                let page = try await PhonePage.open(subject, in: browser)
                try await page.see("go-shopping")
                #expect(try await Self.glass(in: browser) == "393 852 59px 55px")
                try await Self.choose("iphone-se-3", in: "Device", browser)
                try await browser.wait(until: "\(Self.glassScript) === '375 667 20px 0px'")
                try await subject.phone.wait(for: "a restart") { $0.app.launches == 2 && $0.app.phase == .active }
                try await page.see("go-shopping")
                try await Self.choose("ipad-pro-11", in: "Device", browser)
                try await browser.wait(until: "\(Self.glassScript) === '834 1210 24px 18px'")
                try await subject.phone.wait(for: "a restart") { $0.app.launches == 3 && $0.app.phase == .active }
                try await page.see("go-shopping")
                let width = "document.querySelector('.phone-holder').getBoundingClientRect().width"
                let column = "document.querySelector('.phone-column').getBoundingClientRect().width"
                #expect(try await browser.run("return \(width) <= \(column)").bool == true)
                try await page.requireNoErrors()
            }
        }
    }

    @Test func `fits a window at 400 %, and shows in forced colors what is chosen`() async throws {
        try await PhoneUnderTest.run { subject in
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                let page = try await PhonePage.open(subject, in: browser)
                try await page.see("go-shopping")
                for (width, height) in [(1_280, 577), (640, 450), (320, 225)] {
                    try await browser.resize(width: width, height: height)
                    // The phone takes its size in the next frame.
                    try await browser.wait(until: "document.documentElement.scrollWidth <= innerWidth")
                }
                try await browser.prefer(dark: true, forcedColors: true)
                let plain = try await browser.run(
                    """
                    return [...document.querySelectorAll('.column [aria-checked=true]')].filter((it) => it.checkVisibility())
                      .map((it) => getComputedStyle(it).outlineStyle);
                    """
                ).elements.compactMap(\.text)
                #expect(!plain.isEmpty && !plain.contains("none"))
                try await page.requireNoErrors()
            }
        }
    }

    @Test func `has the hours and the time zone of the phone, and its colors with more contrast`() async throws {
        try await PhoneUnderTest.run { subject in
            try await subject.phone.set {
                $0.timeZone = "Asia/Kolkata"
                $0.hourCycle = .twentyFourHours
            }
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                let page = try await PhonePage.open(subject, in: browser)
                try await page.see("go-shopping")
                let time = """
                    new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', \
                    timeZone: 'Asia/Kolkata' }).format()
                    """
                try await browser.wait(until: "document.querySelector('.status-time').textContent === \(time)")
                let color = "getComputedStyle(document.querySelector('.phone-screen')).getPropertyValue('--c-accent')"
                #expect(try await browser.run("return \(color)").text == "#007aff")
                try await browser.click("#device label.check", text: "Increase Contrast")
                try await browser.wait(until: "\(color) === '#0040dd'")
                try await Self.choose("Europe/Berlin", in: "Time zone", browser)
                try await browser.wait(
                    until: "document.querySelector('.status-time').textContent === \(time)"
                        .replacingOccurrences(of: "Asia/Kolkata", with: "Europe/Berlin"))
                #expect(await subject.phone.settings.timeZone == "Europe/Berlin")
                #expect(await subject.phone.app.launches == 1)
                try await page.requireNoErrors()
            }
        }
    }

    /// The size, the upper margin and the corners of the drawn screen.
    private static let glassScript = """
        (() => { const glass = document.querySelector('.phone-screen'); const style = getComputedStyle(glass); \
        return [glass.clientWidth, glass.clientHeight, style.getPropertyValue('--safe-top'), \
        style.borderTopLeftRadius].join(' '); })()
        """

    private static func glass(in browser: WebDriver) async throws -> String? {
        try await browser.run("return \(glassScript)").text
    }

    private static func choose(_ value: String, in label: String, _ browser: WebDriver) async throws {
        try await browser.run(
            """
            const list = document.querySelector('select[aria-label="\(label)"]');
            list.value = '\(value)';
            list.dispatchEvent(new Event('change'));
            """)
    }
}
