import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Every value of an attribute leads to the records that have it.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct AttributePageTests {
    private static let trace = String(repeating: "ab", count: 16)
    private static let span = "0000000000000001"

    /// A span with an event, a link and a scope, its log record, and a session with a change of the network.
    private static func send(to console: ConsoleUnderTest) async throws {
        let start = UInt64(Date().timeIntervalSince1970) * 1_000_000_000 - 60_000_000_000
        func time(_ milliseconds: UInt64) -> JSON { .string(String(start + milliseconds * 1_000_000)) }
        let event: JSON = [
            "name": "exception", "timeUnixNano": time(5),
            "attributes": OTLPBody.attributes([("exception.message", "no card")]),
        ]
        let link: JSON = [
            "traceId": .string(String(repeating: "cd", count: 16)), "spanId": "0000000000000002",
            "attributes": OTLPBody.attributes([("queue.position", 7)]),
        ]
        let span: JSON = [
            "traceId": .string(trace), "spanId": .string(span), "name": "charge", "kind": 1,
            "startTimeUnixNano": time(0), "endTimeUnixNano": time(10), "events": [event], "links": [link],
            "attributes": OTLPBody.attributes([("session.id", "s-1")]),
        ]
        let scope: JSON = ["name": "shop", "attributes": OTLPBody.attributes([("team", "cart")])]
        let resource: JSON = ["attributes": OTLPBody.attributes([("service.name", "shop"), ("os.name", "iOS")])]
        try await console.send(
            ["resourceSpans": [["resource": resource, "scopeSpans": [["scope": scope, "spans": [span]]]]]],
            to: .traces)
        let records = [
            OTLPBody.Event(
                name: "card.refused", time: start + 6_000_000, attributes: [("card.kind", "visa")], trace: trace,
                span: Self.span),
            OTLPBody.Event(
                name: "network.change", time: start + 7_000_000,
                attributes: [("session.id", "s-1"), ("network.connection.type", "cell")]),
        ]
        try await console.send(OTLPBody.logs([("service.name", "shop"), ("os.name", "iOS")], records), to: .logs)
    }

    /// Clicks a value of an attribute, and the first item of its menu.
    private static func choose(_ value: String, in part: String, _ browser: WebDriver) async throws {
        let cell = "[...document.querySelectorAll('\(part) dd .cell')].find((it) => it.innerText === '\(value)')"
        try await browser.wait(until: cell)
        try await browser.run("\(cell).click()")
        try await browser.wait(until: "document.querySelector(':popover-open .menu-item')")
        try await browser.run("document.querySelector(':popover-open .menu-item').click()")
    }

    @Test(arguments: [("no card", "exception.message=no card"), ("7", "queue.position=7"), ("cart", "team=cart")])
    func `a value of a span event, a link or a scope finds its traces`(value: String, term: String) async throws {
        try await ConsoleUnderTest.run { console in
            try await Self.send(to: console)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/traces/\(Self.trace)")
                try await Self.choose(value, in: ".inspector", browser)
                try await browser.wait(until: "location.pathname === '/traces'")
                try await browser.wait(until: "document.querySelector('.search input').value === '\"\(term)\"'")
                try await browser.wait(until: "document.querySelectorAll('.entry').length === 1")
                try await browser.wait(until: "document.querySelector('[data-trace=\"\(Self.trace)\"]')")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `values of a span's logs and of a session's raw attributes open their records in Explore`() async throws {
        try await ConsoleUnderTest.run { console in
            try await Self.send(to: console)
            try await WebDriver.run { browser in
                func query() async throws -> String {
                    try await browser.wait(until: "location.pathname === '/explore'")
                    try await browser.wait(
                        until: "document.querySelector('.result-line').innerText.startsWith('1 record')")
                    return try await browser.run("return new URLSearchParams(location.search).get('q')").text ?? ""
                }
                try await browser.open("\(console.address)/traces/\(Self.trace)")
                try await Self.choose("visa", in: ".span-event", browser)
                #expect(try await query() == "count of events where card.kind = \"visa\"")

                try await browser.open("\(console.address)/sessions/s-1")
                try await browser.wait(until: "document.querySelector('.moment.condition')")
                try await browser.run("document.querySelector('.moment.condition').click()")
                try await browser.wait(until: "document.querySelector('.as-sent summary')")
                try await browser.run("document.querySelector('.as-sent summary').click()")
                try await Self.choose("cell", in: ".as-sent", browser)
                #expect(try await query() == "count of events where network.connection.type = \"cell\"")

                try await browser.open("\(console.address)/sessions/s-1")
                let name = "[...document.querySelectorAll('.moment')].find((it) => it.innerText.includes('charge'))"
                try await browser.wait(until: name)
                try await browser.run("\(name).click()")
                try await Self.choose("no card", in: ".unfolded section", browser)
                try await browser.wait(until: "location.pathname === '/traces'")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `a service has the same color before and after other services arrive`() async throws {
        try await ConsoleUnderTest.run { console in
            @Sendable func send(_ service: String, trace: String) async throws {
                let span = OTLPBody.Span(
                    trace: String(repeating: trace, count: 16), id: "00f067aa0ba902b7", name: "work",
                    start: 1_790_000_000_000_000_000, end: 1_790_000_000_001_000_000)
                try await console.send(OTLPBody.traces([("service.name", .string(service))], [span]), to: .traces)
            }
            try await send("middle", trace: "01")
            try await WebDriver.run { browser in
                let link =
                    "[...document.querySelectorAll('.service-link')].find((it) => it.innerText.includes('middle'))"
                func color() async throws -> String {
                    try await browser.wait(until: link)
                    return try await browser.run(
                        "return getComputedStyle(\(link).querySelector('.dot')).backgroundColor"
                    ).text ?? ""
                }
                try await browser.open("\(console.address)/traces")
                let before = try await color()
                try await send("a first one", trace: "02")
                try await browser.open("\(console.address)/traces")
                try await browser.wait(until: "document.querySelectorAll('.service-link').length === 2")
                #expect(try await color() == before)
                let colors = try await browser.run(
                    "return new Set([...document.querySelectorAll('.service-link .dot')].map((it) => getComputedStyle(it).backgroundColor)).size"
                )
                #expect(colors.int == 2)
            }
        }
    }
}
