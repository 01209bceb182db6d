import BrowserKit
import Testing

@testable import TelemetryConsole

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct FailureCountPageTests {
    private static let phone: [(String, JSON)] = [("service.name", "shop"), ("device.model.name", "iPhone 15 Pro")]

    private static func span(_ id: Int, in parent: Int) -> OTLPBody.Span {
        OTLPBody.Span(
            trace: "4bf92f3577b34da6a3ce929d0e0e4736", id: "00f067aa0ba902b\(id)",
            parent: parent == 0 ? "" : "00f067aa0ba902b\(parent)", name: "step \(id)",
            start: 1_790_000_000_000_000_000, end: 1_790_000_001_000_000_000, attributes: [("session.id", "s-1")],
            error: "refused")
    }

    @Test
    func `list, session, filter and trace agree on one failure that three spans report`() async throws {
        try await ConsoleUnderTest.run { console in
            try await console.send(
                OTLPBody.traces(Self.phone, [Self.span(1, in: 0), Self.span(2, in: 1)]), to: .traces)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/sessions")
                try await browser.wait(until: "document.querySelector('.entry .badge.bad')?.innerText === '1 error'")
                try await browser.open("\(console.address)/sessions/s-1")
                let chip = "[...document.querySelectorAll('.chip')].find((it) => it.innerText.startsWith('Errors'))"
                try await browser.wait(until: "\(chip)?.querySelector('.count').innerText === '1'")
                try await console.send(OTLPBody.traces(Self.phone, [Self.span(3, in: 2)]), to: .traces)
                try await browser.wait(until: "document.querySelectorAll('.moment').length === 3")
                try await browser.run("\(chip).click()")
                try await browser.wait(
                    until:
                        "[...document.querySelectorAll('.moment .name')].map((it) => it.innerText).join() === 'step 3'")
                let head = try await browser.run("return document.querySelector('.page-head .badge.bad').innerText")
                #expect(head.text == "1 error")
                try await browser.open("\(console.address)/traces")
                try await browser.wait(until: "document.querySelector('.entry .badge.bad')?.innerText === '1 error'")
                try await browser.open("\(console.address)/traces/4bf92f3577b34da6a3ce929d0e0e4736")
                try await browser.wait(
                    until: "document.querySelector('.page-head .badge.bad')?.innerText === '1 error'")
                try await browser.requireNoErrors()
            }
        }
    }
}
