import AstrolabeTelemetryModel
import BrowserKit
import ConsoleModel
import Foundation
import Symbolication
import Testing

@testable import TelemetryConsole

/// Takes the screenshots of the health pages, as `PictureTests` does for the others.
@Suite(
    .enabled(
        if: WebDriver.isAvailable && ProcessInfo.processInfo.environment["ASTROLABE_PICTURES"] != nil,
        "pictures are taken when ASTROLABE_PICTURES names a folder and chromium and chromedriver are there",
    )
)
struct HealthPictureTests {
    @Test(arguments: [true, false])
    func `screenshots of crashes, a crash, a hang and releases`(dark: Bool) async throws {
        let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment["ASTROLABE_PICTURES"] ?? ".")
        let theme = dark ? "dark" : "light"
        let program = try ShopProgram()
        defer { program.remove() }
        try await ConsoleUnderTest.run { console in
            try SymbolStore(folder: console.console.configuration.symbolsFolder).add(program.file)
            try await Self.fill(console.console.store, program)
            try await WebDriver.run(width: 1440, height: 900, dark: dark) { browser in
                func take(_ name: String, _ path: String, showing part: String) async throws {
                    try await browser.open(console.address + path)
                    try await browser.wait(until: "document.querySelector('\(part)')")
                    try await browser.wait(until: "document.querySelector('.live').dataset.state === 'open'")
                    try await browser.wait(until: "document.getAnimations().every((a) => a.playState === 'finished')")
                    let data = try await browser.screenshot()
                    #expect(data.count < 300_000, "\(name) is \(data.count) bytes")
                    try data.write(to: folder.appendingPathComponent("console-\(name)-\(theme).png"))
                }
                func latest(_ kind: String) async throws -> String {
                    let groups = try await console.get("/api/v1/health/groups?kind=\(kind)")
                    return "/health/groups/\(try #require(groups["groups"][0]["fingerprint"].text))"
                }
                try await take("crashes", "/health", showing: "a.entry")
                try await take("crash", try await latest("crash"), showing: ".frame.own")
                try await take("hang", try await latest("hang"), showing: ".flame-part")
                try await take("releases", "/health/releases", showing: ".entry")
                try await browser.requireNoErrors()
            }
        }
    }

    /// Two weeks of an app whose health improves.
    private static func fill(_ store: any TelemetryStore, _ program: ShopProgram) async throws {
        let now = UInt64(Date().timeIntervalSince1970)
        for number in 0..<40 {
            var trouble = Trouble(program: program)
            trouble.version = number < 22 ? "1.5.0" : "1.4.2"
            trouble.user = number * 7 % 17
            trouble.session = "session-\(number)"
            trouble.time = now - UInt64(number) * 27_000 - 120
            var records = [trouble.click(after: 1_000), trouble.click(after: 4_100)]
            switch number {
            case 0, 5, 9, 23, 25, 28, 31, 33:
                let crumbs = [
                    ("navigation", "ProductDetail", 3), ("tap", "Quantity 10", 1), ("tap", "Add to Cart", 0),
                ]
                .map { category, message, before in
                    let date = Date(timeIntervalSince1970: Double(trouble.time) + 4.6 - Double(before))
                    return AttributeValue.string(
                        #"{"time":"\#(date.ISO8601Format())","category":"\#(category)","message":"\#(message)"}"#)
                }
                records += [try trouble.crash(["astrolabe.breadcrumbs": AttributeValue.array(crumbs)]), trouble.end()]
            case 12, 26:
                records.append(
                    try trouble.crash([
                        "exception.type": "SIGSEGV", "exception.message": "SEGV_MAPERR at 0x10",
                        "astrolabe.crash.code_name": "SEGV_MAPERR", "astrolabe.crash.address": "0x10",
                        "astrolabe.images": AttributeValue.array([
                            .map(["name": "libc.so.6"]), .map(["name": "libskia.so"]),
                        ]),
                    ]))
            case 1, 14, 24, 27, 35: records.append(try trouble.hang())
            default: break
            }
            try await store.ingest(logs: trouble.group(records))
        }
    }
}
