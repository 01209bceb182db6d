import AstrolabeTelemetryModel
import BrowserKit
import ConsoleModel
import Foundation
import Symbolication
import Testing

@testable import TelemetryConsole

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct HealthPageTests {
    @Test
    func `the keyboard leads from the list of crashes to the source line and to the session`() async throws {
        let program = try ShopProgram()
        defer { program.remove() }
        try await ConsoleUnderTest.run { console in
            let trouble = Trouble(program: program)
            try await console.console.store.ingest(
                logs: trouble.group([trouble.click(after: 4_000), try trouble.crash(), trouble.end()]))
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/sessions")
                try await browser.wait(until: "document.querySelector('.entry')")
                try await browser.press("g", "h")
                try await browser.wait(until: "document.querySelector('a.entry .badge.warn')")
                try await browser.press("j", Key.enter)
                try await browser.wait(
                    until: "document.querySelector('.notice.wants')?.textContent.includes('\(program.buildID)')")

                try SymbolStore(folder: console.console.configuration.symbolsFolder).add(program.file)
                try await console.console.store.ingest(logs: trouble.group([trouble.click(after: 100)]))
                try await browser.wait(
                    until: "document.querySelector('.problem-head .at')?.textContent === 'main.swift:7'")
                let own = try await browser.run(
                    "return [...document.querySelectorAll('.problem-main > .panel:first-child .frame.own .function')].map((it) => it.textContent).join()"
                )
                #expect(own.text == "check(_:),CartModel.add(_:),start(_:)")
                let aside = try await browser.run("return document.querySelector('.problem-side').innerText").text ?? ""
                #expect(aside.contains("Add to Cart"))
                #expect(aside.contains("app.widget.click"))
                #expect(aside.contains("89.1 MiB used"))
                #expect(try await browser.run("return document.querySelector('.notice.wants') === null").bool == true)

                try await browser.press("v")
                try await browser.wait(
                    until: "document.querySelector('.toast')?.innerText === 'There is no replay of it'")
                try await browser.press("s")
                try await browser.wait(until: "location.pathname === '/sessions/session-1'")
                try await browser.wait(
                    until:
                        "[...document.querySelectorAll('.moment .name')].some((it) => it.textContent === 'Crash: \(Trouble.message)')"
                )
                try await browser.wait(
                    until:
                        "[...document.querySelectorAll('.moment .name')].some((it) => it.textContent === 'Run ended: crash')"
                )
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `the strip compares the highest version, and a crash-free rate below 99 percent is not green`() async throws {
        let program = try ShopProgram()
        defer { program.remove() }
        try await ConsoleUnderTest.run { console in
            var trouble = Trouble(program: program)
            trouble.version = "2.10.0"
            trouble.session = "new"
            try await console.console.store.ingest(logs: trouble.group([try trouble.crash()]))
            trouble.version = "2.9.0"
            trouble.session = "old"
            try await console.console.store.ingest(logs: trouble.group([trouble.click(after: 9_000)]))
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/health/releases")
                try await browser.wait(until: "document.querySelectorAll('.entry').length === 2")
                let head = try await browser.run("return document.querySelector('.vital.version').innerText").text ?? ""
                #expect(head.contains("2.10.0"))
                #expect(head.contains("Compare with 2.9.0"))
                let bars = try await browser.run(
                    "return [...document.querySelectorAll('.entry .measure:nth-child(4) i')].map((it) => it.className).join()"
                )
                #expect(bars.text == "bad,good")
            }
        }
    }

    @Test
    func `each app and platform has its latest release, and a chosen service stays on every tab`() async throws {
        try await ConsoleUnderTest.run { console in
            for body in SeveralApps.bodies { try await console.send(body, to: .logs) }
            try await WebDriver.run { browser in
                func text(of selector: String) async throws -> String? {
                    try await browser.run(
                        "return [...document.querySelectorAll('\(selector)')].map((it) => it.innerText).join('; ')"
                    ).text
                }
                try await browser.open("\(console.address)/health")
                try await browser.wait(until: "document.querySelectorAll('.vitals').length === 3")
                #expect(try await text(of: ".vital.version b") == "5.1.0; 5.1.0; 9.9")
                #expect(
                    try await text(of: ".vital.version > span")
                        == "Latest of shop on Android; Latest of shop on iOS; Latest of web-shop on web")
                // Only the shop on iOS has an earlier release.
                #expect(try await text(of: ".vital.version a") == "Compare with 5.0.0")
                try await browser.click(".service-link .clip", text: "web-shop")
                try await browser.wait(
                    until: "location.pathname + location.search === '/health?service=web-shop'")
                try await browser.wait(until: "document.querySelectorAll('.vitals').length === 1")
                #expect(try await text(of: ".vital.version b") == "9.9")
                try await browser.press("4")
                try await browser.wait(
                    until: "location.pathname + location.search === '/health/releases?service=web-shop'")
                try await browser.wait(until: "document.querySelectorAll('.entry').length === 1")
                try await browser.click(".service-link .clip", text: "web-shop")
                try await browser.wait(until: "document.querySelectorAll('.entry').length === 4")
                #expect(try await browser.run("return location.pathname").text == "/health/releases")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `all columns of a slow screen count the same frames`() async throws {
        let phone = Resource(attributes: ["service.name": "shop", "os.name": "iOS"])
        func group<Record: Hashable & Sendable>(_ record: Record) -> [ResourceGroup<Record>] {
            let scope = ScopeGroup(scope: InstrumentationScope(name: "test"), records: [record])
            return [ResourceGroup(resource: phone, scopes: [scope])]
        }
        let screen: Attributes = ["app.screen.name": "Cart", "session.id": "s-1"]
        var jank = screen
        jank["app.jank.frame_count"] = 507
        jank["app.jank.threshold"] = 0.0167
        let point = HistogramPoint(
            attributes: screen, startTimeUnixNano: 1, timeUnixNano: 1_790_000_000_000_000_000, count: 20_452, sum: 1,
            bucketCounts: [19_652, 797, 3], explicitBounds: [0.0167, 0.7])
        let frames = MetricData(
            name: "astrolabe.frame.duration", unit: "s", data: .histogram([point], temporality: .cumulative))
        let record = LogRecordData(
            timeUnixNano: 1_790_000_000_000_000_000, eventName: "app.jank", attributes: jank)
        let (logs, metrics) = (group(record), group(frames))
        try await ConsoleUnderTest.run { console in
            try await console.console.store.ingest(logs: logs)
            try await console.console.store.ingest(metrics: metrics)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/health/screens")
                try await browser.wait(until: "document.querySelector('.health-list .entry .measure')")
                let row = try await browser.run(
                    """
                    const [, bar, slow, frozen] = document.querySelector('.health-list .entry').children;
                    return [bar.title, slow.textContent, frozen.textContent].join('; ');
                    """)
                #expect(row.text == "800 slow of 20,452 frames of the screen; 800; 3")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `a crash, its version and the charts of its time name the commit of the release`() async throws {
        let program = try ShopProgram()
        defer { program.remove() }
        let commit = "6f1d0c2b9a3e4d5f60718293a4b5c6d7e8f90123"
        try await ConsoleUnderTest.run { console in
            var trouble = Trouble(program: program)
            trouble.time = UInt64(Date().timeIntervalSince1970) - 600
            let build: Attributes = ["astrolabe.app.build_number": "45", "app.build_id": program.buildID]
            try await console.console.store.ingest(logs: trouble.group([try trouble.crash(build)]))
            let time = Date(timeIntervalSince1970: Double(trouble.time - 300)).formatted(.iso8601)
            let facts = [
                #""service.version":"1.5.0","astrolabe.app.build_number":"45","vcs.ref.head.revision":"\#(commit)""#,
                #""vcs.repository.url.full":"https://git.example.com/shop","time":"\#(time)""#,
                #""builds":["\#(program.buildID)"]"#,
            ]
            let response = try await HTTP.request(
                "POST", "\(console.address)/api/v1/releases", headers: ["Content-Type": "application/json"],
                body: Array("{\(facts.joined(separator: ","))}".utf8))
            #expect(response.status == 200, "\(response.text)")
            let link = "a[href='https://git.example.com/shop/commit/\(commit)']"
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/health")
                try await browser.wait(until: "document.querySelector('a.entry')")
                try await browser.press("j", Key.enter)
                try await browser.wait(until: "document.querySelector(\"\(link)\")?.innerText === '6f1d0c2'")
                let list = try await browser.run(
                    """
                    const terms = [...document.querySelectorAll('.rows dt')];
                    return terms.map((it) => it.innerText + ',' + it.nextElementSibling.innerText).join(';');
                    """)
                let rows = list.text?.split(separator: ";") ?? []
                #expect(rows.contains("Build,45") && rows.contains("Build ID,\(program.buildID)"), "\(rows)")
                #expect(rows.contains { $0.hasPrefix("Released,") })
                try await browser.open("\(console.address)/health/releases")
                try await browser.wait(until: "document.querySelector(\"\(link)\")?.innerText === '6f1d0c2'")
                try await browser.open("\(console.address)/explore?time=1h&q=count%20of%20events")
                try await browser.wait(until: "document.querySelector('.plot .releases text')?.textContent === '1.5.0'")
                let title = try await browser.run("return document.querySelector('.plot .release title').textContent")
                    .text
                #expect(title?.hasPrefix("Release 1.5.0 (45), commit 6f1d0c2, ") == true)
                let marks = try await browser.run(
                    """
                    const box = (it) => document.querySelector(it).getBoundingClientRect();
                    const [mark, picture] = [box('.plot .release line'), box('.plot svg')];
                    return (mark.x - picture.x) / picture.width;
                    """)
                // A quarter of an hour before the end.
                #expect((0.65...0.85).contains(marks.double ?? 0))
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `a hang's page shows its flame graph, and received data stays text`() async throws {
        let program = try ShopProgram()
        defer { program.remove() }
        let attack = "<img src=x onerror=\"document.body.dataset.hacked=1\">"
        try await ConsoleUnderTest.run { console in
            try SymbolStore(folder: console.console.configuration.symbolsFolder).add(program.file)
            var trouble = Trouble(program: program)
            try await console.console.store.ingest(logs: trouble.group([try trouble.hang()]))
            trouble.version = attack
            trouble.session = attack
            let crumb = #"{"time":"2026-09-21T14:13:24Z","category":"\#(attack)","message":"<img src=x>"}"#
                .replacingOccurrences(of: "=\"", with: "=\\\"").replacingOccurrences(of: "=1\">", with: "=1\\\">")
            try await console.console.store.ingest(
                logs: trouble.group([
                    try trouble.crash([
                        "exception.message": attack, "exception.type": attack,
                        "app.screen.name": attack, "astrolabe.breadcrumbs": AttributeValue.array([.string(crumb)]),
                        "astrolabe.images": AttributeValue.array([
                            .map(["name": attack]), .map(["name": attack, "is_app": true]),
                        ]),
                    ])
                ])
            )
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/health/hangs")
                try await browser.wait(
                    until: "document.querySelector('a.entry')?.innerText.includes('Hang in burn(_:)')")
                try await browser.press("j", Key.enter)
                try await browser.wait(until: "document.querySelectorAll('.flame-part.own').length === 4")
                let rows = try await browser.run("return document.querySelector('.own-time').innerText").text ?? ""
                #expect(rows.contains("75 %"))
                #expect(rows.contains("burn(_:)"))
                for path in ["/health", "/health/releases"] {
                    try await browser.open(console.address + path)
                    try await browser.wait(
                        until: "document.querySelector('.health-list')?.textContent.includes('<img src=x')")
                }
                try await browser.open("\(console.address)/health")
                try await browser.wait(until: "document.querySelector('a.entry')")
                try await browser.press("j", Key.enter)
                try await browser.wait(until: "document.querySelector('.lead-up')?.textContent.includes('<img src=x')")
                let isSafe = try await browser.run(
                    "return document.body.dataset.hacked === undefined && document.querySelectorAll('img[src=x]').length === 0"
                )
                #expect(isSafe.bool == true)
                try await browser.requireNoErrors()
            }
        }
    }
}
