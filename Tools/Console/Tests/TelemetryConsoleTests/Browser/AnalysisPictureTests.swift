import BrowserKit
import Foundation
import ShopHistory
import Testing

@testable import TelemetryConsole

/// Takes the pictures of Explore, the boards, the journeys and the map: see `PictureTests`.
@Suite(
    .serialized,
    .enabled(
        if: WebDriver.isAvailable && ProcessInfo.processInfo.environment["ASTROLABE_PICTURES"] != nil,
        "pictures are taken when ASTROLABE_PICTURES names a folder and chromium and chromedriver are there",
    ),
)
struct AnalysisPictureTests {
    @Test(arguments: [true, false])
    func `screenshots of Explore, boards, journeys and the map at three widths`(dark: Bool) async throws {
        let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment["ASTROLABE_PICTURES"] ?? ".")
        let theme = dark ? "dark" : "light"
        try await ConsoleUnderTest.run { console in
            var settings = HistorySettings(end: UInt64(Date().timeIntervalSince1970) * 1_000_000_000)
            settings.sessions = 400
            try await console.send(FleetHistory(settings))
            try await WebDriver.run(width: 1440, height: 1000, dark: dark) { browser in
                func take(_ name: String, _ address: String, until expression: String) async throws {
                    try await browser.open(console.address + address)
                    try await browser.wait(until: expression)
                    try await browser.wait(
                        until: "document.getAnimations().every((a) => a.playState === 'finished')")
                    let data = try await browser.screenshot()
                    #expect(data.count < 300_000, "\(name) is \(data.count) bytes")
                    try data.write(to: folder.appendingPathComponent("console-\(name)-\(theme).png"))
                }
                let query = "heatmap(duration), p95(duration) where name = \"POST /api/checkout\""
                let parameters = [
                    ("q", query), ("selection", "status = error"), ("tab", "differences"), ("time", "48h"),
                ].map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }
                let explore = "/explore?\(parameters.joined(separator: "&"))"
                // The first query reads the records; the picture shows a later one.
                for _ in 1...2 {
                    try await take(
                        "explore", explore, until: "document.querySelectorAll('.difference').length > 3")
                }
                for board in ["user-journey", "error-monitoring", "business-metrics", "app-performance"] {
                    try await take(
                        "board-\(board)", "/boards/\(board)?time=48h",
                        until: "document.querySelectorAll('.board-panel').length > 5 && "
                            + "[...document.querySelectorAll('.panel-body')].every((it) => it.childElementCount)")
                }
                try await take(
                    "journeys", "/journeys?time=48h",
                    until: "document.querySelector('.funnel-step') && document.querySelector('.flow-frame *')")
                try await take("map", "/map?time=48h", until: "document.body.innerText.includes('p99')")
                try await browser.resize(width: 390, height: 844)
                try await take("explore-390", explore, until: "document.querySelectorAll('.difference').length > 3")
                try await browser.resize(width: 1024, height: 768)
                try await take("explore-1024", explore, until: "document.querySelectorAll('.difference').length > 3")
            }
        }
    }
}
