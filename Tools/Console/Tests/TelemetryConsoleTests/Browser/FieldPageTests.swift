import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Fields that few records have, as a person sees them.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(
        if: WebDriver.isAvailable,
        "needs chromium and chromedriver on the path, or named by ASTROLABE_CHROMIUM and ASTROLABE_CHROMEDRIVER",
    ),
)
struct FieldPageTests {
    private static let start: UInt64 = 1_790_000_000_000_000_000
    private static let trace = String(repeating: "ab", count: 16)
    private static let schema = "https://opentelemetry.io/schemas/1.34.0"

    private static func at(_ milliseconds: Int) -> JSON {
        .string(String(start + UInt64(milliseconds) * 1_000_000))
    }

    private static func resource(_ attributes: [(String, JSON)]) -> JSON {
        ["attributes": OTLPBody.attributes(attributes)]
    }

    private static let phone = resource([
        ("service.name", "astronomy-shop"), ("os.name", "iOS"), ("device.model.name", "iPhone 15 Pro"),
        ("session.id", "s-1"),
    ])
    private static let backend = resource([("service.name", "shop-backend")])
    private static let scope: JSON = [
        "name": "checkout-library", "version": "2.1.0", "attributes": OTLPBody.attributes([("team", "cart")]),
    ]

    /// A request of a phone whose clock is 2.3 s ahead, and the backend's part of it with a log record.
    private static func sendRequest(to console: ConsoleUnderTest) async throws {
        func span(_ id: String, _ parent: String, _ kind: Int, _ from: Int, _ to: Int, _ flags: Int) -> JSON {
            [
                "traceId": .string(trace), "spanId": .string(id), "parentSpanId": .string(parent),
                "name": "POST /api/checkout", "kind": .integer(kind), "startTimeUnixNano": at(from),
                "endTimeUnixNano": at(to), "flags": .integer(flags),
            ]
        }
        for (resource, span) in [
            (phone, span("0000000000000001", "", 3, 10_000, 10_400, 0x1)),
            (backend, span("0000000000000002", "0000000000000001", 2, 7_800, 8_000, 0x301)),
        ] {
            try await console.send(
                [
                    "resourceSpans": [
                        [
                            "resource": resource, "schemaUrl": .string(schema),
                            "scopeSpans": [["scope": scope, "schemaUrl": .string(schema), "spans": [span]]],
                        ]
                    ]
                ], to: .traces)
        }
        let record: JSON = [
            "timeUnixNano": at(7_900), "observedTimeUnixNano": at(7_912), "severityNumber": 13,
            "severityText": "Warnung", "body": ["stringValue": "the quote is slow"], "traceId": .string(trace),
            "spanId": "0000000000000002", "flags": 1,
        ]
        try await console.send(
            ["resourceLogs": [["resource": backend, "scopeLogs": [["scope": scope, "logRecords": [record]]]]]],
            to: .logs)
    }

    private static func histogram(_ number: Int, exemplars: JSON) -> JSON {
        let counts = [2, 6, 14, 30, 52, 30, 12, 6, 2, 1].map { JSON.string(String($0 * number)) }
        let sum = Double(number * number) * 9
        return [
            "startTimeUnixNano": at(0), "timeUnixNano": at(number * 15_000), "count": .string(String(100 * number)),
            "sum": .number(sum), "scale": 1, "zeroCount": "3", "min": 0.0, "max": 1.9,
            "positive": ["offset": -8, "bucketCounts": .array(counts)], "exemplars": exemplars,
        ]
    }

    private static func sendMetrics(to console: ConsoleUnderTest) async throws {
        let exemplars: JSON = [
            [
                "timeUnixNano": at(60_000), "asDouble": 0.3, "traceId": .string(trace), "spanId": "0000000000000002",
            ]
        ]
        let histograms = (1...6).map { histogram($0, exemplars: $0 == 4 ? exemplars : []) }
        let summary: JSON = [
            "startTimeUnixNano": at(0), "timeUnixNano": at(60_000), "count": "250", "sum": 32.5,
            "quantileValues": [
                ["quantile": 0.5, "value": 0.11], ["quantile": 0.95, "value": 0.42], ["quantile": 0.99, "value": 0.97],
            ],
        ]
        let large: JSON = ["timeUnixNano": at(60_000), "asInt": "9007199254740993"]
        let metrics: [JSON] = [
            [
                "name": "http.server.request.duration", "unit": "s", "description": "Duration of requests",
                "exponentialHistogram": ["aggregationTemporality": 2, "dataPoints": .array(histograms)],
            ],
            ["name": "rpc.duration", "unit": "s", "summary": ["dataPoints": [summary]]],
            ["name": "bytes.total", "unit": "By", "gauge": ["dataPoints": [large]]],
        ]
        try await console.send(
            [
                "resourceMetrics": [
                    ["resource": backend, "scopeMetrics": [["scope": scope, "metrics": .array(metrics)]]]
                ]
            ],
            to: .metrics)
    }

    @Test
    func `the trace shows scope, flags, schema, and a log record's severity and observed time`() async throws {
        try await ConsoleUnderTest.run { console in
            try await Self.sendRequest(to: console)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/traces/\(Self.trace)?span=0000000000000002")
                try await browser.wait(until: "document.querySelector('.inspector h2')")
                let text = try await browser.run("return document.querySelector('.inspector').innerText").text ?? ""
                for part in [
                    "checkout-library 2.1.0", "team", "cart", Self.schema, "sampled, remote parent",
                    "severity Warnung 13",
                    "observed +0.012 s",
                ] {
                    #expect(text.contains(part), "\(part)")
                }
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `the session's timeline is corrected for the phone's clock, and says so`() async throws {
        try await ConsoleUnderTest.run { console in
            try await Self.sendRequest(to: console)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/sessions/s-1")
                try await browser.wait(until: "document.querySelectorAll('.moment').length === 3")
                let notice = try await browser.run("return document.querySelector('.notice')?.innerText").text ?? ""
                #expect(notice.contains("The phone's clock is 2.3 s ahead of the backend's"))
                let times = try await browser.run(
                    "return [...document.querySelectorAll('.moment .when')].map((when) => when.innerText)")
                #expect(times.elements.compactMap(\.text) == ["+0.000 s", "+0.100 s", "+0.200 s"])
                try await browser.press(Key.end, Key.enter)
                try await browser.wait(until: "document.querySelector('.unfolded')")
                let text = try await browser.run("return document.querySelector('.vlist, main').innerText").text ?? ""
                for part in ["Warnung", "observed +0.012 s", "scope checkout-library 2.1.0", "sampled"] {
                    #expect(text.contains(part), "\(part)")
                }
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `the metrics page draws exponential histograms and summaries, and exemplars lead to their trace`()
        async throws
    {
        try await ConsoleUnderTest.run { console in
            try await Self.sendRequest(to: console)
            try await Self.sendMetrics(to: console)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/metrics")
                try await browser.wait(until: "document.querySelectorAll('.metric').length === 3")
                let text = try await browser.run("return document.querySelector('.metric-grid').innerText").text ?? ""
                for part in [
                    "exponential histogram", "600 in the latest point", "p95", "p99 0.97", "p50 0.11",
                    "9,007,199,254,740,993", "since",
                ] {
                    #expect(text.contains(part), "\(part)")
                }
                let median = try await browser.run(
                    "return Number(document.querySelector('.metric-grid').innerText.match(/p50 ([0-9.]+) · p95/)[1])")
                #expect((0.25...0.36).contains(try #require(median.double)), "the middle bucket is 0.25 to 0.354")
                #expect(try await browser.run("return document.querySelectorAll('.bars rect').length").int == 11)
                #expect(try await browser.run("return document.querySelectorAll('a.exemplar').length").int == 1)
                try await browser.click(".exemplars a")
                try await browser.wait(until: "location.pathname === '/traces/\(Self.trace)'")
                try await browser.wait(until: "document.querySelector('.inspector h2')")
                #expect(try await browser.run("return location.search").text == "?span=0000000000000002")
                try await browser.requireNoErrors()
            }
        }
    }
}
