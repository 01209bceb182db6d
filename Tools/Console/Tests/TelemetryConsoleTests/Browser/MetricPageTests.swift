import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct MetricPageTests {
    private static let start: UInt64 = 1_790_000_000_000_000_000
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    /// A cumulative histogram of two routes; the second has an exemplar.
    private static var durations: JSON {
        let points: [JSON] = ["/cart", "/checkout"].flatMap { route -> [JSON] in
            (1...4).map { minute -> JSON in
                let counts: [JSON] = [10 * minute, 5 * minute, route == "/cart" ? 0 : minute, 0].map {
                    .string(String($0))
                }
                let time = JSON.string(String(start + UInt64(minute) * 60_000_000_000))
                let exemplar: JSON = ["timeUnixNano": time, "asDouble": 0.7, "traceId": .string(trace)]
                return [
                    "attributes": OTLPBody.attributes([("http.route", .string(route))]),
                    "startTimeUnixNano": .string(String(start)), "timeUnixNano": time,
                    "count": .string(String(minute * (route == "/cart" ? 15 : 16))), "bucketCounts": .array(counts),
                    "explicitBounds": [0.1, 0.5, 1], "exemplars": route == "/cart" ? [] : [exemplar],
                ]
            }
        }
        let metric: JSON = [
            "name": "http.server.request.duration", "unit": "s", "description": "Duration of requests.",
            "histogram": ["aggregationTemporality": 2, "dataPoints": .array(points)],
        ]
        return [
            "resourceMetrics": [
                [
                    "resource": ["attributes": OTLPBody.attributes([("service.name", "api")])],
                    "scopeMetrics": [["scope": ["name": "test"], "metrics": [metric]]],
                ]
            ]
        ]
    }

    @Test
    func `a histogram has percentiles by attribute, and its exemplars lead to traces`() async throws {
        try await ConsoleUnderTest.run { console in
            try await console.send(Self.durations, to: .metrics)
            let from = Self.start / 1_000
            let answer = try await console.get(
                "/api/v1/metrics/http.server.request.duration?by=http.route&fromUs=\(from)&toUs=\(from + 300_000_000)")
            #expect(answer["kind"].text == "histogram" && answer["keys"].elements.compactMap(\.text) == ["http.route"])
            #expect(answer["rows"].elements.map { $0["key"][0].text } == ["/checkout", "/cart"])
            let columns = answer["columns"].elements.map { $0["name"].text }
            #expect(columns == ["http.route", "heatmap(value)", "p50", "p95", "p99", "count"])
            #expect(answer["rows"][0]["values"][4].int == 64, "the last of the cumulative points")
            #expect(answer["rows"][0]["series"].elements.count == answer["stepsUs"].elements.count)

            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/metrics")
                try await browser.wait(until: "document.querySelector('.metric h2 a')")
                try await browser.run("document.querySelector('.metric h2 a').click()")
                try await browser.wait(until: "document.querySelector('.metric-head')")
                try await browser.open(
                    "\(console.address)/metrics/http.server.request.duration?time=\(from)~\(from + 300_000_000)&by=http.route"
                )
                try await browser.wait(until: "document.querySelectorAll('.plot').length === 5")
                try await browser.wait(until: "document.querySelector('.plot .dot-mark')")
                let ticks = try await browser.run(
                    "return [...document.querySelectorAll('.plot')[2].querySelectorAll('.tick')].map((it) => it.textContent).join()"
                )
                #expect(ticks.text?.contains("ms") == true)
                try await browser.run("document.querySelector('.results a[href=\"/traces/\(Self.trace)\"]').click()")
                try await browser.wait(until: "location.pathname === '/traces/\(Self.trace)'")
                try await browser.requireNoErrors(except: "404")
            }
        }
    }

    @Test
    func `an unknown metric is named, and a time that ends before it starts is refused`() async throws {
        try await ConsoleUnderTest.run { console in
            for (path, status) in [
                ("nothing", 404), ("nothing?fromUs=5&toUs=4", 400), ("nothing?time=last%202h", 404),
                ("nothing?time=tomorrow", 400),
            ] {
                let response = try await HTTP.request("GET", console.address + "/api/v1/metrics/" + path)
                #expect(response.status == status)
            }
        }
    }
}
