import AstrolabeTelemetryModel
import BrowserKit
import ConsoleModel
import Testing

@testable import TelemetryConsole

/// The totals of counters, which the API sums and the page shows.
@Suite
struct CounterTotalTests {
    private static let start: UInt64 = 1_790_000_000_000_000_000

    /// A point `second` seconds after the start, of measurements that began `since` seconds after it.
    private static func point(_ second: UInt64, _ value: Int64, since: UInt64 = 0, in region: String = "eu")
        -> NumberPoint
    {
        NumberPoint(
            attributes: ["region": region], startTimeUnixNano: start + since * 1_000_000_000,
            timeUnixNano: start + second * 1_000_000_000, value: .int(value))
    }

    private static func total(
        _ points: [NumberPoint], _ temporality: AggregationTemporality, isMonotonic: Bool = true, path: String = "",
    ) async throws -> JSONResponse {
        try await ConsoleInProcess.run { console in
            try await console.ingest(points, temporality, isMonotonic: isMonotonic)
            return try await console.get("/api/v1/metrics" + path)["metrics"][0]
        }
    }

    @Test
    func `delta points are summed over time and over series, also those that are not listed`() async throws {
        let points = (1...100).flatMap { [Self.point($0, 1), Self.point($0, 2, in: "us")] }
        let metric = try await Self.total(points, .delta, path: "?points=10&series=1")
        #expect(metric["total"]["value"].int == 300)
        #expect(metric["total"]["series"].int == 2)
        #expect(metric["total"]["fromUs"].int == Int(Self.start / 1_000))
        #expect(metric["total"]["throughUs"].int == Int(Self.start / 1_000) + 100_000_000)
        #expect(metric["series"].elements.count == 1)
        #expect([100, 200].contains(metric["series"][0]["total"]["value"].int))
    }

    @Test(arguments: ["", "?points=1"])
    func `a delta counter counts since the start of its first point, however few points are listed`(
        path: String
    ) async throws {
        let metric = try await Self.total((1...10).map { Self.point($0, 5, since: $0 - 1) }, .delta, path: path)
        for total in [metric["total"], metric["series"][0]["total"]] {
            #expect(total["value"].int == 50)
            #expect(total["fromUs"].int == Int(Self.start / 1_000))
        }
    }

    @Test
    func `cumulative points are differenced`() async throws {
        let points = [Self.point(1, 3), Self.point(2, 10), Self.point(3, 10), Self.point(1, 5, in: "us")]
        #expect(try await Self.total(points, .cumulative)["total"]["value"].int == 15)
    }

    @Test(arguments: [
        // The value falls, or the start changes, or two processes with the same attributes send in turns.
        ([(1, 8, 0), (2, 10, 0), (3, 2, 0), (4, 5, 0)], 15), ([(1, 8, 0), (3, 9, 2), (4, 12, 2)], 20),
        ([(1, 8, 0), (2, 1, 1), (3, 9, 0), (4, 2, 1)], 11),
    ])
    func `a reset starts a counter again`(points: [(UInt64, Int64, UInt64)], total: Int) async throws {
        let metric = try await Self.total(points.map { Self.point($0.0, $0.1, since: $0.2) }, .cumulative)
        #expect(metric["total"]["value"].int == total)
        #expect(metric["series"][0]["total"]["value"].int == total)
    }

    @Test
    func `a sum that can fall has its current level`() async throws {
        let points = [Self.point(1, 8), Self.point(2, 3), Self.point(2, 4, in: "us")]
        #expect(try await Self.total(points, .cumulative, isMonotonic: false)["total"]["value"].int == 7)
        #expect(try await Self.total(points, .delta, isMonotonic: false)["total"]["value"].int == 15)
    }

    @Test
    func `a total that a number would round is exact`() async throws {
        let points = [Self.point(1, 9_007_199_254_740_993), Self.point(2, 2)]
        #expect(try await Self.total(points, .delta)["total"]["exact"].text == "9007199254740995")
        let large = [Self.point(1, .max), Self.point(2, .max)]
        #expect(try await Self.total(large, .delta)["total"]["exact"].text == "18446744073709551614")
    }

    @Test
    func `a gauge has no total`() async throws {
        try await ConsoleInProcess.run { console in
            let gauge = MetricData(name: "level", data: .gauge([Self.point(1, 5)]))
            try await console.store.ingest(metrics: [
                ResourceGroup(
                    resource: Resource(), scopes: [ScopeGroup(scope: .init(name: "test"), records: [gauge])])
            ])
            #expect(try await console.get("/api/v1/metrics")["metrics"][0]["total"]["value"].int == nil)
        }
    }

    @Test(.enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"))
    func `the page shows the total of a counter with its unit`() async throws {
        try await ConsoleUnderTest.run { console in
            let points = (1...12).map { Self.point($0, 10, in: $0 % 2 == 0 ? "eu" : "us") }
            let orders = MetricData(
                name: "demo.orders", unit: "{order}", data: .sum(points, temporality: .delta, isMonotonic: true))
            try await console.console.store.ingest(metrics: [
                ResourceGroup(
                    resource: Resource(), scopes: [ScopeGroup(scope: .init(name: "test"), records: [orders])])
            ])
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/metrics")
                try await browser.wait(until: "document.querySelector('.metric .value')")
                let value = try await browser.run("return document.querySelector('.metric .value').innerText").text
                #expect(value == "120 order")
                let ends = try await browser.run(
                    "return [...document.querySelectorAll('.series .end')].map((it) => it.innerText).join()")
                #expect(ends.text == "60,60")
                try await browser.requireNoErrors()
            }
        }
    }
}

extension ConsoleInProcess {
    fileprivate func ingest(
        _ points: [NumberPoint], _ temporality: AggregationTemporality, isMonotonic: Bool,
    ) async throws {
        let data = MetricData.Points.sum(points, temporality: temporality, isMonotonic: isMonotonic)
        let metric = MetricData(name: "orders", unit: "{order}", data: data)
        try await store.ingest(metrics: [
            ResourceGroup(resource: Resource(), scopes: [ScopeGroup(scope: .init(name: "test"), records: [metric])])
        ])
    }
}
