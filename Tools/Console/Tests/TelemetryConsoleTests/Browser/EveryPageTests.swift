import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import Foundation
import ShopHistory
import Testing

@testable import TelemetryConsole

/// The records of all pages.
enum SmallFleet {
    static let history = HistorySettings.ofYesterday(sessions: 120)

    static func fill(_ console: ConsoleUnderTest) async throws {
        try await console.send(FleetHistory(history))
        try await recordReleases(at: console)
        try await pushPolicies(at: console)
    }

    /// Pushes two policies of an app, of which a device refuses the second.
    private static func pushPolicies(at console: ConsoleUnderTest) async throws {
        let rest = #", "rates": {"normal": 0.05}, "off": ["replay"], "triggers": {"crashes": true}"#
        var agent = SimulatedAgent(1)
        for version in 1...2 {
            let document = PushedPolicy.document(version: version, rest)
            #expect(try await PushedPolicy.push(document, to: console).status == 201)
            try await agent.poll(console)
            agent.refusal = "The document asks for more than the app allows"
            try await agent.poll(console)
        }
        _ = try await PushedPolicy.request(
            "PATCH", "policies/shop/2", Array(#"{"percentage": 10, "target": {"systems": ["iOS*"]}}"#.utf8),
            at: console)
    }

    /// Records a release of each version that the fleet has, with a commit and hours apart.
    private static func recordReleases(at console: ConsoleUnderTest) async throws {
        let versions = try await console.get("/api/v1/health/releases")["releases"].elements.compactMap {
            $0["version"].text
        }
        for (index, version) in versions.enumerated() {
            let seconds = Double(history.end) / 1e9 - 7_200 * Double(index + 1)
            let time = Date(timeIntervalSince1970: seconds).formatted(.iso8601)
            let response = try await HTTP.request(
                "POST", "\(console.address)/api/v1/releases", headers: ["Content-Type": "application/json"],
                body: Array(
                    #"""
                    {"service.version":"\#(version)","vcs.ref.head.revision":"6f1d0c2b9a\#(index)","time":"\#(time)",
                    "astrolabe.app.build_number":"4\#(index)","vcs.repository.url.full":"https://git.example.com/shop"}
                    """#.utf8))
            #expect(response.status == 200, "\(response.text)")
        }
    }
}

/// Rules for every page, over the records of a small fleet.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
    .console({ $0.store.now = { SmallFleet.history.end } }, with: SmallFleet.fill),
)
struct EveryPageTests {
    struct Page {
        let path: String
        /// The part of the page that is there as soon as it has its records.
        let part: String

        init(_ path: String, _ part: String) {
            self.path = path
            self.part = part
        }
    }

    /// The theme and size in which a page is looked at.
    private struct Look {
        let width: Int
        let height: Int
        let isDark: Bool

        static var all: [Look] {
            let sizes = [(390, 844), (1_440, 900), (1_024, 768)]
            let looks = [true, false].flatMap { isDark in
                sizes.map { Look(width: $0.0, height: $0.1, isDark: isDark) }
            }
            // The narrowest in the dark, and a wide one in the light.
            return Thoroughness.isThorough ? looks : [looks[0], looks[4]]
        }
    }

    private static let objectives = """
        title: Objectives
        panels:
          - {title: Spans without an error, objective: {query: 'ratio(where status != error)', target: 99%, window: 7d}}

        """

    /// One page of each route, with its records.
    static func pages(of console: ConsoleUnderTest) async throws -> [Page] {
        let boards = console.console.configuration.boardsFolder
        try FileManager.default.createDirectory(at: boards, withIntermediateDirectories: true)
        try Data(objectives.utf8).write(to: boards.appendingPathComponent("objectives.yaml"), options: .atomic)
        func first(_ path: String, _ list: String, _ id: String) async throws -> String {
            let found = try await console.get("/api/v1/\(path)")[list].elements.first?[id].text
            return try #require(found, "\(path) is empty")
        }
        let trace = try await first("traces?minUs=50000", "traces", "traceId")
        let session = try await first("sessions?errors=true", "sessions", "id")
        let device = try await first("devices", "devices", "id")
        let crash = try await first("health/groups?kind=crash", "groups", "fingerprint")
        let hang = try await first("health/groups?kind=hang", "groups", "fingerprint")
        let problem = try #require(
            try await console.get("/api/v1/health/groups/\(crash)")["problems"].elements.first?["seq"].int)
        return [
            Page("/", ".entry"), Page("/health/problems/\(problem)", ".frame"),
            Page("/sessions", ".entry"), Page("/sessions/\(session)", ".moment"), Page("/traces", ".entry"),
            Page("/traces/\(trace)", ".inspector h2"), Page("/logs", ".log-record"),
            Page("/logs?view=patterns", ".log-pattern"), Page("/health", "a.entry"),
            Page("/health/hangs", "a.entry"), Page("/health/screens", ".entry"), Page("/health/releases", ".entry"),
            Page("/health/groups/\(crash)", ".frame"), Page("/health/groups/\(hang)", ".problem-page"),
            Page("/devices", ".entry"), Page("/devices/\(device)", ".entry"), Page("/metrics", ".metric"),
            Page("/metrics/astrolabe.frame.duration?time=48h", ".plot .tick"),
            Page("/explore?time=48h&q=count,%20p95(duration)%20by%20name", ".results tbody tr"),
            Page("/explore?time=48h&q=count&tab=records", ".records .log-record"),
            Page("/boards", ".board-card"), Page("/boards/objectives", ".objective .value"),
            Page("/boards/app-performance?time=48h", ".panel-body[aria-busy=false]"),
            Page("/journeys?time=48h", ".funnel-step"), Page("/map?time=48h", ".results tbody tr"),
            Page("/alerts", ".alerts tbody tr"), Page("/policy", ".policy-document"),
            Page("/compare?of=releases&time=48h", ".compare-groups tbody tr"),
            Page("/compare?of=windows", ".compare-groups tbody tr"),
            Page("/compare?of=sessions", ".compare-groups tbody tr"), Page("/compare?a=\(trace)", ".compare-choices"),
        ]
    }

    @Test
    func `every page has readable text, names for screen readers, room for its width, few files and no error`()
        async throws
    {
        let console = try #require(SharedConsole.current)
        let pages = try await Self.pages(of: console)
        try await WebDriver.run { browser in
            for page in pages {
                try await browser.resize(width: 1440, height: 900)
                try await browser.open(console.address + page.path)
                try await browser.wait(until: "document.querySelector('\(page.part)')")
                let heading = try await browser.run("return document.querySelectorAll('main h1').length")
                #expect(heading.int == 1, "\(page.path) has one heading of the first level")
                // With more, a browser that opens many windows at once drops some of their requests.
                let files = try await browser.run(
                    """
                    const paths = performance.getEntriesByType('resource').map((it) => new URL(it.name).pathname);
                    return [...new Set(paths.filter((it) => it.startsWith('/assets/')))].sort().join(' ');
                    """)
                #expect(
                    files.text == "/assets/pages/app.js /assets/shared/icon.svg /assets/styles/app.css",
                    "\(page.path) asks for three files")
                for look in Look.all {
                    try await browser.prefer(dark: look.isDark)
                    try await browser.resize(width: look.width, height: look.height)
                    try await browser.wait(until: "document.getAnimations().every((it) => it.playState === 'finished')")
                    let wide = try await browser.run("return document.documentElement.scrollWidth").int
                    #expect(wide == look.width, "\(page.path)")
                    let contrast = try await browser.run(ContrastScript.failures)
                    #expect((contrast["checked"].int ?? 0) > 5, "\(page.path) in \(look)")
                    #expect(contrast["failures"].elements.compactMap(\.text) == [], "\(page.path) in \(look)")
                    let faults = try await browser.run(AccessibilityScript.faults).elements.compactMap(\.text)
                    #expect(faults == [], "\(page.path) in \(look)")
                }
                await #expect(throws: Never.self) { try await browser.requireNoErrors() }
            }
        }
    }
}
