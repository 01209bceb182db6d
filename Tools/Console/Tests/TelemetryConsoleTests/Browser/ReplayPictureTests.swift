import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Takes the screenshots of the replay, as `PictureTests` does for the other pages.
@Suite(
    .enabled(
        if: WebDriver.isAvailable && ProcessInfo.processInfo.environment["ASTROLABE_PICTURES"] != nil,
        "pictures are taken when ASTROLABE_PICTURES names a folder and chromium and chromedriver are there",
    )
)
struct ReplayPictureTests {
    @Test(arguments: [true, false])
    func `screenshots of a replay at a tap and at the crash`(dark: Bool) async throws {
        let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment["ASTROLABE_PICTURES"] ?? ".")
        let theme = dark ? "dark" : "light"
        let start = UInt64(Date().timeIntervalSince1970) * 1_000_000_000 - 120_000_000_000
        var replay = try ReplayVisit.crash(start: start)
        replay.lost = [4]
        let tap = try #require(replay.visit.events.last { $0.text("app.widget.id") == "product.OLJCESPC7Z" })
        try await ConsoleUnderTest.run { [replay] console in
            try await console.send(replay.visit)
            try await console.send(replay.body, to: .logs)
            try await WebDriver.run(width: 1440, height: 900, dark: dark) { browser in
                let page = "\(console.address)/sessions/\(replay.visit.session)"
                let moment = dark ? replay.visit.now : tap.time + 20_000_000
                try await browser.open("\(page)?at=\(moment / 1_000)")
                try await browser.wait(until: "document.querySelector('\(dark ? ".cover-card.crash" : ".w-tapped")')")
                try await browser.wait(until: "document.querySelector('.live').dataset.state === 'open'")
                try await browser.wait(until: "document.getAnimations().every((a) => a.playState === 'finished')")
                let data = try await browser.screenshot()
                #expect(data.count < 300_000, "the picture is \(data.count) bytes")
                try data.write(to: folder.appendingPathComponent("console-replay-\(theme).png"))
                try await browser.requireNoErrors()
            }
        }
    }
}
