import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Tests of device conditions and ledgers in a real browser, used through the keyboard; see ``BrowserTests``.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(
        if: WebDriver.isAvailable,
        "needs chromium and chromedriver on the path, or named by ASTROLABE_CHROMIUM and ASTROLABE_CHROMEDRIVER",
    ),
)
struct LedgerPageTests {
    @Test
    func `a session describes device conditions and policy decisions`() async throws {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.tunnel()
            try await console.send(visit)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/sessions/\(visit.session)")
                try await browser.wait(until: "document.querySelectorAll('.moment').length > 10")
                try await browser.press("7")
                try await browser.wait(until: "document.querySelectorAll('.moment').length === 11")
                let told =
                    try await browser.run(
                        """
                        return [...document.querySelectorAll('.moment .what')].map((row) => \
                        [...row.querySelectorAll('.name, .note')].map((part) => part.textContent).join('; ')).join('\\n')
                        """
                    ).text ?? ""
                let lines = told.split(separator: "\n")
                #expect(lines.contains("App came to the foreground; "))
                #expect(lines.contains("Network: Wi-Fi; "))
                #expect(lines.contains { $0.hasPrefix("Network: Wi-Fi → no network; after ") })
                #expect(lines.contains { $0.hasPrefix("Policy: mode lowered, normal → reduced; Battery at 15 %") })
                #expect(lines.contains("Budget: SDK CPU usage, reduced → minimal; 4.12 % used, 5 % allowed"))
                #expect(lines.contains { $0.hasPrefix("Network: no network → cellular (5G, Orbit); after 3 min ") })
                #expect(lines.contains { $0.hasPrefix("Policy: mode raised, minimal → normal") })
                let bands =
                    try await browser.run(
                        "return document.querySelector('.overview canvas').getAttribute('aria-label')"
                    ).text ?? ""
                #expect(bands.contains("Network: Wi-Fi, no network, cellular (5G, Orbit)"))
                #expect(bands.contains("Mode: normal, reduced, minimal, normal"))
                #expect(bands.contains("App: foreground, background, foreground"))

                try await browser.press("j", "j", "j", "j", Key.enter)
                try await browser.wait(until: "document.querySelectorAll('.unfolded .because li').length === 2")
                let sent = "document.querySelector('.unfolded details.as-sent')"
                #expect(try await browser.run("return \(sent).open").bool == false, "the description comes first")
                let height = "document.querySelector('.vlist-inner').getBoundingClientRect().height"
                let folded = try await browser.run("return \(height)").int ?? 0
                _ = try await browser.run("\(sent).querySelector('summary').click()")
                try await browser.wait(until: "\(height) > \(folded) + 60")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `a session's ledger expands to pending, created, delivered, unsent and dropped records`()
        async throws
    {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.tunnel()
            try await console.send(visit)
            let course = visit.ledgerHistory(every: 240, count: 4)
            for account in course { try await console.send(account.body(visit.phone), to: .metrics) }
            let (before, after) = (course[1], course[3])
            try #require(before.time <= visit.start && course[2].time > visit.start)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/sessions/\(visit.session)")
                try await browser.wait(until: "document.querySelector('.ledger-strip .verdict.good')")
                try await browser.press("l")
                try await browser.wait(until: "document.querySelector('.session-ledger .equation')")
                let numbers =
                    try await browser.run(
                        """
                        return [...document.querySelectorAll('.session-ledger dd:not(.parts)')] \
                        .map((number) => number.textContent.replace(/\\D/g, '')).join(' ')
                        """
                    ).text ?? ""
                func total(_ account: LedgerAccount) -> Int { account.dropped.reduce(0) { $0 + $1.count } }
                let expected = [
                    before.journal + before.queue, after.created - before.created, after.delivered - before.delivered,
                    after.journal + after.queue, after.notSent - before.notSent, total(after) - total(before),
                ]
                #expect(numbers == expected.map(String.init).joined(separator: " "))

                let lost = LedgerAccount(
                    time: visit.now + 1_000_000, created: after.created + 9, delivered: after.delivered,
                    journal: after.journal, queue: after.queue, notSent: after.notSent, dropped: after.dropped,
                )
                _ = try await console.send(lost.body(visit.phone), to: .metrics)
                let strip = "document.querySelector('.ledger-strip .verdict')"
                #expect(
                    try await browser.run("return \(strip).textContent").text == "All records accounted for",
                    "the nearest account counts")
                var longer = visit
                longer.pass(30_000)
                longer.tap("tab.account")
                try await console.send(longer.phoneLogBody, to: .logs)
                try await browser.wait(until: "\(strip).textContent === '9 records unaccounted for'")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `the keyboard leads from a session to its device, through its ledger history, and back`()
        async throws
    {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.tunnel()
            try await console.send(visit)
            try await console.send(
                ShopVisit(number: 2, start: visit.start - 900_000_000_000, installation: 1).browsing)
            let course = visit.ledgerHistory(every: 240, count: 4)
            for account in course { try await console.send(account.body(visit.phone), to: .metrics) }
            try await WebDriver.run { browser in
                func text(_ selector: String) async throws -> String {
                    try await browser.run("return document.querySelector('\(selector)')?.innerText ?? ''").text ?? ""
                }
                try await browser.open("\(console.address)/sessions/\(visit.session)")
                try await browser.wait(until: "document.querySelector('.ledger-strip .verdict.good')")
                try await browser.press("d")
                try await browser.wait(until: "location.pathname === '/devices/\(visit.installation)'")
                try await browser.wait(until: "document.querySelectorAll('.entry').length === 2")
                let last = try #require(course.last)
                let figure = try await text(".equation").filter { $0 != "," }
                #expect(figure.contains("\(last.created)"))
                #expect(figure.contains("\(last.notSent)"))
                #expect(figure.contains("\(last.dropped[0].count) sampled out"))
                #expect(try await text(".verdict") == "All records accounted for")
                try await browser.press(Key.left)
                try await browser.wait(
                    until: """
                        document.querySelector('.equation dd').textContent.replace(/\\D/g, '') === \
                        '\(course[course.count - 2].created)'
                        """)
                let broken = LedgerAccount(time: last.time + 60_000_000_000, created: 9, delivered: 4)
                try await browser.press(Key.right)
                try await console.send(broken.body(visit.phone), to: .metrics)
                try await browser.wait(
                    until: "document.querySelector('.verdict.bad')?.textContent === '5 records unaccounted for'")
                try await browser.press("j", "j", Key.enter)
                try await browser.wait(until: "location.pathname.startsWith('/sessions/')")
                try await browser.press(Key.escape)
                try await browser.wait(until: "location.pathname === '/devices/\(visit.installation)'")
                try await browser.wait(until: "document.querySelector('.equation')")
                try await browser.press(Key.escape)
                try await browser.wait(until: "location.pathname === '/sessions/\(visit.session)'")
                try await browser.requireNoErrors()
            }
        }
    }
}
