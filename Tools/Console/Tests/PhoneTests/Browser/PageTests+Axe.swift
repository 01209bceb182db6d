import AstrolabeTestSupport
import BrowserKit
import Testing

@testable import DeviceSimulator

/// Rules that others have written.
extension `The phone's page` {
    private static let needsPython = ConditionTrait.enabled(
        if: ConformanceScript.python != nil,
        "ASTROLABE_PYTHON names no Python with Scripts/requirements.txt installed; ./astrolabe test makes one")

    @Test(needsPython)
    func `breaks no rule of axe-core, with the app, with what VoiceOver reads, and after a kill`() async throws {
        let axe = Axe(source: try await ConformanceScript.axe)
        try await PhoneUnderTest.run { subject in
            // The colors of iOS have too little contrast for the rules, unless a person asks for more.
            try await subject.phone.set { $0.increasesContrast = true }
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                let page = try await PhonePage.open(subject, in: browser)
                try await page.see("go-shopping")
                try await Self.check(axe, "the start", page)
                try await browser.click(".spoken-panel summary")
                try await browser.wait(until: "document.querySelector('.spoken button')")
                try await page.tap("go-shopping")
                try await page.see("product-LS4PSXUNUM")
                try await Self.check(axe, "the products", page)
                try await page.press("Kill")
                try await browser.wait(until: "document.querySelector('.end-card')")
                try await Self.check(axe, "the end of the app", inTheDark: true, page)
                try await page.requireNoErrors()
            }
        }
    }

    /// Checks the page in one of its themes. With the app it is the light one: axe-core mistakes the page's dark ground
    /// for that of the app.
    private static func check(_ axe: Axe, _ title: String, inTheDark isDark: Bool = false, _ page: PhonePage)
        async throws
    {
        try await page.browser.prefer(dark: isDark)
        try await page.stand()
        try await page.browser.wait(until: "document.getAnimations().every((it) => it.playState === 'finished')")
        let violations = try await axe.violations(in: page.browser)
        #expect(violations == [], "\(title), \(isDark ? "dark" : "light")")
    }
}
