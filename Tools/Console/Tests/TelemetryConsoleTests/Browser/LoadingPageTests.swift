import BrowserKit
import Testing

@testable import TelemetryConsole

/// Pages whose answers are late, or do not come.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct LoadingPageTests {
    /// Holds back the requests whose addresses match a pattern, until `cut()` fails them all.
    private static func holding(_ pattern: String) -> String {
        // Other windows of the browser, and their worker, send none of them.
        """
        window.SharedWorker = undefined;
        const send = window.fetch;
        const answers = new Promise((_, reject) => { window.cut = () => reject(new TypeError('cut')); });
        answers.catch(() => {});
        window.fetch = (url, options) => \(pattern).test(url) ? answers : send(url, options);
        """
    }

    private static let waits = "document.querySelector('.main .loading')?.innerText.endsWith('…')"
    private static let pages = [
        "sessions", "sessions/none", "health", "health/hangs", "health/screens", "health/releases",
        "health/groups/none",
        "health/problems/1", "traces", "traces/00000000000000000000000000000001", "logs", "metrics", "metrics/none",
        "devices", "devices/none", "policy", "map", "journeys", "boards", "boards/error-monitoring", "explore",
        "alerts",
        "compare?of=releases",
    ]

    @Test
    func `each page says that it waits, and then that the console is not reachable`() async throws {
        try await ConsoleUnderTest.run { console in
            try await WebDriver.run { browser in
                try await browser.runBeforePages(
                    Self.holding("/\\/api\\/v1\\/(?!status|services|access|live)/"))
                for page in Self.pages {
                    try await browser.open("\(console.address)/\(page)")
                    try await browser.wait(until: Self.waits)
                    try await browser.run("window.cut()")
                    try await browser.wait(
                        until: "document.querySelector('.main').innerText.includes('The console is not reachable')")
                    try await browser.requireNoErrors()
                }
            }
        }
    }

    @Test
    func `a page is not empty while the console has not said what it has`() async throws {
        try await ConsoleUnderTest.run { console in
            try await WebDriver.run { browser in
                try await browser.runBeforePages(Self.holding("/\\/api\\/v1\\/status/"))
                try await browser.open("\(console.address)/explore")
                try await browser.wait(until: Self.waits)
                try await browser.run("window.cut()")
                try await browser.wait(until: "document.querySelector('.main h1')?.innerText === 'Explore'")
                try await browser.requireNoErrors()
            }
        }
    }
}
