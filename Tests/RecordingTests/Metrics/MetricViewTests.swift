import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Testing

@testable import AstrolabeRecording

@Suite struct MetricViewTests {
    private func numbers(_ recorder: Recorder) throws -> [String: [Double]] {
        Dictionary(
            try recorder.collectMetrics().map { ($0.name, $0.numberPoints.map(\.value.doubleValue)) },
            uniquingKeysWith: +)
    }

    @Test func `an instrument that no view matches makes its usual metric`() throws {
        let recorder = Recorder(views: [
            MetricView(instrument: "other", name: "renamed"), MetricView(kind: .gauge, aggregation: .drop),
            MetricView(unit: "s", aggregation: .drop), MetricView(meter: "other", aggregation: .drop),
            MetricView(meterVersion: "2", aggregation: .drop),
        ])
        recorder.meter.counter("any", unit: "By", description: "What it counts.").add(2, attributes: ["a": 1])
        let metric = try recorder.collectMetrics().only
        #expect(metric.name == "any" && metric.unit == "By" && metric.description == "What it counts.")
        #expect(try metric.numberPoints.only.attributes == ["a": 1])
    }

    @Test(arguments: [
        MetricView(instrument: "demo.cart.items"), MetricView(instrument: "DEMO.cart.Items"),
        MetricView(instrument: "*"), MetricView(instrument: "demo.*"), MetricView(instrument: "*.items"),
        MetricView(instrument: "demo.c?rt.*m*"), MetricView(kind: .counter), MetricView(unit: "{item}"),
        MetricView(meter: "test"), MetricView(meterVersion: "1"), MetricView(meterSchemaURL: "https://example.com/1"),
        MetricView(),
        MetricView(instrument: "demo*", kind: .counter, unit: "{item}", meter: "test", meterVersion: "1"),
    ])
    func `selects an instrument by all that it says`(selector: MetricView) throws {
        var view = selector
        view.name = "renamed"
        view.description = "Another description."
        let recorder = Recorder(views: [view])
        recorder.meter.counter("demo.cart.items", unit: "{item}").add(1)
        let metric = try recorder.collectMetrics().only
        #expect(metric.name == "renamed" && metric.description == "Another description." && metric.unit == "{item}")
    }

    @Test(arguments: [
        MetricView(instrument: "demo.cart"), MetricView(instrument: "demo.cart.item?s"), MetricView(instrument: ""),
        MetricView(instrument: "?"), MetricView(kind: .upDownCounter), MetricView(kind: .observableCounter),
        MetricView(unit: ""), MetricView(meter: "tes"), MetricView(meterVersion: ""),
        MetricView(meterSchemaURL: ""), MetricView(meterSchemaURL: "https://example.com/2"),
        MetricView(instrument: "demo*", kind: .counter, unit: "s"),
    ])
    func `does not select an instrument that differs in one thing`(selector: MetricView) throws {
        var view = selector
        view.aggregation = .drop
        let recorder = Recorder(views: [view])
        recorder.meter.counter("demo.cart.items", unit: "{item}").add(1)
        #expect(try recorder.collectMetrics().count == 1)
    }

    @Test func `an app may use its instruments while the SDK reports what was redacted in a view's name`() {
        let told = Locked<[String]>([])
        let meter = Locked<Meter?>(nil)
        let redactor = Redactor { line in
            told.withLock { $0.append(line) }
            meter.withLock { $0 }?.counter("told").add(1)
        }
        let core = RecordingCore(sink: MemorySink(), sampler: AlwaysOnSampler(), redactor: redactor)
        let registry = MetricRegistry(core: core, views: [MetricView(instrument: "any", name: "ada@example.com")])
        let made = Meter(registry: registry, scope: InstrumentationScope(name: "test"))
        meter.withLock { $0 = made }
        made.counter("any").add(1)
        #expect(told.withLock { $0.count } == 1)
        meter.withLock { $0 = nil }
    }

    @Test func `every kind of instrument can be selected`() throws {
        let kinds: [(MetricView.InstrumentKind, String)] = [
            (.counter, "counter"), (.upDownCounter, "up-down"), (.histogram, "histogram"), (.gauge, "gauge"),
            (.observableCounter, "observed counter"), (.observableUpDownCounter, "observed up-down"),
            (.observableGauge, "observed gauge"),
        ]
        for (kind, name) in kinds {
            let recorder = Recorder(views: [MetricView(kind: kind), MetricView(aggregation: .drop)])
            let meter = recorder.meter
            meter.counter("counter").add(1)
            meter.upDownCounter("up-down").add(1)
            meter.histogram("histogram").record(1)
            meter.gauge("gauge").record(1)
            meter.observableCounter("observed counter") { $0.observe(1) }
            meter.observableUpDownCounter("observed up-down") { $0.observe(1) }
            meter.observableGauge("observed gauge") { 1 }
            #expect(try recorder.collectMetrics().map(\.name) == [name])
        }
    }

    @Test func `an instrument that is dropped measures nothing, and is not asked`() throws {
        let recorder = Recorder(views: [MetricView(aggregation: .drop)])
        recorder.meter.counter("any").add(1)
        recorder.meter.histogram("distribution").bound(to: [:]).record(1)
        recorder.meter.observableGauge("observed") {
            Issue.record("asked")
            return 1
        }
        #expect(try recorder.collectMetrics().isEmpty)
    }

    @Test func `attributes that are not kept are left out, and their measurements are one point`() throws {
        let recorder = Recorder(views: [
            MetricView(instrument: "kept", attributeKeys: ["a", "http.*"]),
            MetricView(instrument: "excluded", excludedAttributeKeys: ["user*"]),
            MetricView(instrument: "both", attributeKeys: ["*"], excludedAttributeKeys: ["user.id"]),
            MetricView(instrument: "none", attributeKeys: []),
        ])
        for (name, kept) in [
            ("kept", ["a": 1, "http.method": "GET"] as Attributes), ("excluded", ["a": 1, "http.method": "GET"]),
            ("both", ["a": 1, "http.method": "GET"]), ("none", [:]),
        ] {
            let counter = recorder.meter.counter(name)
            for user in 0..<10 { counter.add(1, attributes: ["user.id": Int64(user), "http.method": "GET", "a": 1]) }
            let point = try recorder.collectMetrics().only.numberPoints.only
            #expect(point.attributes == kept && point.value == .int(10))
        }
    }

    @Test func `observed totals of attributes that are not kept are added up`() throws {
        for (temporality, expected) in [(AggregationTemporality.delta, [6, 3]), (.cumulative, [6, 9])] {
            let recorder = Recorder(temporality: temporality, views: [MetricView(attributeKeys: ["mode"])])
            let round = Locked(0)
            recorder.meter.observableCounter("cpu") { observer in
                let more = round.withLock { $0 }
                observer.observe(99, attributes: ["mode": "user", "core": 0])
                observer.observe(1 + more, attributes: ["mode": "user", "core": 0])
                observer.observe(2 + more, attributes: ["mode": "user", "core": 1])
                observer.observe(3 + more, attributes: ["mode": "user", "core": 2])
            }
            var sums: [Double] = []
            for _ in 0..<2 {
                let point = try recorder.collectMetrics().only.numberPoints.only
                #expect(point.attributes == ["mode": "user"])
                sums.append(point.value.doubleValue)
                round.withLock { $0 += 1 }
            }
            #expect(sums == expected.map(Double.init))
        }
    }

    @Test func `aggregations other than the usual one`() throws {
        let recorder = Recorder(views: [
            MetricView(instrument: "sum", aggregation: .sum), MetricView(instrument: "last", aggregation: .lastValue),
            MetricView(instrument: "explicit", aggregation: .explicitBuckets([10, 1, .nan, 1])),
            MetricView(instrument: "exponential", aggregation: .base2Exponential(maxSize: 4, maxScale: 1)),
            MetricView(instrument: "default", aggregation: .default),
        ])
        func record(_ name: String) throws -> MetricData.Points {
            let histogram = recorder.meter.histogram(name, bounds: [5])
            for value in [1, 100, -7, 4.0] { histogram.record(value) }
            return try recorder.collectMetrics().only.data
        }
        guard case .sum(let sums, .delta, true) = try record("sum") else { throw ExpectedOne(count: 0) }
        #expect(try sums.only.value == .double(105))
        guard case .gauge(let last) = try record("last") else { throw ExpectedOne(count: 0) }
        #expect(try last.only.value == .double(4))
        guard case .histogram(let explicit, _) = try record("explicit") else { throw ExpectedOne(count: 0) }
        #expect(try explicit.only.explicitBounds == [1, 10])
        #expect(try explicit.only.bucketCounts == [2, 1, 1])
        #expect(try explicit.only.sum == 98)
        guard case .exponentialHistogram(let exponential, .delta) = try record("exponential") else {
            throw ExpectedOne(count: 0)
        }
        #expect(try exponential.only.scale == -2 && exponential.only.positive.counts == [1, 1, 1])
        guard case .histogram(let usual, _) = try record("default") else { throw ExpectedOne(count: 0) }
        #expect(try usual.only.explicitBounds == [5])
    }

    @Test func `a histogram of an up-down counter is cumulative and has no sum, that of a counter has one`() throws {
        let recorder = Recorder(views: [MetricView(aggregation: .explicitBuckets([0]))])
        recorder.meter.upDownCounter("size").add(-3)
        recorder.meter.counter("bytes").add(3)
        recorder.meter.gauge("level").record(3)
        let metrics = try recorder.collectMetrics()
        #expect(metrics.map { $0.histogramPoints.map(\.sum) } == [[nil], [3], [nil]])
        guard case .histogram(_, let first) = metrics[0].data, case .histogram(_, let second) = metrics[1].data else {
            throw ExpectedOne(count: 0)
        }
        #expect(first == .cumulative && second == .delta)
    }

    @Test func `each view that matches makes a metric`() throws {
        let recorder = Recorder(views: [
            MetricView(instrument: "latency", name: "latency.count", attributeKeys: [], aggregation: .sum),
            MetricView(instrument: "lat*", name: "latency.exponential", aggregation: .base2Exponential()),
            MetricView(instrument: "latency", aggregation: .drop),
        ])
        let histogram = recorder.meter.histogram("latency")
        histogram.record(2, attributes: ["a": 1])
        histogram.bound(to: ["a": 2]).record(3)
        let metrics = try recorder.collectMetrics()
        try #require(metrics.map(\.name) == ["latency.count", "latency.exponential"])
        #expect(try metrics[0].numberPoints.only.value == .double(5))
        #expect(metrics[1].exponentialPoints.map(\.sum) == [2, 3])
    }

    @Test func `metrics of one name are both recorded, with one warning`() throws {
        let lines = Locked<[String]>([])
        let recorder = Recorder(
            views: [
                MetricView(instrument: "a", aggregation: .sum), MetricView(instrument: "*", attributeKeys: []),
                MetricView(instrument: "b", name: "A"),
            ], onDiagnostic: { line in lines.withLock { $0.append(line) } })
        recorder.meter.counter("a").add(1)
        recorder.meter.counter("b").add(2)
        recorder.meter.counter("c").add(3)
        #expect(try recorder.collectMetrics().map(\.name) == ["a", "a", "b", "A", "c"])
        #expect(
            lines.withLock { $0 } == [
                "Two metrics of the meter \"test\" have the name \"a\". Expected one. Give one of them another name with a "
                    + "view. Both are recorded."
            ])
    }

    @Test func `a view that an observable instrument cannot follow is ignored, with one warning`() throws {
        let lines = Locked<[String]>([])
        let recorder = Recorder(
            views: [MetricView(name: "renamed", aggregation: .base2Exponential())],
            onDiagnostic: { line in lines.withLock { $0.append(line) } })
        recorder.meter.observableGauge("level") { 4 }
        recorder.meter.observableCounter("total") { $0.observe(5) }
        #expect(try numbers(recorder) == ["level": [4], "total": [5]])
        #expect(lines.withLock { $0 }.count == 1)
        #expect(lines.withLock { $0 }.first?.contains("\"level\", which cannot be a histogram") == true)
    }

    @Test(arguments: [(3, 3), (1, 1), (-5, 1), (50_000, 2_600)])
    func `the limit on sets of attributes is that of the view, after the filter`(limit: Int, points: Int) throws {
        let recorder = Recorder(views: [
            MetricView(excludedAttributeKeys: ["user"], cardinalityLimit: limit)
        ])
        let counter = recorder.meter.counter("any")
        for index in 0..<5_200 { counter.add(1, attributes: ["index": Int64(index / 2), "user": Int64(index)]) }
        let found = try recorder.collectMetrics().flatMap(\.numberPoints)
        #expect(found.count == points)
        #expect(found.reduce(0) { $0 + $1.value.doubleValue } == 5_200)
        let overflow = found.filter { $0.attributes == ["otel.metric.overflow": true] }
        #expect(overflow.map(\.value.doubleValue) == (points == 2_600 ? [] : [Double(5_200 - 2 * (points - 1))]))
    }

    @Test func `observed totals beyond the limit are added up`() throws {
        let recorder = Recorder(views: [MetricView(cardinalityLimit: 3)])
        recorder.meter.observableUpDownCounter("any") { observer in
            for index in 0..<10 { observer.observe(1, attributes: ["index": Int64(index)]) }
        }
        for _ in 0..<2 {
            let points = try recorder.collectMetrics().only.numberPoints
            #expect(points.map(\.value.doubleValue) == [1, 1, 8])
        }
    }

    @Test func `an observed gauge as a sum adds up its values`() throws {
        let recorder = Recorder(views: [MetricView(attributeKeys: [], aggregation: .sum)])
        recorder.meter.observableGauge("queue") { observer in
            observer.observe(2, attributes: ["queue": "a"])
            observer.observe(-3, attributes: ["queue": "b"])
        }
        for _ in 0..<2 {
            let metric = try recorder.collectMetrics().only
            #expect(metric.data == .sum(metric.numberPoints, temporality: .cumulative, isMonotonic: false))
            #expect(try metric.numberPoints.only.value == .int(-1))
        }
    }

    @Test func `names of views are redacted like those of instruments`() throws {
        let recorder = Recorder(views: [MetricView(name: "of ada@example.com", description: "ada@example.com")])
        recorder.meter.counter("any").add(1)
        let metric = try recorder.collectMetrics().only
        #expect(!metric.name.contains("ada@") && !metric.description.contains("ada@"))
    }

    @Test func `a pattern of many wildcards does not take long`() {
        let pattern = NamePattern(String(repeating: "*a", count: 200) + "b")
        #expect(!pattern.matches(String(repeating: "a", count: 2_000)))
        #expect(NamePattern("a**?").matches("ab") && !NamePattern("a?").matches("a") && NamePattern("").matches(""))
    }
}
