import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Roles, names and announcements for screen readers, by the patterns of ARIA.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct PatternPageTests {
    @Test
    func `the tabs of Explore are one stop, and arrow keys choose among them`() async throws {
        try await ConsoleUnderTest.run { console in
            try await console.send(ShopVisit.purchase())
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/explore?q=count&time=30d")
                try await browser.wait(until: "document.querySelector('[role=tab]')")
                try await browser.run("document.querySelector('[role=tab][tabindex=\"0\"]').focus()")
                for title in ["Records", "Traces", "Sessions"] {
                    try await browser.press(Key.right)
                    try await browser.wait(until: "document.activeElement.innerText === '\(title)'")
                    try await browser.wait(until: "document.title === '\(title) · Explore · Astrolabe'")
                }
                let isTied = """
                    const [tab, panel] = [document.activeElement, document.querySelector('[role=tabpanel]')];
                    return tab.ariaSelected === 'true' && tab.getAttribute('aria-controls') === panel.id
                      && panel.getAttribute('aria-labelledby') === tab.id
                      && document.querySelectorAll('[role=tab][tabindex="0"]').length === 1;
                    """
                #expect(try await browser.run(isTied).bool == true)
                try await browser.press(Key.right, Key.right)
                try await browser.wait(until: "document.activeElement.innerText.startsWith('Groups')")
                // Only what its user asks for is announced, and not each refresh.
                #expect(try await browser.run("return document.querySelectorAll('main [role=status]').length").int == 0)
            }
        }
    }

    @Test
    func `an error of a query is tied to the field of its clause`() async throws {
        try await ConsoleUnderTest.run { console in
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/explore?q=count%20where%20nope%20=")
                try await browser.wait(until: "document.querySelector('.query-problem mark')")
                let fields = try await browser.run(
                    """
                    return [...document.querySelectorAll('[aria-invalid=true][aria-describedby=query-problem]')]
                      .map((it) => it.dataset.clause ?? 'text').join()
                    """)
                #expect(fields.text?.contains("text") == true)
                try await browser.run(
                    """
                    const field = document.querySelector('.query-line');
                    field.value = 'count'; field.dispatchEvent(new Event('change'));
                    """)
                try await browser.wait(until: "!document.querySelector('[aria-invalid=true]')")
            }
        }
    }

    @Test
    func `spans are rows of cells, figures of Health are tables, and a missing session has a heading`() async throws {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            let trace = try #require(visit.traces["declined"])
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/traces/\(trace)")
                try await browser.wait(until: "document.querySelector('.span-row')")
                let cells = """
                    return [...document.querySelectorAll('[role=treegrid] [role=row]')]
                      .every((it) => it.querySelectorAll('[role=gridcell]').length === 2)
                    """
                #expect(try await browser.run(cells).bool == true)

                try await browser.open("\(console.address)/health/releases")
                try await browser.wait(until: "document.querySelector('[role=table] [role=cell]')")
                let table = """
                    const [head, ...rows] = [...document.querySelectorAll('[role=table] > [role=row]')];
                    return head.querySelectorAll('[role=columnheader]').length === head.childElementCount
                      && rows.every((it) => it.childElementCount === head.childElementCount);
                    """
                #expect(try await browser.run(table).bool == true)
                try await browser.requireNoErrors()

                try await browser.open("\(console.address)/sessions/none")
                try await browser.wait(until: "document.querySelector('main h1')?.innerText === 'Not found'")
            }
        }
    }

    /// A span of a minute ago.
    private static func send(_ number: Int, to console: ConsoleUnderTest) async throws {
        let now = UInt64(Date().timeIntervalSince1970) * 1_000_000_000
        let span = OTLPBody.Span(
            trace: String(repeating: String(number), count: 32), id: "00f067aa0ba902b7", name: "work \(number)",
            start: now - 60_000_000_000, end: now - 59_000_000_000)
        try await console.send(OTLPBody.traces([("service.name", "shop")], [span]), to: .traces)
    }

    @Test
    func `a chart has its values as a table, which stays open`() async throws {
        try await ConsoleUnderTest.run { console in
            try await Self.send(1, to: console)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/explore?q=count%20by%20name&time=1h")
                try await browser.click(".chart-table summary")
                let head =
                    "[...document.querySelectorAll('.chart-table th[scope=col]')].map((it) => it.innerText).join()"
                try await browser.wait(until: "\(head) === 'Time,work 1'")
                let sum = """
                    [...document.querySelectorAll('.chart-table tbody tr')]
                      .reduce((sum, row) => sum + Number(row.cells[1].innerText.replace('–', 0)), 0)
                    """
                #expect(try await browser.run("return \(sum)").int == 1)
                try await Self.send(2, to: console)
                try await browser.wait(until: "\(head).includes('work 2')")
                try await browser.wait(until: "\(sum) === 1")
            }
        }
    }
}
