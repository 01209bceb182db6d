import AstrolabeTestSupport
import BrowserKit
import Testing

@testable import TelemetryConsole

/// Pages that change while a person reads them, in one window and in several.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct UpdatePageTests {
    private static let start: UInt64 = 1_790_000_000_000_000_000

    private static func time(of number: Int) -> UInt64 { start + UInt64(number) * 1_000_000_000 }

    /// Sends a trace and a log record for each number. The larger the number, the newer.
    private static func send(_ numbers: ClosedRange<Int>, to console: ConsoleUnderTest) async throws {
        let spans = numbers.map { number in
            OTLPBody.Span(
                trace: String(repeating: "0", count: 30) + String(10 + number), id: "00f067aa0ba902b7",
                name: "work \(number)", start: time(of: number), end: time(of: number) + 1_000)
        }
        let events = numbers.map { number in
            OTLPBody.Event(name: "", time: time(of: number), severity: 9, body: "line \(number)")
        }
        try await console.send(OTLPBody.traces([("service.name", "api")], spans), to: .traces)
        try await console.send(OTLPBody.logs([("service.name", "api")], events), to: .logs)
    }

    /// Opens windows beside an empty page of the console, as `all`, and waits for none. A tab would hide the others.
    private static func open(_ paths: [String], _ browser: WebDriver, at console: ConsoleUnderTest) async throws {
        try await browser.open("\(console.address)/api/v1/status")
        try await browser.run("window.all = []")
        for path in paths {
            try await browser.run(
                "all.push(window.open('\(path)', '', `popup,width=1100,height=700,left=${20 * all.length}`))")
        }
    }

    private static let isLive = "it.document.querySelector('.live')?.textContent === 'Live'"
    private static let areLive = "all.every((it) => \(isLive))"

    /// Waits until an expression of `it` is true for all of a number of windows, as long as it is for one window more.
    private static func wait(_ browser: WebDriver, for count: Int, until expression: String) async throws {
        for reached in 1...count {
            try await browser.wait(until: "all.filter((it) => \(expression)).length >= \(reached)")
        }
    }

    @Test
    func `many windows share one connection, and the end of the first leaves the others live`() async throws {
        // Without sharing, the seventh window gets nothing.
        let count = Thoroughness.count(8, thorough: 64)
        try await ConsoleUnderTest.run {
            $0.limits.liveReaders = 1
        } _: { console in
            try await Self.send(1...2, to: console)
            try await WebDriver.run { browser in
                try await Self.open(Array(repeating: "/traces", count: count), browser, at: console)
                let rows = "it.document.querySelectorAll('.entry').length ==="
                try await Self.wait(browser, for: count, until: "\(rows) 2")
                try await Self.wait(browser, for: count, until: Self.isLive)
                try await Self.send(3...3, to: console)
                try await Self.wait(browser, for: count, until: "\(rows) 3")
                try await browser.run("all.shift().close()")
                try await Self.send(4...4, to: console)
                try await Self.wait(browser, for: count - 1, until: "\(rows) 4")
                try await Self.wait(browser, for: count - 1, until: Self.isLive)
            }
        }
    }

    @Test(arguments: ["pages/app.js", "styles/app.css"])
    func `a page that misses one of its files says so and loads again until it is there`(file: String) async throws {
        try await ConsoleUnderTest.run { console in
            try await WebDriver.run { browser in
                try await browser.block(["*/assets/\(file)"])
                try await browser.open("\(console.address)/traces")
                let attempts = "Number(sessionStorage.getItem('astrolabe.boot'))"
                let note = "document.querySelector('.boot')?.textContent"
                let says = "\(note) === 'A file of this page did not load. Trying again.'"
                for attempt in 1...2 { try await browser.wait(until: "\(attempts) >= \(attempt) && \(says)") }
                try await browser.block([])
                try await browser.wait(until: "\(note) === undefined && document.querySelector('.live')")
                try await browser.wait(until: "\(attempts) === 0")
            }
        }
    }

    @Test
    func `a window whose console has stopped does not say that it is live`() async throws {
        try await WebDriver.run { browser in
            try await ConsoleUnderTest.run { console in
                try await browser.open("\(console.address)/traces")
                try await browser.wait(until: "document.querySelector('.live')?.textContent === 'Live'")
            }
            try await browser.wait(until: "document.querySelector('.live').textContent === 'Connection lost'")
        }
    }

    @Test
    func `the focus stays on each page through three updates`() async throws {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            let metric = OTLPBody.metric(
                [("service.name", "api")], name: "queue.length", unit: "1", isCounter: false, start: Self.start,
                points: [([("queue", "a")], 1, 1)])
            try await console.send(metric, to: .metrics)
            let elements = [
                ("/sessions", ".chips .chip"), ("/traces", ".traces .entry"), ("/logs", "summary"),
                ("/devices", ".devices .entry"), ("/metrics", ".metric h2 a"), ("/explore", "[role=tab]:last-child"),
                ("/sessions/\(visit.session)", ".chip[data-filter]"), ("/devices/\(visit.installation)", ".entry"),
            ]
            try await WebDriver.run { browser in
                try await Self.open(elements.map(\.0), browser, at: console)
                let selectors = elements.map { "'\($0.1)'" }.joined(separator: ",")
                try await browser.run("window.selectors = [\(selectors)]")
                try await browser.wait(
                    until: "all.every((it, index) => it.document.querySelector('main ' + selectors[index]))")
                try await browser.wait(until: Self.areLive)
                try await browser.run(
                    """
                    window.kept = all.map((it, index) => it.document.querySelector('main ' + selectors[index]));
                    for (const element of kept) element.focus();
                    """)
                for number in 2...4 {
                    try await console.send(ShopVisit.purchase(number: number))
                    try await console.send(metric, to: .metrics)
                    let counted = "it.document.querySelector('[data-section=sessions] .count').textContent"
                    try await browser.wait(until: "all.every((it) => \(counted) === '\(number)')")
                }
                let lost = try await browser.run(
                    """
                    const isLost = (it, index) => it.document.activeElement !== kept[index] || !kept[index].isConnected;
                    return all.filter(isLost).map((it) => it.location.pathname).join();
                    """)
                #expect(lost.text == "")
            }
        }
    }

    @Test(arguments: [("/traces", ".entry", ".entry"), ("/logs", ".log-record", ".log-record summary")])
    func `a reader keeps place, selection and menu, and new rows wait`(path: String, row: String, target: String)
        async throws
    {
        try await ConsoleUnderTest.run { console in
            try await Self.send(1...40, to: console)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)\(path)")
                try await browser.wait(until: "document.querySelectorAll('\(row)').length === 40")
                try await browser.wait(until: "document.querySelector('.live').textContent === 'Live'")
                try await browser.run(
                    """
                    document.querySelector('.list').scrollTop = 300;
                    window.row = document.querySelectorAll('\(target)')[14];
                    row.focus({ preventScroll: true });
                    window.at = Math.round(row.getBoundingClientRect().top);
                    """)
                let isKept =
                    "document.activeElement === row && Math.abs(row.getBoundingClientRect().top - at) < 2"
                let waiting = "document.querySelector('.new-rows')?.textContent"
                for number in 1...3 {
                    try await Self.send((40 + number)...(40 + number), to: console)
                    try await browser.wait(until: "\(waiting) === '\(number) new'")
                    #expect(try await browser.run("return \(isKept)").bool == true)
                }
                #expect(try await browser.run("return document.querySelectorAll('\(row)').length").int == 40)

                let says = "document.querySelector('.live').textContent"
                try await browser.run("getSelection().selectAllChildren(row); window.text = String(getSelection())")
                try await browser.wait(until: "\(says) === 'Live, updates wait while text is selected'")
                try await Self.send(44...44, to: console)
                try await browser.run("document.querySelector('header [aria-label=Export]').click()")
                try await browser.wait(until: "\(says) === 'Live, updates wait while a menu is open'")
                let isStill = "String(getSelection()) === text && document.querySelector(':popover-open .menu-item')"
                #expect(try await browser.run("return Boolean(\(isStill))").bool == true)
                #expect(try await browser.run("return \(waiting)").text == "3 new")
                try await browser.run(
                    "document.querySelector(':popover-open').hidePopover(); getSelection().removeAllRanges()")
                try await browser.wait(until: "\(waiting) === '4 new'")

                try await browser.click(".new-rows button")
                try await browser.wait(until: "document.querySelectorAll('\(row)').length === 44")
                #expect(try await browser.run("return document.querySelector('.list').scrollTop").int == 0)
                #expect(try await browser.run("return document.activeElement.innerText.includes('44')").bool == true)
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `Pause stops the updates of every page, and says so`() async throws {
        try await ConsoleUnderTest.run { console in
            try await Self.send(1...1, to: console)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/traces")
                try await browser.wait(until: "document.querySelectorAll('.entry').length === 1")
                let says = "document.querySelector('.live').textContent"
                try await browser.wait(until: "\(says) === 'Live'")
                try await browser.run("document.querySelector('[aria-label=\"Pause updates\"]').click()")
                try await browser.wait(until: "\(says) === 'Paused'")
                try await Self.send(2...2, to: console)
                try await browser.wait(until: "\(says) === 'Paused, new records wait'")
                #expect(try await browser.run("return document.querySelectorAll('.entry').length").int == 1)
                // A page that is opened shows what there is, and stands still too.
                try await browser.click(".nav-link[data-section=logs]")
                try await browser.wait(until: "document.querySelectorAll('.log-record').length === 2")
                try await Self.send(3...3, to: console)
                try await browser.wait(until: "\(says) === 'Paused, new records wait'")
                #expect(try await browser.run("return document.querySelectorAll('.log-record').length").int == 2)
                try await browser.run("document.querySelector('[aria-label=\"Resume updates\"]').click()")
                try await browser.wait(until: "document.querySelectorAll('.log-record').length === 3")
                try await browser.wait(until: "\(says) === 'Live'")
            }
        }
    }
}
