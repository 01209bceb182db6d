import BrowserKit
import DeviceLink
import Testing

@testable import DeviceSimulator

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable && StandInApp.isAvailable, "needs chromium, chromedriver and Python"),
)
struct `The flight recorder on the phone's page` {
    /// Reports a session that is sampled out, and after `keepRecording` what was promoted.
    private static let app = StandInApp.python(
        """
        hello()
        recorder = {"records": 310, "bytes": 1048576, "capacity": 4194304, "oldest": time.time() - 300, "promoted": {},
                    "promotedBytes": 0, "dailyBytes": 2097152, "refused": 0}
        ledger = {"created": 310, "delivered": 0, "inJournal": 0, "inQueue": 0, "notSent": 310, "dropped": {}}
        status = {"mode": "normal", "reasons": [], "samplingRate": 0.1, "flushInterval": 1, "upload": "immediate",
                  "ledger": ledger, "queue": {}, "blockers": [], "requests": 0, "bytesSent": 0, "isSampledOut": True,
                  "recorder": recorder}
        for line in link.makefile("r", encoding="utf-8"):
            type = json.loads(line)["type"]
            if type == "begin":
                say("screen", screen(1, "Touch me"))
                say("status", status)
            if type == "keepRecording":
                recorder["promoted"] = {"app": 310}
                say("status", status)
            if type == "terminate":
                break
        """)

    @Test func `has its ring, and sends it at the press of a button`() async throws {
        try await PhoneUnderTest.run(Self.app) { subject in
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                let page = try await PhonePage.open(subject, in: browser)
                let text = "document.querySelector('.recorder').innerText"
                try await browser.wait(until: "\(text).includes('only the recorder has its spans')")
                #expect(try await browser.run("return \(text).includes('310 records')").bool == true)
                let records = "document.querySelector('.legend').innerText"
                #expect(try await browser.run("return \(records)").text?.contains("Not sent\n310") == true)
                #expect(try await browser.run("return \(records)").text?.contains("Dropped\n0") == true)
                try await browser.click(".recorder button", text: "Send the recording")
                try await browser.wait(until: "document.querySelector('.triggers').innerText.includes('310 records')")
                try await page.requireNoErrors()
            }
        }
    }

    @Test func `launches the app again with another sampling`() async throws {
        try await PhoneUnderTest.run(Self.app) { subject in
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                let page = try await PhonePage.open(subject, in: browser)
                let list = "document.querySelector('select[aria-label=Sampling]')"
                try await browser.wait(until: "\(list)?.value === 'everything'")
                try await browser.run("\(list).value = 'nothing'; \(list).dispatchEvent(new Event('change'));")
                try await subject.phone.wait(for: "a restart") { $0.app.launches == 2 && $0.app.phase == .active }
                #expect(await subject.phone.settings.sampling == .nothing)
                try await page.requireNoErrors()
            }
        }
    }
}
