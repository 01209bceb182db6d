import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Tests of the pages in headless Chromium, used through the keyboard.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(
        if: WebDriver.isAvailable,
        """
        needs chromium and chromedriver on the path, or named by ASTROLABE_CHROMIUM and ASTROLABE_CHROMEDRIVER \
        (Debian: apt install chromium chromium-driver)
        """,
    ),
)
struct BrowserTests {
    @Test
    func `the keyboard leads from the list to a session, its error, and the backend span in the waterfall`()
        async throws
    {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            try await console.send(ShopVisit(number: 2, start: visit.start - 900_000_000_000).browsing)
            try await WebDriver.run { browser in
                try await browser.open(console.address)
                try await browser.wait(until: "document.querySelectorAll('.entry').length === 2")
                try await browser.press("j", "j", "k", Key.enter)
                try await browser.wait(until: "location.pathname === '/sessions/\(visit.session)'")
                try await browser.wait(until: "document.querySelectorAll('.moment').length > 10")

                try await browser.press("n")
                try await browser.wait(
                    until: """
                        document.querySelector('.vrow[aria-selected=true] .name')?.textContent === 'CheckoutViewModel.placeOrder'
                        """)
                try await browser.press(Key.enter)
                try await browser.wait(until: "document.querySelector('.unfolded .attributes')")
                try await browser.press("o")
                let trace = try #require(visit.traces["declined"])
                try await browser.wait(until: "location.pathname === '/traces/\(trace)'")
                try await browser.wait(until: "document.querySelectorAll('.span-row').length === 11")

                try await browser.press(Key.end)
                try await browser.wait(
                    until: "document.querySelector('.inspector h2')?.textContent === 'payment.charge'")
                let inspector =
                    try await browser.run("return document.querySelector('.inspector').innerText").text ?? ""
                #expect(inspector.contains("shop-backend"))
                #expect(inspector.contains("payment service unreachable"))
                #expect(inspector.contains("demo.payment.card_type"))

                try await browser.press(Key.escape)
                try await browser.wait(until: "location.pathname === '/sessions/\(visit.session)'")
                try await browser.wait(until: "document.querySelectorAll('.moment').length > 10")
                try await browser.press(Key.escape)
                try await browser.wait(until: "document.querySelectorAll('.entry').length === 2")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `in a narrow window a menu leads to every page, and closes there`() async throws {
        try await ConsoleUnderTest.run { console in
            try await WebDriver.run { browser in
                try await browser.resize(width: 390, height: 844)
                try await browser.open("\(console.address)/sessions")
                let shown =
                    "[...document.querySelectorAll('.nav-link')].filter((it) => it.offsetParent).map((it) => it.innerText.trim()).join()"
                try await browser.wait(until: "\(shown) === 'Sessions'")
                try await browser.run("document.querySelector('.nav-menu').click()")
                let all = try await browser.run("return \(shown)").text ?? ""
                for page in ["Explore", "Boards", "Journeys", "Map", "Alerts", "Metrics"] {
                    #expect(all.contains(page))
                }
                try await browser.run("document.querySelector('.nav-link[href=\"/metrics\"]').click()")
                try await browser.wait(until: "location.pathname === '/metrics' && \(shown) === 'Metrics'")
                let overflow = try await browser.run("return document.documentElement.scrollWidth").int
                #expect(overflow == 390)
            }
        }
    }

    @Test
    func `new sessions appear in an open list, and changed ones are updated`() async throws {
        try await ConsoleUnderTest.run { console in
            try await WebDriver.run { browser in
                try await browser.open(console.address)
                try await browser.wait(
                    until: "document.querySelector('.recipe')?.innerText.includes('\(console.port)')")
                let visit = ShopVisit.purchase()
                try await console.send(visit.backendTraceBody, to: .traces)
                try await console.send(visit.phoneTraceBody, to: .traces)
                try await browser.wait(until: "document.querySelector('.entry')?.innerText.includes('iPhone 15 Pro')")
                var crashing = visit
                crashing.crash()
                try await console.send(crashing.phoneLogBody, to: .logs)
                try await browser.wait(until: "document.querySelector('.entry .badge.crash')")
            }
        }
    }

    @Test
    func `an open session page inserts records that arrive later`() async throws {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit.phoneTraceBody, to: .traces)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/sessions/\(visit.session)")
                try await browser.wait(until: "document.querySelectorAll('.moment').length > 10")
                try await console.send(visit.phoneLogBody, to: .logs)
                try await browser.wait(
                    until: "document.querySelector('.moment .name')?.textContent === 'session.start'")
            }
        }
    }

    @Test
    func `received data is always shown as text and never as markup`() async throws {
        try await ConsoleUnderTest.run { console in
            let attack =
                "<img src=x onerror=\"document.body.dataset.hacked=1\"><script>document.body.dataset.hacked=1</script>"
            let phone: [(String, JSON)] = [
                ("service.name", .string(attack)), ("device.model.name", .string(attack)), ("os.name", "iOS"),
                ("app.installation.id", .string(attack)),
                ("service.version", .string(attack)),
            ]
            let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
            let span = OTLPBody.Span(
                trace: trace, id: "00f067aa0ba902b7", name: attack, start: 1_790_000_000_000_000_000,
                end: 1_790_000_001_000_000_000,
                attributes: [
                    ("session.id", .string(attack)), ("app.screen.name", .string(attack)), (attack, .string(attack)),
                ], error: attack,
            )
            try await console.send(OTLPBody.traces(phone, [span]), to: .traces)
            try await console.send(
                OTLPBody.metric(
                    phone, name: attack, unit: attack, description: attack, isCounter: false, start: 1,
                    points: [([(attack, .string(attack))], 1, 1)]),
                to: .metrics,
            )
            let account = LedgerAccount(time: 1, created: 1, delivered: 0, dropped: [(attack, 1)])
            try await console.send(account.body(phone), to: .metrics)
            let conditions: [(String, JSON)] = [
                ("session.id", .string(attack)), ("network.connection.type", .string(attack)),
                ("astrolabe.policy.mode", .string(attack)), ("astrolabe.policy.upload", .string(attack)),
                ("astrolabe.policy.reasons", [.string(attack)]), ("astrolabe.budget.resource", .string(attack)),
                ("ios.app.state", .string(attack)),
            ]
            let names = ["network.change", "astrolabe.policy.change", "astrolabe.budget.step", "device.app.lifecycle"]
            let events = names.enumerated().map { index, name in
                OTLPBody.Event(name: name, time: 1_790_000_000_000_000_000 + UInt64(index), attributes: conditions)
            }
            try await console.send(OTLPBody.logs(phone, events), to: .logs)
            let id = try #require(attack.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            try await WebDriver.run { browser in
                let pages = [
                    ("/sessions", ".entry"), ("/sessions/\(id)", ".moment"), ("/traces", ".entry"),
                    ("/traces/\(trace)", ".inspector h2"),
                    ("/devices", ".entry"), ("/devices/\(id)", ".equation"), ("/devices/\(id)x", ".empty"),
                    ("/metrics", ".metric"), ("/logs", ".list"), ("/sessions/\(id)x", ".empty"),
                ]
                for (path, part) in pages {
                    try await browser.open(console.address + path)
                    try await browser.wait(
                        until: "document.querySelector('\(part)')?.textContent.includes('<img src=x')")
                    try await browser.press("j", Key.enter)
                    let found = try await browser.run(
                        """
                        return document.body.dataset.hacked === undefined
                          && document.querySelectorAll('img[src=x], main script, .sidebar script').length === 0
                        """)
                    #expect(found.bool == true, "\(path)")
                }
            }
        }
    }

    @Test
    func `a trace of 10,000 spans opens, scrolls and collapses without rendering all rows`() async throws {
        try await ConsoleUnderTest.run { console in
            let trace = "0af7651916cd43dd8448eb211c80319c"
            func id(_ number: Int) -> String {
                String(repeating: "0", count: 16 - String(number, radix: 16).count) + String(number, radix: 16)
            }
            let start: UInt64 = 1_790_000_000_000_000_000
            let spans = (1...10_000).map { number in
                OTLPBody.Span(
                    trace: trace, id: id(number), parent: number == 1 ? "" : id(number / 3 == 0 ? 1 : number / 3),
                    name: "step \(number)", start: start + UInt64(number) * 10_000,
                    end: start + UInt64(number) * 10_000 + 1_000_000, attributes: [("number", .integer(number))],
                )
            }
            try await console.send(OTLPBody.traces(ShopVisit.backend, spans), to: .traces)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/traces/\(trace)")
                try await browser.wait(
                    until: "document.querySelector('.vrow')?.getAttribute('aria-setsize') === '10000'")
                let rows = try await browser.run("return document.querySelectorAll('.span-row').length").int ?? .max
                #expect(rows < 120)
                try await browser.press(Key.end)
                try await browser.wait(
                    until:
                        "document.querySelector('.vrow[aria-selected=true]')?.getAttribute('aria-posinset') === '10000'"
                )
                try await browser.press("f")
                try await browser.wait(
                    until: "Number(document.querySelector('.vrow').getAttribute('aria-setsize')) < 10")
            }
        }
    }

    @Test
    func `series of a metric are labeled only with what differs`() async throws {
        func phone(_ model: String, _ installation: String) -> [(String, JSON)] {
            [
                ("service.name", "shop"), ("device.model.name", .string(model)),
                ("app.installation.id", .string(installation)),
            ]
        }
        let points: [([(String, JSON)], UInt64, Double)] = [
            ([("place", "queue")], 1, 3), ([("place", "journal")], 1, 5),
        ]
        let sources = [
            phone("iPhone 15", "aaaaaaaa-1"), phone("iPhone SE", "bbbbbbbb-1"), phone("iPhone SE", "cccccccc-1"),
        ]
        try await ConsoleUnderTest.run { console in
            for (index, source) in sources.enumerated() {
                let wanted = index == 0 ? points : [points[0]]
                try await console.send(
                    OTLPBody.metric(source, name: "pending", unit: "1", isCounter: false, start: 1, points: wanted),
                    to: .metrics)
            }
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/metrics")
                try await browser.wait(until: "document.querySelectorAll('.series').length === 4")
                let names = try await browser.run(
                    "return [...document.querySelectorAll('.series > .clip:first-child')].map((it) => it.textContent).sort().join('|')"
                )
                #expect(
                    names.text == """
                        place=journal|place=queue · iPhone 15|place=queue · iPhone SE · bbbbbbbb|\
                        place=queue · iPhone SE · cccccccc
                        """)
            }
        }
    }

    @Test
    func `a search can be typed, shared as a URL, and cleared`() async throws {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            try await console.send(ShopVisit(number: 2, start: visit.start - 900_000_000_000).browsing)
            try await WebDriver.run(dark: false) { browser in
                try await browser.open(console.address)
                try await browser.wait(until: "document.querySelectorAll('.entry').length === 2")
                try await browser.press("/")
                try await browser.type("demo.order.id=o-1002")
                try await browser.press(Key.enter)
                try await browser.wait(until: "document.querySelectorAll('.entry').length === 1")
                let shared = try await browser.run("return location.pathname + location.search").text ?? ""
                try await browser.open(console.address + shared)
                try await browser.wait(until: "document.querySelectorAll('.entry').length === 1")
                try await browser.press(Key.escape)
                try await browser.wait(until: "document.querySelectorAll('.entry').length === 2")
                try await browser.press("?")
                try await browser.wait(
                    until: "document.querySelector('dialog[open]')?.innerText.includes('Next session')")
                try await browser.press(Key.escape, "t")
                try await browser.wait(until: "document.documentElement.dataset.theme === 'dark'")
            }
        }
    }
}
