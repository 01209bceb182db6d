import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Each list and chart of a page can be saved.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct ExportPageTests {
    fileprivate struct Page {
        let path: String
        /// The rows that the page shows.
        let rows: String
        /// The name of the file without its ending, and of one of several tables.
        var file: String
        var table: String?
        /// Columns of the CSV.
        let columns: [String]
    }

    fileprivate static let pages = [
        Page(
            path: "/sessions", rows: ".entry", file: "sessions",
            columns: ["id", "start (UTC)", "device.modelName", "errors", "screens"]),
        Page(
            path: "/traces?minUs=100000", rows: ".entry", file: "traces",
            columns: ["traceId", "start (UTC)", "durationNs", "services", "spans"]),
        Page(
            path: "/logs?severity=13", rows: ".log-record", file: "logs",
            columns: ["time (UTC)", "service", "severity", "name", "attributes.session.id"]),
        Page(
            path: "/logs?view=patterns", rows: ".log-pattern", file: "logs",
            columns: ["text", "count", "first (UTC)"]),
        Page(path: "/devices", rows: ".entry", file: "devices", columns: ["id", "lastSeen (UTC)", "sessions"]),
        Page(
            path: "/health", rows: "a.entry", file: "crashes", columns: ["fingerprint", "title", "count", "versions"]),
        Page(path: "/health/hangs", rows: "a.entry", file: "hangs", columns: ["fingerprint", "longest"]),
        Page(path: "/health/screens", rows: ".entry", file: "screens", columns: ["screen", "late.slow", "sessions"]),
        Page(path: "/health/releases", rows: ".entry", file: "releases", columns: ["version", "frames.slow"]),
        Page(
            path: "/journeys?time=48h", rows: ".funnel-step", file: "journeys-funnel", table: "Funnel",
            columns: ["name", "count", "ofFirst"]),
        Page(
            path: "/map?time=48h", rows: ".results tbody tr", file: "map-connections", table: "Connections",
            columns: ["from", "to", "calls.count", "calls.errors"]),
        Page(
            path: "/compare?of=releases&time=48h", rows: ".compare-groups tbody tr", file: "compare",
            columns: ["table", "name", "unit", "a", "b"]),
        Page(path: "/alerts", rows: ".alerts tbody tr", file: "alerts", columns: ["name", "state", "threshold"]),
    ]

    /// Keeps the files that the page saves.
    fileprivate static let recorder = """
        window.files = [];
        const make = URL.createObjectURL;
        let saved;
        URL.createObjectURL = (blob) => { saved = blob; return make(blob); };
        HTMLAnchorElement.prototype.click = function () {
          const name = this.download;
          saved.text().then((text) => window.files.push({ name, text }));
        };
        """

    /// Chooses an item of the export menu. The menu names a page's tables when all of them have loaded, so it is opened
    /// again until it has the item.
    fileprivate static func choose(_ item: String, _ browser: WebDriver) async throws {
        try await browser.wait(
            until: """
                (() => {
                  const find = () => [...document.querySelectorAll(':popover-open .menu-item')]
                    .find((it) => it.innerText === '\(item)');
                  if (!find()) {
                    document.querySelector(':popover-open')?.hidePopover();
                    document.querySelector('header [aria-label=Export]').click();
                  }
                  const found = find();
                  found?.click();
                  return found !== undefined;
                })()
                """)
    }

    @Test
    func `the page of a metric saves its series and its answer`() async throws {
        try await ConsoleUnderTest.run { console in
            let start = UInt64(Date().timeIntervalSince1970) * 1_000_000_000 - 600_000_000_000
            let points: [([(String, JSON)], UInt64, Double)] = [([("kind", "a")], 10, 2), ([("kind", "a")], 70, 3)]
            try await console.send(
                OTLPBody.metric(
                    [("service.name", "shop")], name: "orders", unit: "1", isCounter: false, start: start,
                    points: points), to: .metrics)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/metrics/orders?time=1h&by=kind&zone=UTC")
                try await browser.wait(until: "document.querySelector('.results tbody tr')")
                try await browser.run(Self.recorder)
                try await Self.choose("Save as CSV", browser)
                try await Self.choose("Save as JSON", browser)
                try await browser.wait(until: "window.files.length === 2")
                let text = try await browser.run("return window.files[0].text").text ?? ""
                #expect(text.hasPrefix("time (UTC),kind,"))
                #expect(text.contains(",a,"))
                let saved = try await browser.run("return JSON.parse(window.files[1].text)")
                #expect(saved["name"].text == "orders")
                #expect(saved["timeZone"].text == "UTC")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `CSV quotes texts, holds no formulas, flattens objects, and writes times in ISO 8601`() async throws {
        try await ConsoleUnderTest.run { console in
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/sessions")
                try await browser.wait(until: "document.querySelector('h1')")
                let text = try await browser.runAsync(
                    """
                    const files = [import('/assets/lib/csv.js'), import('/assets/shared/zone.js')];
                    Promise.all(files).then(([{ csvTable }, { chooseZone }]) => chooseZone('UTC') && done(csvTable([
                      { startUs: 1790000000123456, name: 'a "b", c', device: { os: { name: 'iOS' } }, tags: ['x', 'y'], empty: null },
                      { name: 'line\\nbreak', device: {}, big: { $int: '9007199254740993' }, links: [{ id: 1 }] },
                      { name: '=HYPERLINK("x")', device: { os: { name: '@SUM(1)' } }, tags: [-1.5], empty: '-2e3' },
                    ])));
                    """
                ).text
                #expect(
                    text == """
                        start (UTC),name,device.os.name,tags,empty,big,links
                        2026-09-21T14:13:20.123456Z,"a ""b"", c",iOS,x; y,,,
                        ,"line
                        break",,,,9007199254740993,"[{""id"":1}]"
                        ,"'=HYPERLINK(""x"")",'@SUM(1),-1.5,-2e3,,
                        """)
            }
        }
    }
}

// They share the console of all pages.
extension EveryPageTests {
    @Test
    func `each page saves the rows that it shows as CSV and JSON`() async throws {
        let console = try #require(SharedConsole.current)
        let traces = try await console.get("/api/v1/traces?minUs=50000")["traces"].elements
            .compactMap { $0["traceId"].text }
        let compared = ExportPageTests.Page(
            path: "/compare?a=\(try #require(traces.first))&b=\(try #require(traces.last))",
            rows: ".compare-table tbody tr", file: "compare", columns: ["depth", "name", "aDurationNs"])
        try await WebDriver.run { browser in
            for page in ExportPageTests.pages + [compared] {
                let zone = page.path.contains("?") ? "&zone=UTC" : "?zone=UTC"
                try await browser.open(console.address + page.path + zone)
                try await browser.wait(until: "document.querySelectorAll('\(page.rows)').length > 0")
                try await browser.run(ExportPageTests.recorder)
                try await ExportPageTests.choose(page.table.map { "\($0) as CSV" } ?? "Save as CSV", browser)
                try await browser.wait(until: "window.files.length === 1")
                let shown = try await browser.run("return document.querySelectorAll('\(page.rows)').length").int
                let name = try await browser.run("return window.files[0].name").text
                #expect(name == "\(page.file).csv")
                // No text in these tables has a line break, except patterns and bodies, which are quoted.
                let lines = try await browser.run(
                    "return window.files[0].text.replace(/\"[^\"]*\"/g, 'quoted').split('\\n')"
                ).elements.compactMap(\.text)
                #expect(lines.count - 1 == shown, "\(page.path)")
                let header = (lines.first ?? "").split(separator: ",").map(String.init)
                for column in page.columns { #expect(header.contains(column), "\(page.path) has \(header)") }

                let item = page.table == nil ? "Save as JSON" : "Everything as JSON"
                try await ExportPageTests.choose(item, browser)
                try await browser.wait(until: "window.files.length === 2")
                let table = page.table.map { ".\($0)" } ?? ".rows"
                let rows = try await browser.run("return JSON.parse(window.files[1].text)\(table).length")
                #expect(rows.int == shown, "\(page.path)")
                try await browser.requireNoErrors()
            }
        }
    }
}
