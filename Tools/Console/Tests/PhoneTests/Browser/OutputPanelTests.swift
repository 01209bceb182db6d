import BrowserKit
import Testing

@testable import DeviceSimulator

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable && StandInApp.isAvailable, "needs chromium, chromedriver and Python"),
)
struct `The output of the app on the phone's page` {
    private static let app = StandInApp.python(
        """
        print("The app starts", flush=True)
        hello()
        for line in link.makefile("r"):
            type = json.loads(line)["type"]
            if type == "begin": say("screen", screen(1, "Touch me"))
            if type == "event": print("<b>Touched</b>", flush=True)
            if type == "terminate": break
        """)

    @Test func `has what it writes, as text, and is empty after a launch`() async throws {
        try await PhoneUnderTest.run(Self.app) { subject in
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                let page = try await PhonePage.open(subject, in: browser)
                let text = "document.querySelector('.output-panel pre').textContent"
                try await browser.wait(until: "\(text) === 'The app starts'")
                try await page.tap("count")
                try await browser.wait(until: "\(text) === 'The app starts\\n<b>Touched</b>'")
                try await subject.phone.perform(.kill)
                _ = try await subject.phone.ended()
                #expect(try await browser.run("return \(text).includes('Touched')").bool == true)
                try await subject.phone.launched()
                try await browser.wait(until: "\(text) === 'The app starts'")
                try await page.requireNoErrors()
            }
        }
    }
}
