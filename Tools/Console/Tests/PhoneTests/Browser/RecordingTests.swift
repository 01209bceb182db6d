import AstrolabeCommands
import AstrolabeTestSupport
import BrowserKit
import Testing

@testable import DeviceSimulator

@Suite(.serialized, .timeLimit(.minutes(30)), .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver"))
struct `A scenario that is recorded on the phone's page` {
    private static let isRecorded = "document.querySelector('.recording-panel .panel-note').textContent"
    private static let steps = "document.querySelector('.recording-panel pre').textContent"

    @Test func `has the steps of five tabs, and passes`() async throws {
        let yaml = try await Self.record()
        let expected = [
            "tap: { name: Buy, near: Rice }", "type: { into: Search the pantry, text: ri }", "tap: tab-plan",
            "choose: { in: Meal, title: Dinner }", "increment: Guests\n    times: 2", "tap: Recipes", "tap: Sort",
            "tap: Backwards", "tap: Basket", "tap: Empty the basket", "tap: Forget", "tap: Settings", "tap: Remind me",
            "set: { network: airplane }", "kill", "launch",
        ]
        for step in expected { #expect(yaml.contains("\n  - \(step)\n"), "\(step)\n\(yaml)") }
        let titles = ["Foods", "The plan", "All recipes", "Shopping", "Forget it all?", "All settings"]
        for title in titles {
            #expect(yaml.contains("wait: { text: \(YAML.scalar(title)) }"), "\(title)\n\(yaml)")
        }
        #expect(!yaml.contains("#"), "\(yaml)")
        var scenario = try ScenarioReader.read(yaml)
        scenario.allowMoreTime()
        for _ in 0..<Thoroughness.count(1, thorough: 10) {
            try await PhoneUnderTest.run(try .pantry()) { [scenario] subject in
                let evidence = StoreEvidence(subject.store)
                try await ScenarioRunner(phone: subject.phone, evidence: evidence).play(scenario)
            }
        }
    }

    /// Uses the app with five tabs on the page, by mouse and keys, and returns the recorded scenario.
    private static func record() async throws -> String {
        try await PhoneUnderTest.run(try .pantry()) { subject in
            try await subject.phone.launched()
            return try await WebDriver.run(height: 1_200) { browser in
                let page = try await PhonePage.open(subject, in: browser)
                try await browser.click(".recording-panel button", text: "Record")
                try await browser.wait(until: "\(isRecorded).startsWith('recording')")
                try await page.read("Lentils")
                try await use(page)
                try await browser.click(".recording-panel button", text: "Stop")
                try await browser.wait(until: "!\(isRecorded).startsWith('recording') && \(steps).includes('kill')")
                let path = try await browser.run("return document.querySelector('.recording-panel a').href").text ?? ""
                #expect(path.hasSuffix("/device/api/v1/recording"))
                try await page.requireNoErrors()
                return await subject.phone.recording ?? ""
            }
        }
    }

    private static func use(_ page: PhonePage) async throws {
        let browser = page.browser
        try await click("Buy", in: ".card > :nth-child(2) button", page)
        try await browser.click(".window .search-input")
        try await browser.type("ri")
        try await browser.wait(until: "!document.querySelector('.app').innerText.includes('Lentils')")
        try await click("Plan", in: ".tab", page)
        try await page.read("Guests")
        try await click("Lunch", in: ".menu-button", page)
        try await click("Dinner", in: "[role=option]", page)
        try await page.see("summary", "dinner")
        for guests in 3...4 {
            try await browser.click(".window .steps > :last-child")
            try await page.see("summary", "for \(guests)")
        }
        try await click("Recipes", in: ".tab", page)
        try await page.read("Curry")
        try await click("Sort", in: "[aria-haspopup=menu]", page)
        try await click("Backwards", in: ".menu-items button", page)
        // No finger reaches the tabs before the menu has closed.
        try await browser.wait(until: "!document.querySelector('.window .menu-items')")
        try await page.stand()
        try await click("Basket", in: ".tab", page)
        try await page.read("1 × Rice")
        try await click("Empty the basket", in: "button", page)
        try await click("Forget", in: ".question button", page)
        try await page.read("Nothing to buy")
        try await click("Settings", in: ".tab", page)
        try await page.read("Remind me")
        try await browser.click(".window [role=switch]")
        try await browser.wait(until: "document.querySelector('.window [role=switch]').ariaChecked === 'true'")
        try await page.set(network: "airplane")
        try await page.press("Kill")
        try await page.press("Relaunch")
        try await page.read("Lentils")
    }

    /// Clicks the last of the selected elements that has the words in a line. The badge of a tab is another line.
    private static func click(_ words: String, in selector: String, _ page: PhonePage) async throws {
        try await page.stand()
        let found = """
            [...document.querySelectorAll('.window \(selector)')].filter((element) => element.checkVisibility()
              && !element.closest('[inert]') && element.innerText.split('\\n').includes('\(words)')).at(-1)
            """
        try await page.browser.wait(until: found)
        try await page.browser.run("(\(found)).click()")
    }
}
