import BrowserKit
import Testing

@testable import TelemetryConsole

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct LogPageTests {
    private static let start: UInt64 = 1_790_000_000_000_000_000
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    private static let orphan = OTLPBody.logs(
        [("service.name", "cron")],
        [
            OTLPBody.Event(
                name: "", time: start, severity: 17, attributes: [("host.name", "db-1")], body: "disk full")
        ])
    private static let span = OTLPBody.traces(
        [("service.name", "api")],
        [OTLPBody.Span(trace: trace, id: "00f067aa0ba902b7", name: "GET", start: start, end: start + 1_000)])

    @Test
    func `a service that only logs is opened from the sidebar, and a record shows its attributes`() async throws {
        try await ConsoleUnderTest.run { console in
            try await console.send(Self.orphan, to: .logs)
            try await console.send(Self.span, to: .traces)
            let inTrace = OTLPBody.Event(
                name: "", time: Self.start + 5, attributes: [("session.id", "s 1")], body: "in a trace",
                trace: Self.trace, span: "00f067aa0ba902b7")
            try await console.send(OTLPBody.logs([("service.name", "api")], [inTrace]), to: .logs)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/traces")
                try await browser.wait(until: "document.querySelector('.service-link[title*=\"0 spans\"]')")
                try await browser.run("document.querySelector('.service-link[title*=\"0 spans\"]').click()")
                try await browser.wait(
                    until: "location.pathname + location.search === '/logs?service=cron'")
                try await browser.wait(until: "document.querySelector('.entry')?.innerText.includes('disk full')")
                try await browser.press("j", Key.enter)
                try await browser.wait(until: "document.querySelector('.log-record[open] .attributes')")
                let shown =
                    try await browser.run("return document.querySelector('.log-record[open]').innerText").text ?? ""
                for part in ["ERROR", "cron", "disk full", "host.name", "db-1"] { #expect(shown.contains(part)) }
                #expect(try await browser.run("return document.querySelectorAll('.log-record a').length").int == 0)

                try await browser.press(Key.escape)
                try await browser.wait(until: "document.querySelectorAll('.log-record').length === 2")
                try await browser.run("document.querySelector('.log-record summary').click()")
                try await browser.wait(until: "document.querySelectorAll('.log-record[open] a').length === 2")
                let links = try await browser.run(
                    "return [...document.querySelectorAll('.log-record a')].map((it) => it.getAttribute('href')).join()"
                )
                #expect(links.text == "/traces/\(Self.trace)?span=00f067aa0ba902b7,/sessions/s%201")

                // A record that arrives does not close the one that is open, and waits until the reader asks for it.
                try await console.send(
                    OTLPBody.logs(
                        [("service.name", "cron")],
                        [OTLPBody.Event(name: "", time: Self.start + 9, severity: 13, body: "again")]), to: .logs)
                try await browser.click(".new-rows button", text: "1 new")
                try await browser.wait(until: "document.querySelectorAll('.log-record').length === 3")
                try await browser.wait(
                    until: "document.querySelector('.log-record[open] .log-text')?.innerText === 'in a trace'")
                try await browser.run(
                    "[...document.querySelectorAll('.chip')].find((it) => it.innerText.startsWith('Errors')).click()")
                try await browser.wait(until: "document.querySelectorAll('.log-record').length === 1")
                #expect(try await browser.run("return location.search").text == "?severity=17")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test(arguments: ["logs", "traces", "sessions"])
    func `a search that is answered late does not replace what was searched after it`(page: String) async throws {
        try await ConsoleUnderTest.run { console in
            for (number, word) in ["early", "late"].enumerated() {
                let start = Self.start + UInt64(number) * 1_000_000
                let event = OTLPBody.Event(name: word, time: start, attributes: [("session.id", .string(word))])
                let span = OTLPBody.Span(
                    trace: String(Self.trace.dropLast()) + String(number), id: "00f067aa0ba902b7", name: word,
                    start: start, end: start + 1_000, attributes: [("session.id", .string(word))])
                try await console.send(OTLPBody.logs([("service.name", .string(word))], [event]), to: .logs)
                try await console.send(OTLPBody.traces([("service.name", .string(word))], [span]), to: .traces)
            }
            try await WebDriver.run { browser in
                func search(_ word: String) async throws {
                    try await browser.run(
                        """
                        const input = document.querySelector('.search input');
                        input.value = '\(word)';
                        input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
                        """)
                }
                try await browser.open("\(console.address)/\(page)")
                try await browser.wait(until: "document.querySelectorAll('.list .entry').length === 2")
                try await browser.run(
                    """
                    const real = window.fetch;
                    window.fetch = async (url, options) => {
                      const response = await real(url, options);
                      if (!url.includes('/\(page)?') || !url.includes('q=early')) return response;
                      await new Promise((resolve) => { window.answerEarly = resolve; });
                      return response;
                    };
                    """)
                try await search("early")
                try await browser.wait(until: "window.answerEarly")
                try await search("late")
                try await browser.wait(until: "document.querySelectorAll('.list .entry').length === 1")
                let list = "document.querySelector('.list').innerHTML"
                let shown = try await browser.run("return \(list)").text
                try await browser.run("window.answerEarly()")
                let later = try await browser.runAsync(
                    "requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => done(\(list)))));")
                #expect(later.text == shown)
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `every page says that there is synthetic data, if there is`() async throws {
        try await ConsoleUnderTest.run { console in
            try await console.send(Self.span, to: .traces)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/traces")
                try await browser.wait(until: "document.querySelector('.service-link')")
                #expect(
                    try await browser.run("return document.querySelector('.synthetic').checkVisibility()").bool == false
                )
                let event = OTLPBody.Event(name: "made.up", time: Self.start)
                let madeUp: [(String, JSON)] = [("service.name", "fleet"), ("astrolabe.synthetic", .truth(true))]
                try await console.send(OTLPBody.logs(madeUp, [event]), to: .logs)
                let services = try await console.get("/api/v1/services")["services"].elements
                #expect(services.map { $0["synthetic"].bool } == [nil, true])
                for page in ["traces", "logs", "explore", "boards", "journeys"] {
                    try await browser.open("\(console.address)/\(page)")
                    try await browser.wait(until: "document.querySelector('.synthetic').checkVisibility()")
                }
                let title = try await browser.run("return document.querySelector('.synthetic').title").text ?? ""
                #expect(title.contains("fleet") && !title.contains("api"))
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `the console opens on what is in the store`() async throws {
        try await ConsoleUnderTest.run { console in
            try await WebDriver.run { browser in
                try await browser.open(console.address)
                try await browser.wait(
                    until: "document.querySelector('.empty h2')?.innerText === 'Waiting for the first session'")
                try await console.send(Self.orphan, to: .logs)
                try await browser.wait(until: "document.querySelector('h1')?.innerText === 'Logs'")
                try await console.send(Self.span, to: .traces)
                try await browser.open(console.address)
                try await browser.wait(until: "document.querySelector('h1')?.innerText === 'Traces'")
                try await browser.wait(until: "document.querySelector('.traces .entry')")
                try await browser.open("\(console.address)/sessions")
                try await browser.wait(until: "document.querySelector('.empty a[href=\"/traces\"]')")
                try await console.send(ShopVisit.purchase())
                try await browser.open(console.address)
                try await browser.wait(until: "document.querySelector('.sessions .entry')")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `patterns fold similar records, follow the filter and open to their records`() async throws {
        try await ConsoleUnderTest.run { console in
            let events = (1...5).map { number in
                OTLPBody.Event(
                    name: "", time: Self.start + UInt64(number), severity: number == 5 ? 17 : 9,
                    body: number == 5 ? "disk full" : "job \(number) done")
            }
            try await console.send(OTLPBody.logs([("service.name", "cron")], events), to: .logs)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/logs")
                try await browser.wait(until: "document.querySelectorAll('.log-record').length === 5")
                try await browser.click(".chip", text: "Patterns")
                try await browser.wait(until: "document.querySelectorAll('.log-pattern').length === 2")
                try await browser.wait(
                    until: "document.querySelector('.log-pattern').textContent.includes('job # done')")
                try await browser.run("document.querySelector('.log-pattern summary').click()")
                try await browser.wait(until: "document.querySelectorAll('[open] .pattern-examples li').length === 4")
                // A record that arrives does not close it.
                try await console.send(
                    OTLPBody.logs(
                        [("service.name", "cron")],
                        [OTLPBody.Event(name: "", time: Self.start + 9, severity: 9, body: "job 9 done")]), to: .logs,
                )
                try await browser.wait(until: "document.querySelectorAll('[open] .pattern-examples li').length === 5")
                // Each severity has the number of its records, whatever is chosen.
                let severities =
                    "[...document.querySelectorAll('[aria-label^=Severity] .chip')].map((it) => it.textContent).join()"
                try await browser.wait(until: "\(severities) === 'Info6,Warnings1,Errors1'")
                try await browser.run("document.querySelector('[aria-label^=Severity] .chip:last-child').click()")
                try await browser.wait(until: "document.querySelectorAll('.log-pattern').length === 1")
                #expect(try await browser.run("return location.search").text == "?severity=17&view=patterns")
                try await browser.wait(until: "\(severities) === 'Info6,Warnings1,Errors1'")
                try await browser.click(".chip", text: "Records")
                try await browser.wait(
                    until: "document.querySelector('.log-record:not(.log-pattern)')?.innerText.includes('disk full')")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test(arguments: ["sessions", "traces", "logs"])
    func `a search says what it covers, and what it does not understand`(list: String) async throws {
        try await ConsoleUnderTest.run { console in
            try await console.send(ShopVisit.purchase())
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/\(list)")
                try await browser.wait(until: "document.querySelector('.entry')")
                try await browser.press("/")
                try await browser.type("duration>1s")
                try await browser.press(Key.enter)
                try await browser.wait(
                    until: "document.querySelector('.empty h2')?.innerText === 'Search not understood'")
                let message = try await browser.run("return document.querySelector('.empty').innerText").text ?? ""
                #expect(message.contains("duration>1s"))
                #expect(message.contains("attribute=value"))
                try await browser.press(Key.escape)
                try await browser.wait(until: "document.querySelector('.entry')")
                try await browser.press("/")
                try await browser.type("charge order placed")
                try await browser.press(Key.enter)
                try await browser.wait(
                    until: "document.querySelector('.search-note')?.innerText.includes('attributes')")
                try await browser.wait(until: "location.search.includes('placed')")
                try await browser.wait(until: "document.querySelectorAll('.entry').length === 1")
            }
        }
    }

    @Test
    func `the search of devices says what it covers, and what it does not understand`() async throws {
        try await ConsoleUnderTest.run { console in
            try await console.send(ShopVisit.purchase())
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/devices?q=memory%3E4")
                try await browser.wait(
                    until: "document.querySelector('.empty h2')?.innerText === 'Search not understood'")
                try await browser.press(Key.escape)
                try await browser.wait(until: "document.querySelector('.entry')")
                try await browser.open("\(console.address)/devices?q=iPhone")
                try await browser.wait(until: "document.querySelector('.entry')")
                try await browser.wait(
                    until: "document.querySelector('.search-note')?.innerText.includes('attributes')")
            }
        }
    }
}
