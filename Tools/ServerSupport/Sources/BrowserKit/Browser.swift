import HTTPTypes

/// A running Chromium with its chromedriver, which tests use one after another.
///
/// A start takes longer than many a test. So the process of the tests keeps a browser, and each test gets a window in
/// it. The browser ends with the process.
struct Browser: Sendable {
    let driver: WebDriver
    private let process: DriverProcess
    /// The window that the browser starts with. It stays empty, and keeps the browser open between two tests.
    private let firstWindow: String

    /// Opens a window in the browser that waits for the next test, or in a new one.
    static func withNewWindow() async throws -> Browser {
        while let browser = await WaitingBrowsers.shared.take() {
            do {
                try await browser.openWindow()
                return browser
            } catch {
                // It has crashed since the last test.
                browser.end()
            }
        }
        let browser = try await start()
        do {
            try await browser.openWindow()
        } catch {
            browser.end()
            throw error
        }
        return browser
    }

    /// Closes the windows of a test and deletes what they have stored. Then the browser waits for the next test.
    ///
    /// Ends a browser that does not respond, or that the test has killed.
    func release() async {
        do {
            let windows = try await driver.get("window/handles").elements.compactMap(\.text)
            for window in windows where window != firstWindow {
                try await select(window)
                try await driver.delete("window")
            }
            try await select(firstWindow)
            try await driver.devTools("Network.clearBrowserCookies")
            try await driver.devTools("Network.clearBrowserCache")
            try await driver.devTools("Storage.clearDataForOrigin", ["origin": "*", "storageTypes": "all"])
            // The log is empty after it has been read.
            _ = try await driver.errors()
            await WaitingBrowsers.shared.add(self)
        } catch {
            end()
        }
    }

    private func openWindow() async throws {
        guard let window = try await driver.post("window/new", ["type": "window"])["handle"].text else {
            throw WebDriver.Failure(description: "chromedriver opened no window")
        }
        try await select(window)
        // A page receives no focus events unless its window has the focus.
        try await driver.devTools("Emulation.setFocusEmulationEnabled", ["enabled": true])
    }

    private func select(_ window: String) async throws {
        try await driver.post("window", ["handle": .string(window)])
    }

    private func end() { process.stop() }

    private static func start() async throws -> Browser {
        guard let chromium = WebDriver.chromium, let chromedriver = WebDriver.chromedriver else {
            throw WebDriver.Failure(description: "chromium or chromedriver not found")
        }
        let (process, port) = try await DriverProcess.start(chromedriver)
        do {
            let driver = try await openSession(of: chromium, at: WebDriver.Address(port: port, path: "/session"))
            if let processID = driver.processID { try process.superviseBrowser(processID) }
            guard let window = try await driver.get("window").text else {
                throw WebDriver.Failure(description: "the browser has no window")
            }
            return Browser(driver: driver, process: process, firstWindow: window)
        } catch {
            process.stop()
            throw error
        }
    }

    private static func openSession(of chromium: String, at address: WebDriver.Address) async throws -> WebDriver {
        let arguments: JSON = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-color-profile=srgb",
            "--window-size=1440,900",
        ]
        let capabilities: JSON = [
            "goog:chromeOptions": ["binary": .string(chromium), "args": arguments],
            "goog:loggingPrefs": ["browser": "ALL"],
            "timeouts": ["script": .integer(WebDriver.scriptTimeout)],
        ]
        let opened = try await WebDriver.call(.post, address, ["capabilities": ["alwaysMatch": capabilities]])
        guard let id = opened["sessionId"].text else {
            throw WebDriver.Failure(description: "chromedriver returned no session")
        }
        let processID = opened["capabilities"]["goog:processID"].int.map { Int32(truncatingIfNeeded: $0) }
        return WebDriver(session: address.appending(id), processID: processID)
    }
}

/// The browsers that no test uses.
private actor WaitingBrowsers {
    static let shared = WaitingBrowsers()

    private var browsers: [Browser] = []

    func add(_ browser: Browser) { browsers.append(browser) }

    func take() -> Browser? { browsers.popLast() }
}
