import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Narrowing and sorting of the lists.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct ListPageTests {
    /// Sessions and traces `1` to `6`: the shorter, the newer. The odd ones are of version 2.0.0.
    private static func send(to console: ConsoleUnderTest) async throws {
        let now = UInt64(Date().timeIntervalSince1970) * 1_000_000_000
        for number in 1...6 {
            let resource: [(String, JSON)] = [
                ("service.name", "shop"), ("service.version", number % 2 == 1 ? "2.0.0" : "2.1.0"), ("os.name", "iOS"),
            ]
            let start = now - UInt64(number) * 10_000_000_000
            let span = OTLPBody.Span(
                trace: String(repeating: String(number), count: 32), id: "00f067aa0ba902b7", name: "work \(number)",
                start: start, end: start + UInt64(number) * 200_000_000,
                attributes: [("session.id", .string("s-\(number)"))])
            try await console.send(OTLPBody.traces(resource, [span]), to: .traces)
        }
    }

    /// The digits of the rows' ids, in their order.
    private static let order =
        "[...document.querySelectorAll('.entry')].map((it) => (it.dataset.trace ?? it.dataset.session).at(-1)).join('')"

    private static func sort(by title: String, _ browser: WebDriver) async throws {
        try await browser.run(
            "[...document.querySelectorAll('.sort')].find((it) => it.innerText.startsWith('\(title)')).click()")
    }

    @Test(arguments: ["traces", "sessions"])
    func `a list is sorted by a column, in both directions, and new rows are put in their place`(list: String)
        async throws
    {
        try await ConsoleUnderTest.run { console in
            try await Self.send(to: console)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/\(list)")
                try await browser.wait(until: "\(Self.order) === '123456'")
                try await Self.sort(by: "Duration", browser)
                try await browser.wait(until: "\(Self.order) === '654321'")
                try await browser.wait(until: "location.search === '?sort=duration'")
                let now = UInt64(Date().timeIntervalSince1970) * 1_000_000_000
                let span = OTLPBody.Span(
                    trace: String(repeating: "9", count: 32), id: "00f067aa0ba902b7", name: "late", start: now,
                    end: now + 700_000_000, attributes: [("session.id", "s-9")])
                try await console.send(
                    OTLPBody.traces([("service.name", "shop"), ("os.name", "iOS")], [span]), to: .traces)
                try await browser.wait(until: "\(Self.order) === '6549321'")
                try await Self.sort(by: "Duration", browser)
                try await browser.wait(until: "\(Self.order) === '1239456'")
                try await Self.sort(by: "Duration", browser)
                try await browser.wait(until: "\(Self.order) === '9123456'")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test(arguments: ["traces", "sessions"])
    func `a facet has counts, narrows the list, and is taken away again`(list: String) async throws {
        try await ConsoleUnderTest.run { console in
            try await Self.send(to: console)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/\(list)")
                try await browser.wait(until: "\(Self.order) === '123456'")
                let facet =
                    "[...document.querySelectorAll(':popover-open .facet')].find((it) => it.innerText.startsWith('2.0.0'))"
                func choose() async throws {
                    try await browser.run("document.querySelector('[aria-label=Facets]').click()")
                    try await browser.wait(until: facet)
                    #expect(try await browser.run("return \(facet).querySelector('.count').innerText").text == "3")
                    try await browser.run("\(facet).click()")
                }
                try await choose()
                try await browser.wait(until: "\(Self.order) === '135'")
                let text = try await browser.run("return document.querySelector('.search input').value").text
                #expect(text == "\"service.version=2.0.0\"")
                try await choose()
                try await browser.wait(until: "\(Self.order) === '123456'")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `traces have a shortest and a longest duration, which do not exclude each other`() async throws {
        try await ConsoleUnderTest.run { console in
            try await Self.send(to: console)
            try await WebDriver.run { browser in
                func choose(_ label: String, _ value: String) async throws {
                    try await browser.wait(until: "document.querySelector('[aria-label=\"\(label)\"]')")
                    try await browser.run(
                        "const it = document.querySelector('[aria-label=\"\(label)\"]'); it.value = '\(value)'; it.dispatchEvent(new Event('change'))"
                    )
                }
                try await browser.open("\(console.address)/traces")
                try await choose("Longest duration", "1000000")
                try await browser.wait(until: "\(Self.order) === '12345'")
                try await choose("Shortest duration", "500000")
                try await browser.wait(until: "\(Self.order) === '345'")
                try await choose("Longest duration", "100000")
                try await browser.wait(until: "location.search === '?maxUs=100000'")
                try await browser.wait(
                    until: "document.querySelector('.empty')?.innerText.includes('No trace matches')")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test(arguments: ["logs", "devices"])
    func `an empty list links to the trace whose id was searched for`(list: String) async throws {
        try await ConsoleUnderTest.run { console in
            try await Self.send(to: console)
            let trace = String(repeating: "3", count: 32)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/\(list)?q=\(trace)")
                try await browser.wait(
                    until: "document.querySelector('.empty .found a')?.getAttribute('href') === '/traces/\(trace)'")
                try await browser.run("document.querySelector('.empty .found a').click()")
                try await browser.wait(until: "location.pathname === '/traces/\(trace)'")
                try await browser.requireNoErrors()
            }
        }
    }
}
