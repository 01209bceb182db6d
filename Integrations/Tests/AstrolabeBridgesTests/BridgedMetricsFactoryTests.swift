import AstrolabeTelemetryModel
import CoreMetrics
import Testing

@testable import AstrolabeBridges

@Suite struct BridgedMetricsFactoryTests {
    let recorder = BridgeRecorder()
    private var factory: BridgedMetricsFactory { recorder.bridge.metricsFactory }

    private func numbers(_ metric: MetricData) -> [NumberPoint] {
        switch metric.data {
        case .gauge(let points), .sum(let points, _, _): points
        case .histogram, .exponentialHistogram, .summary, .unknown: []
        }
    }

    private func histogram(_ metric: MetricData) throws -> HistogramPoint {
        if case .histogram(let points, _) = metric.data { return try points.only }
        throw ExpectedOne(count: 0)
    }

    @Test func `a counter adds up, its dimensions are attributes`() throws {
        let counter = factory.makeCounter(
            label: "hb.requests", dimensions: [("method", "GET"), ("path", "/api/cart")])
        counter.increment(by: 2)
        counter.increment(by: 3)
        let metric = try recorder.collectMetrics().only
        #expect(metric.name == "hb.requests")
        let point = try numbers(metric).only
        #expect(point.value == .int(5))
        #expect(point.attributes == ["method": "GET", "path": "/api/cart"])
        #expect(metric.data == .sum([point], temporality: .delta, isMonotonic: true))
    }

    @Test func `a status code is an integer, as on spans and log lines, and other dimensions are text`() throws {
        factory.makeTimer(
            label: "http.server.request.duration",
            dimensions: [("http.response.status_code", "404"), ("error.type", "404")],
        ).recordNanoseconds(1)
        #expect(
            try histogram(recorder.collectMetrics().only).attributes
                == ["error.type": "404", "http.response.status_code": 404])
    }

    @Test func `a status code that is no number stays text`() throws {
        let dimensions = [("http.response.status_code", "none")]
        factory.makeCounter(label: "requests", dimensions: dimensions).increment(by: 1)
        let point = try numbers(recorder.collectMetrics().only).only
        #expect(point.attributes == ["http.response.status_code": "none"])
    }

    @Test func `a counter of doubles is one too`() throws {
        factory.makeFloatingPointCounter(label: "energy", dimensions: []).increment(by: 0.5)
        #expect(try numbers(recorder.collectMetrics().only).only.value == .double(0.5))
    }

    @Test func `a timer is a histogram in seconds`() throws {
        let timer = factory.makeTimer(label: "http.server.duration", dimensions: [("status", "200")])
        timer.recordNanoseconds(3_000_000)
        timer.recordNanoseconds(2_000_000_000)
        let metric = try recorder.collectMetrics().only
        #expect(metric.unit == "s")
        let point = try histogram(metric)
        #expect(point.count == 2 && point.sum == 2.003)
        #expect(point.explicitBounds.first == 0.005 && point.explicitBounds.last == 10)
        #expect(point.bucketCounts.first == 1)
        #expect(point.attributes == ["status": "200"])
    }

    @Test func `a recorder aggregates or keeps the last value`() throws {
        let distribution = factory.makeRecorder(label: "size", dimensions: [], aggregate: true)
        distribution.record(Int64(7))
        distribution.record(8.5)
        let last = factory.makeRecorder(label: "depth", dimensions: [], aggregate: false)
        last.record(Int64(1))
        last.record(2.5)
        let metrics = try recorder.collectMetrics()
        #expect(try histogram(#require(metrics.first { $0.name == "size" })).sum == 15.5)
        #expect(try numbers(#require(metrics.first { $0.name == "depth" })).only.value == .double(2.5))
    }

    @Test func `a meter is set, raised and lowered, and all its handlers share its value`() throws {
        let first = factory.makeMeter(label: "connections", dimensions: [("pool", "a"), ("zone", "x")])
        let second = factory.makeMeter(label: "connections", dimensions: [("zone", "x"), ("pool", "a")])
        let other = factory.makeMeter(label: "connections", dimensions: [("pool", "b")])
        first.set(Int64(5))
        second.increment(by: 2)
        first.decrement(by: 3)
        other.set(0.5)
        let points = numbers(try recorder.collectMetrics().only)
        #expect(Set(points.map(\.value)) == [.double(4), .double(0.5)])
    }

    @Test func `a meter that adds up is an up-down counter, whose value leaves the sum with its last handler`() throws {
        let recorder = BridgeRecorder(instruments: ["requests": .init(isUpDownCounter: true)])
        let factory = recorder.bridge.metricsFactory
        let gets = factory.makeMeter(label: "requests", dimensions: [("method", "GET")])
        gets.increment(by: 3)
        gets.decrement(by: 1)
        let metric = try recorder.collectMetrics().only
        let point = try numbers(metric).only
        #expect(point.value == .double(2) && point.attributes == ["method": "GET"])
        #expect(metric.data == .sum([point], temporality: .cumulative, isMonotonic: false))
        gets.set(Int64(7))
        #expect(try numbers(recorder.collectMetrics().only).only.value == .double(7))
        factory.destroyMeter(gets)
        factory.makeMeter(label: "requests", dimensions: [("method", "GET")]).increment(by: 1)
        #expect(try numbers(recorder.collectMetrics().only).only.value == .double(1))
    }

    @Test func `instruments have the units that the bridge was given, and timers seconds`() throws {
        let labels = ["orders", "weight", "queue", "amount", "depth", "wait"]
        let recorder = BridgeRecorder(
            instruments: Dictionary(
                uniqueKeysWithValues: labels.map { label in
                    (label, TelemetryBridge.Instrument(unit: "{\(label)}", isUpDownCounter: label == "queue"))
                }))
        let factory = recorder.bridge.metricsFactory
        factory.makeCounter(label: "orders", dimensions: []).increment(by: 1)
        factory.makeFloatingPointCounter(label: "weight", dimensions: []).increment(by: 0.5)
        factory.makeMeter(label: "queue", dimensions: []).increment(by: 1)
        factory.makeRecorder(label: "amount", dimensions: [], aggregate: true).record(1.5)
        factory.makeRecorder(label: "depth", dimensions: [], aggregate: false).record(1.5)
        factory.makeTimer(label: "wait", dimensions: []).recordNanoseconds(1)
        factory.makeCounter(label: "other", dimensions: []).increment(by: 1)
        let units: [String: String] = try recorder.collectMetrics().reduce(into: [:]) { $0[$1.name] = $1.unit }
        #expect(
            units == [
                "orders": "{orders}", "weight": "{weight}", "queue": "{queue}", "amount": "{amount}",
                "depth": "{depth}", "wait": "s", "other": "",
            ])
    }

    @Test func `a meter that is destroyed with its last handler begins anew`() throws {
        let first = factory.makeMeter(label: "connections", dimensions: [])
        let second = factory.makeMeter(label: "connections", dimensions: [])
        first.set(Int64(5))
        factory.destroyMeter(first)
        second.increment(by: 1)
        #expect(try numbers(recorder.collectMetrics().only).only.value == .double(6))
        factory.destroyMeter(second)
        factory.makeMeter(label: "connections", dimensions: []).increment(by: 1)
        #expect(try numbers(recorder.collectMetrics().only).only.value == .double(1))
    }

    @Test func `what was counted before a counter is destroyed is sent`() throws {
        let counter = factory.makeCounter(label: "any", dimensions: [])
        counter.increment(by: 1)
        factory.destroyCounter(counter)
        #expect(try numbers(recorder.collectMetrics().only).only.value == .int(1))
    }

    @Test(arguments: [
        ("http.requests", "http.requests"), ("queue size", "queue_size"), ("größe", "gr__e"), ("9lives", "m9lives"),
        ("_private", "m_private"), ("a/b-c.d_e", "a/b-c.d_e"), ("", "unnamed"),
    ])
    func `labels become names that the specification allows`(label: String, name: String) throws {
        factory.makeCounter(label: label, dimensions: []).increment(by: 1)
        #expect(try recorder.collectMetrics().only.name == name)
    }

    @Test func `long labels are cut`() throws {
        factory.makeCounter(label: String(repeating: "x", count: 400), dimensions: []).increment(by: 1)
        factory.makeCounter(label: String(repeating: "9", count: 400), dimensions: []).increment(by: 1)
        #expect(try recorder.collectMetrics().map(\.name.utf8.count) == [255, 255])
    }
}
