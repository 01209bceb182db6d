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
    private let session: Address
    private let processID: Int32?

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

    /// Runs `body` with a new browser.
    package static func run<Value: Sendable>(
        width: Int = 1440, height: Int = 900, dark: Bool = true,
        _ body: @Sendable (WebDriver) async throws -> Value,
    ) async throws -> Value {
        guard let chromium, let chromedriver else { throw Failure(description: "chromium or chromedriver not found") }
        let (driver, port) = try await DriverProcess.start(chromedriver)
        defer { driver.stop() }
        let base = Address(port: port, path: "/session")
        let arguments: JSON = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-color-profile=srgb",
            .string("--window-size=\(width),\(height)"),
        ]
        let opened = try await call(
            .post, base,
            [
                "capabilities": [
                    "alwaysMatch": [
                        "goog:chromeOptions": ["binary": .string(chromium), "args": arguments],
                        "goog:loggingPrefs": ["browser": "ALL"],
                        // On a busy machine a script that waits takes longer than the protocol's 30 s.
                        "timeouts": ["script": 120_000],
                    ]
                ]
            ],
        )
        guard let id = opened["sessionId"].text else { throw Failure(description: "chromedriver returned no session") }
        let processID = opened["capabilities"]["goog:processID"].int.map { Int32(truncatingIfNeeded: $0) }
        let browser = WebDriver(session: base.appending(id), processID: processID)
        let result: Result<Value, any Error>
        do {
            try await browser.prefer(dark: dark)
            result = .success(try await body(browser))
        } catch {
            result = .failure(error)
        }
        _ = try? await call(.delete, browser.session, nil)
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

    /// Runs a script that calls `done(value)` when it finishes, and returns the value.
    package func runAsync(_ script: String) async throws -> JSONResponse {
        let script = "const done = arguments[0];\n\(script)"
        return try await post("execute/async", ["script": .string(script), "args": []])
    }

    /// Waits until a JavaScript expression is true. Evaluates it in each animation frame.
    ///
    /// - Parameter seconds: The timeout in seconds. The default is long, so that a busy machine fails no test.
    package func wait(until expression: String, seconds: Int = 30) async throws {
        let script = """
            const end = performance.now() + \(seconds * 1_000);
            (function check() {
              let is = false;
              try { is = Boolean(\(expression)); } catch { is = false; }
              if (is) done(true);
              else if (performance.now() > end) done(false);
              else requestAnimationFrame(check);
            })();
            """
        guard try await runAsync(script).bool == true else {
            let page = try await run("return document.body.innerText.slice(0, 1500)").text ?? ""
            throw Failure(
                description: "timed out after \(seconds) s waiting for: \(expression)\nThe page shows: \(page)")
        }
    }

    /// Clicks the last visible element that matches the selector, as soon as it can be clicked.
    ///
    /// - Parameter text: The text of the element, to select one of several matches.
    package func click(_ selector: String, text: String? = nil) async throws {
        let text = text.map { "'\($0)'" } ?? "null"
        let found = """
            [...document.querySelectorAll('\(selector)')].filter((element) => element.checkVisibility() && !element.disabled
              && !element.closest('[inert]') && (\(text) === null || element.innerText.trim() === \(text))).at(-1)
            """
        let end = ContinuousClock.now + .seconds(30)
        while true {
            try await wait(until: found)
            // Scroll it to the center, where nothing covers its edges.
            let script = """
                const found = \(found);
                found?.scrollIntoView({ block: 'center' });
                scrollTo(0, 0);
                return found ?? null;
                """
            let element = try await run(script)["element-6066-11e4-a52e-4f735466cecf"].text
            do {
                if let element {
                    try await post("element/\(element)/click", [:])
                    return
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
        let answer = try await Self.call(.get, session.appending(part), nil)
        guard let text = answer.text, let data = Data(base64Encoded: text) else {
            throw Failure(description: "chromedriver returned no screenshot")
        }
        return data
    }

    /// Returns the errors in the browser's log, including violations of the content security policy.
    package func errors() async throws -> [String] {
        try await post("se/log", ["type": "browser"]).elements
            .filter { $0["level"].text == "SEVERE" }.compactMap { $0["message"].text }
    }

    /// Sets the size of the viewport and its number of device pixels per CSS pixel.
    package func resize(width: Int, height: Int, scale: Double = 1) async throws {
        let size: JSON = [
            "width": .integer(width), "height": .integer(height), "deviceScaleFactor": .number(scale), "mobile": false,
        ]
        try await post("goog/cdp/execute", ["cmd": "Emulation.setDeviceMetricsOverride", "params": size])
    }

    package func prefer(dark: Bool) async throws {
        try await post(
            "goog/cdp/execute",
            [
                "cmd": "Emulation.setEmulatedMedia",
                "params": ["features": [["name": "prefers-color-scheme", "value": dark ? "dark" : "light"]]],
            ],
        )
    }

    /// Moves the browser to a time zone where it is about noon, so that what happened lately happened today.
    package func moveToNoon() async throws {
        let hoursBehind = Int(Date().timeIntervalSince1970) / 3_600 % 24 - 12
        // Names of this kind have the sign of POSIX: Etc/GMT+3 is three hours behind.
        let zone = "Etc/GMT\(hoursBehind < 0 ? "" : "+")\(hoursBehind)"
        try await post(
            "goog/cdp/execute", ["cmd": "Emulation.setTimezoneOverride", "params": ["timezoneId": .string(zone)]], )
    }

    @discardableResult
    func post(_ command: String, _ body: JSON) async throws -> JSONResponse {
        try await Self.call(.post, session.appending(command), body)
    }

    /// Sends a request to the driver.
    ///
    /// Uses NIO's client, because Foundation's client on Linux cannot read headers without a space after the colon.
    private static func call(_ method: HTTPRequest.Method, _ address: Address, _ body: JSON?) async throws
        -> JSONResponse
    {
        let request = TestClient.Request(
            address.path, method: method, authority: "127.0.0.1:\(address.port)",
            headers: [.contentType: "application/json"],
            body: try body.map { ByteBuffer(bytes: try $0.bytes) },
        )
        let response = try await TestClient.withClient(
            host: "127.0.0.1", port: address.port, configuration: .init(timeout: .seconds(60)),
        ) { try await $0.execute(request) }
        let value = try JSONResponse(response.body.map { Array(buffer: $0) } ?? Array("null".utf8))["value"]
        guard response.status == .ok else {
            throw Failure(description: value["message"].text ?? "chromedriver responded with \(response.status)")
        }
        return value
    }

    private struct Address: Sendable {
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

/// A chromedriver process on a free port.
private final class DriverProcess: Sendable {
    private let process: Process
    private let output: Pipe
    private let lines: AsyncStream<String>

    /// Starts chromedriver, with up to five attempts.
    ///
    /// Chromedriver selects a free port for IPv6 and then needs the same port for IPv4, which may be in use.
    static func start(_ path: String) async throws -> (driver: DriverProcess, port: Int) {
        var report = ""
        for _ in 0..<5 {
            let driver = try DriverProcess(path)
            do {
                return (driver, try await driver.port())
            } catch {
                driver.stop()
                report = String(describing: error)
            }
        }
        throw WebDriver.Failure(description: report)
    }

    private init(_ path: String) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["--port=0"]
        output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { return continuation.finish() }
            continuation.yield(String(decoding: data, as: UTF8.self))
        }
        try process.run()
    }

    private func port() async throws -> Int {
        var text = ""
        for await part in lines {
            text += part
            if let range = text.range(of: "successfully on port ") {
                let digits = text[range.upperBound...].prefix { $0.isNumber }
                if let port = Int(digits), text[range.upperBound...].count > digits.count { return port }
            }
        }
        throw WebDriver.Failure(description: "chromedriver did not start: \(text)")
    }

    /// Kills the process. The session and the browser are closed before.
    ///
    /// A process started on a dispatch thread inherits blocked signals, so SIGTERM would have no effect.
    func stop() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
