import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Takes the pictures of the replay, as `PictureTests` does of the other pages.
@Suite(
    .enabled(
        if: WebDriver.isAvailable && ProcessInfo.processInfo.environment["ASTROLABE_PICTURES"] != nil,
        "pictures are taken when ASTROLABE_PICTURES names a folder and chromium and chromedriver are there",
    )
)
struct ReplayPictureTests {
    @Test(arguments: [true, false])
    func `a picture of a replay, at a tap`(dark: Bool) async throws {
        let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment["ASTROLABE_PICTURES"] ?? ".")
        let theme = dark ? "dark" : "light"
        let start = UInt64(Date().timeIntervalSince1970) * 1_000_000_000 - 120_000_000_000
        var replay = try ReplayVisit.crash(start: start)
        replay.lost = [3, 4]
        let tap = try #require(
            replay.visit.events.last { $0.name == "app.widget.click" && $0.text("app.widget.id") == "place_order" })
        try await ConsoleUnderTest.run { [replay] console in
            try await console.send(replay.visit)
            try await console.send(replay.body, to: .logs)
            try await WebDriver.run(width: 1440, height: 900, dark: dark) { browser in
                let page = "\(console.address)/sessions/\(replay.visit.session)"
                func take(_ name: String, at time: UInt64, showing part: String) async throws {
                    try await browser.open("\(page)?at=\(time / 1_000)")
                    try await browser.wait(until: "document.querySelector('\(part)')")
                    try await browser.wait(until: "document.querySelector('.live').dataset.state === 'open'")
                    try await browser.wait(until: "document.getAnimations().every((a) => a.playState === 'finished')")
                    let data = try await browser.screenshot()
                    #expect(data.count < 300_000, "\(name) is \(data.count) bytes")
                    try data.write(to: folder.appendingPathComponent("console-\(name)-\(theme).png"))
                }
                try await take("replay", at: tap.time + 20_000_000, showing: ".w-tapped")
                if ProcessInfo.processInfo.environment["ASTROLABE_PICTURES_ALL"] != nil {
                    try await take("replay-list", at: replay.visit.start + 2_000_000_000, showing: ".w-grid")
                    try await take("replay-crash", at: replay.visit.now, showing: ".cover-card.crash")
                    try await take("replay-detail", at: replay.frames[8].time, showing: ".w-stepper")
                    try await browser.resize(width: 900, height: 900)
                    try await take("replay-narrow", at: tap.time + 20_000_000, showing: ".w-tapped")
                }
                #expect(try await browser.errors() == [])
            }
        }
    }
}
