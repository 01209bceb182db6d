package import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore

/// A browser controlled over the W3C WebDriver protocol with the installed chromedriver.
///
///     try await WebDriver.run { browser in
///         try await browser.open(console.address)
///         try await browser.press("j")
///     }
package struct WebDriver: Sendable {
    let session: Address
    let processID: Int32?

    /// The path of Chromium: `ASTROLABE_CHROMIUM`, or the first one found in `PATH`.
    package static let chromium = program(
        "ASTROLABE_CHROMIUM", ["chromium", "chromium-browser", "google-chrome", "chrome-headless-shell"],
    )
    package static let chromedriver = program("ASTROLABE_CHROMEDRIVER", ["chromedriver"])
    package static var isAvailable: Bool { chromium != nil && chromedriver != nil }

    private static func program(_ variable: String, _ names: [String]) -> String? {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment[variable] { return FileManager.default.isExecutableFile(atPath: path) ? path : nil }
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        return names.lazy.flatMap { name in folders.lazy.map { "\($0)/\(name)" } }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Runs `body` with a new window of a browser, which has no cookies, storage or log of windows before.
    ///
    /// The process of the tests keeps the browser for the next call. Calls at the same time have a browser each.
    ///
    /// - Parameters:
    ///   - width: The width of the window in pixels.
    ///   - height: The height of the window with its frame, which is 143 pixels high.
    ///   - dark: Whether the browser prefers dark pages.
    package static func run<Value: Sendable>(
        width: Int = 1440, height: Int = 900, dark: Bool = true,
        _ body: @Sendable (WebDriver) async throws -> Value,
    ) async throws -> Value {
        let browser = try await Browser.withNewWindow()
        let driver = browser.driver
        let result: Result<Value, any Error>
        do {
            try await driver.post("window/rect", ["width": .integer(width), "height": .integer(height)])
            try await driver.prefer(dark: dark)
            result = .success(try await body(driver))
        } catch {
            result = .failure(error)
        }
        await browser.release()
        return try result.get()
    }

    /// Kills the browser, as a crash would. It cannot be used afterwards.
    package func kill() throws {
        guard let processID else { throw Failure(description: "chromedriver did not report the browser's process") }
        Foundation.kill(processID, SIGKILL)
    }

    package func open(_ url: String) async throws {
        try await post("url", ["url": .string(url)])
    }

    package func path() async throws -> String {
        try await run("return location.pathname").text ?? ""
    }

    /// Runs a script and returns its result.
    @discardableResult
    package func run(_ script: String) async throws -> JSONResponse {
        try await post("execute/sync", ["script": .string(script), "args": []])
    }

    /// Runs a script in each page that this window opens from now on, before the page's own scripts.
    package func runBeforePages(_ script: String) async throws {
        try await devTools("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
    }

    /// Runs a script that calls `done(value)` when it finishes, which may take two minutes. Returns the value.
    package func runAsync(_ script: String) async throws -> JSONResponse {
        try await post("timeouts", ["script": 120_000])
        let value = try await runUntilDone(script)
        try await post("timeouts", ["script": .integer(Self.scriptTimeout)])
        return value
    }

    /// The timeout of a script in milliseconds, for all but ``runAsync(_:)``.
    static let scriptTimeout = 20_000

    private func runUntilDone(_ script: String) async throws -> JSONResponse {
        let script = "const done = arguments[0];\n\(script)"
        return try await post("execute/async", ["script": .string(script), "args": []])
    }

    /// Waits until a JavaScript expression is true. Evaluates it in each animation frame.
    ///
    /// - Parameter seconds: The timeout, which only ends a test that would hang. It proves nothing about speed.
    package func wait(until expression: String, seconds: Int = 60) async throws {
        let script = """
            const end = performance.now() + 5_000;
            (function check() {
              let is = false;
              try { is = Boolean(\(expression)); } catch { is = false; }
              if (is) done(true);
              else if (performance.now() > end) done(false);
              else requestAnimationFrame(check);
            })();
            """
        let end = ContinuousClock.now + .seconds(seconds)
        repeat {
            do {
                if try await runUntilDone(script).bool == true { return }
            } catch let failure as Failure where failure.description.hasPrefix("script timeout") {
                // The script is gone with its page, because the browser has loaded another. Look there.
            }
        } while ContinuousClock.now < end
        let page = try await run("return document.body.innerText.slice(0, 3000)").text ?? ""
        // A page without a module that it imports stays empty.
        let loaded = try await run("return performance.getEntriesByType('resource').map((it) => it.name)").elements
        let errors = try await errors()
        throw Failure(
            description: """
                timed out after \(seconds) s waiting for: \(expression)
                The page shows: \(page)
                It has loaded \(loaded.count) files, the last of them \(loaded.last?.text ?? "-"). Errors: \(errors)
                """)
    }

    /// Clicks the last visible element that matches the selector, as soon as it can be clicked.
    ///
    /// - Parameter text: The text of the element, to select one of several matches.
    package func click(_ selector: String, text: String? = nil) async throws {
        let text = text.map { "'\($0)'" } ?? "null"
        try await click(selector, where: "\(text) === null || element.innerText.trim() === \(text)")
    }

    /// Clicks the last visible element that matches the selector and a condition, as soon as it can be clicked.
    ///
    /// - Parameter condition: A JavaScript expression about an `element`.
    package func click(_ selector: String, where condition: String) async throws {
        let found = """
            [...document.querySelectorAll('\(selector)')].filter((element) => element.checkVisibility() && !element.disabled
              && !element.closest('[inert]') && (\(condition))).at(-1)
            """
        let end = ContinuousClock.now + .seconds(60)
        while true {
            try await wait(until: found)
            // Scroll it to the center, where nothing covers its edges. The mark goes if the mouse is released on it
            // while it is enabled, or with the document.
            let script = """
                const found = \(found);
                found?.scrollIntoView({ block: 'center' });
                scrollTo(0, 0);
                document.documentElement.dataset.click = 'missing';
                addEventListener('pointerup', ({ clientX, clientY }) => {
                  const { left, right, top, bottom } = found.getBoundingClientRect();
                  const isHit = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
                  if (found.isConnected && (!isHit || found.disabled || found.ariaDisabled === 'true')) return;
                  delete document.documentElement.dataset.click;
                }, { capture: true, once: true });
                return found ?? null;
                """
            let element = try await run(script)["element-6066-11e4-a52e-4f735466cecf"].text
            do {
                if let element {
                    try await post("element/\(element)/click", [:])
                    let mark = try await run("return document.documentElement.dataset.click ?? ''").text
                    // A button that was disabled or has moved in the meantime gets no click.
                    if mark != "missing" { return }
                }
            } catch  where ContinuousClock.now < end {
                // Something covers it, or it was replaced. Try again.
            }
        }
    }

    /// Presses keys one after another. The focused element receives each.
    package func press(_ keys: String...) async throws {
        let actions: [JSON] = keys.flatMap { key -> [JSON] in
            [["type": "keyDown", "value": .string(key)], ["type": "keyUp", "value": .string(key)]]
        }
        try await post("actions", ["actions": [["type": "key", "id": "keys", "actions": .array(actions)]]])
    }

    /// Types a text into the focused element.
    package func type(_ text: String) async throws {
        let actions: [JSON] = text.flatMap { letter -> [JSON] in
            [
                ["type": "keyDown", "value": .string(String(letter))],
                ["type": "keyUp", "value": .string(String(letter))],
            ]
        }
        try await post("actions", ["actions": [["type": "key", "id": "keys", "actions": .array(actions)]]])
    }

    /// Takes a PNG screenshot of the window or of one element.
    package func screenshot(of selector: String? = nil) async throws -> Data {
        var part = "screenshot"
        if let selector {
            let found = try await post("element", ["using": "css selector", "value": .string(selector)])
            part = "element/\(found["element-6066-11e4-a52e-4f735466cecf"].text ?? "")/screenshot"
        }
        guard let text = try await get(part).text, let data = Data(base64Encoded: text) else {
            throw Failure(description: "chromedriver returned no screenshot")
        }
        return data
    }

    /// Returns the errors in the browser's log, including violations of the content security policy.
    package func errors() async throws -> [String] {
        try await post("se/log", ["type": "browser"]).elements
            .filter { $0["level"].text == "SEVERE" }.compactMap { $0["message"].text }
    }

    /// Requires that the browser's log has no errors since it was read last.
    ///
    /// - Parameter expected: A part of the messages that the test brings about, such as the status of a response.
    /// - Throws: ``Failure`` with the other messages and the path of the page.
    package func requireNoErrors(except expected: String? = nil) async throws {
        let found = try await errors().filter { message in expected.map { !message.contains($0) } ?? true }
        guard !found.isEmpty else { return }
        let page = try await path()
        throw Failure(description: "errors on \(page), or before it:\n\(found.joined(separator: "\n"))")
    }

    /// Sets the size of the viewport and its number of device pixels per CSS pixel.
    package func resize(width: Int, height: Int, scale: Double = 1) async throws {
        let size: JSON = [
            "width": .integer(width), "height": .integer(height), "deviceScaleFactor": .number(scale), "mobile": false,
        ]
        try await devTools("Emulation.setDeviceMetricsOverride", size)
    }

    /// Sets the color scheme, and whether pages are drawn in forced colors or as they are on paper.
    package func prefer(dark: Bool, forcedColors: Bool = false, onPaper: Bool = false) async throws {
        let features: [JSON] = [
            ["name": "prefers-color-scheme", "value": dark ? "dark" : "light"],
            ["name": "forced-colors", "value": forcedColors ? "active" : "none"],
        ]
        let media: JSON = ["media": onPaper ? "print" : "", "features": .array(features)]
        try await devTools("Emulation.setEmulatedMedia", media)
    }

    /// Fails the requests whose URLs match one of the patterns, such as `*/app.js`. An empty list ends it.
    package func block(_ patterns: [String]) async throws {
        try await devTools("Network.enable")
        try await devTools("Network.setBlockedURLs", ["urls": .array(patterns.map(JSON.string))])
    }

    /// Prints the page into a PDF, and returns its number of sheets.
    package func sheetCount() async throws -> Int {
        guard let text = try await post("print", ["background": true]).text, let file = Data(base64Encoded: text) else {
            throw Failure(description: "chromedriver returned no PDF")
        }
        // Each sheet is an object of this type, which is not compressed.
        return String(decoding: file, as: UTF8.self).components(separatedBy: "/Type /Page\n").count - 1
    }

    /// Moves the browser to a time zone where it is about noon, so that what happened lately happened today.
    package func moveToNoon() async throws {
        let hoursBehind = Int(Date().timeIntervalSince1970) / 3_600 % 24 - 12
        // Names of this kind have the sign of POSIX: Etc/GMT+3 is three hours behind.
        let zone = "Etc/GMT\(hoursBehind < 0 ? "" : "+")\(hoursBehind)"
        try await devTools("Emulation.setTimezoneOverride", ["timezoneId": .string(zone)])
    }

    @discardableResult
    func post(_ command: String, _ body: JSON) async throws -> JSONResponse {
        try await Self.call(.post, session.appending(command), body)
    }

    func get(_ command: String) async throws -> JSONResponse {
        try await Self.call(.get, session.appending(command), nil)
    }

    func delete(_ command: String) async throws {
        _ = try await Self.call(.delete, session.appending(command), nil)
    }

    /// Sends a command of the Chrome DevTools Protocol to the current window.
    func devTools(_ command: String, _ parameters: JSON = [:]) async throws {
        try await post("goog/cdp/execute", ["cmd": .string(command), "params": parameters])
    }

    /// Sends a request to the driver.
    ///
    /// Uses NIO's client, because Foundation's client on Linux cannot read headers without a space after the colon.
    static func call(_ method: HTTPRequest.Method, _ address: Address, _ body: JSON?) async throws -> JSONResponse {
        let request = TestClient.Request(
            address.path, method: method, authority: "127.0.0.1:\(address.port)",
            headers: [.contentType: "application/json"],
            body: try body.map { ByteBuffer(bytes: try $0.bytes) },
        )
        let response = try await TestClient.withClient(
            host: "127.0.0.1", port: address.port, configuration: .init(timeout: .seconds(180)),
        ) { try await $0.execute(request) }
        let value = try JSONResponse(response.body.map { Array(buffer: $0) } ?? Array("null".utf8))["value"]
        guard response.status == .ok else {
            throw Failure(description: value["message"].text ?? "chromedriver responded with \(response.status)")
        }
        return value
    }

    struct Address: Sendable {
        let port: Int
        let path: String

        func appending(_ part: String) -> Address {
            Address(port: port, path: "\(path)/\(part)")
        }
    }
}

/// WebDriver's codes for keys without a character.
package enum Key {
    package static let tab = "\u{E004}"
    package static let enter = "\u{E007}"
    package static let escape = "\u{E00C}"
    package static let up = "\u{E013}"
    package static let down = "\u{E015}"
    package static let left = "\u{E012}"
    package static let right = "\u{E014}"
    package static let end = "\u{E010}"
}
