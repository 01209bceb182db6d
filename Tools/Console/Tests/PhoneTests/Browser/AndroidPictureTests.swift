import AstrolabePlatform
import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import Foundation
import Testing

/// Takes the picture of `Docs/Android.md`, the session of `Android/demo` in the console, into a folder:
/// `ASTROLABE_PICTURES=FOLDER ./astrolabe test AndroidPictureTests`.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(
        if: WebDriver.isAvailable && ProcessInfo.processInfo.environment["ASTROLABE_PICTURES"] != nil
            && ProcessInfo.processInfo.environment["ASTROLABE_KOTLIN"] != nil,
        "pictures are taken when ASTROLABE_PICTURES names a folder and chromium, chromedriver and Kotlin are there",
    ),
)
struct AndroidPictureTests {
    @Test func `a picture of the Android phone's session`() async throws {
        try await PhoneUnderTest.run { subject in
            try await subject.phone.launched()
            let shop = try await ShopProcess.start(collector: subject.address)
            let folder = TemporaryDirectory()
            let demo = try await Self.demo(shop: shop.port, console: subject.address, folder: folder.path)
            #expect(demo == 0)
            shop.stop()
            let session = try String(contentsOfFile: folder.path + "/session", encoding: .utf8)
            let id = session.split(separator: "\n").first ?? ""
            try await WebDriver.run(width: 1_440, height: 900, dark: false) { browser in
                try await browser.open(subject.address + "/sessions/\(id)")
                try await browser.wait(until: "document.body.innerText.includes('Checkout')")
                try await browser.wait(until: "document.getAnimations().every((a) => a.playState === 'finished')")
                let picture = try await browser.screenshot()
                let pictures = ProcessInfo.processInfo.environment["ASTROLABE_PICTURES"] ?? "."
                try picture.write(to: URL(fileURLWithPath: pictures).appendingPathComponent("android-session.png"))
            }
        }
    }

    /// Runs `Android/demo` and returns its status.
    private static func demo(shop: Int, console: String, folder: String) async throws -> Int32 {
        let process = Process()
        process.executableURL = Repository.file("Scripts/android")
        process.arguments = [
            "demo", "--shop", "http://127.0.0.1:\(shop)", "--console", console, "--folder", folder,
        ]
        process.standardInput = FileHandle.nullDevice
        let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { exit.yield($0.terminationStatus) }
        try process.run()
        return await exits.first { _ in true } ?? -1
    }
}
