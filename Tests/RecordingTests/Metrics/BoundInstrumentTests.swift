import AstrolabeSeededRandomness
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct BoundInstrumentTests {
    private static let attributes: Attributes = ["b": 2, "a": "x"]
    private static let reordered: Attributes = ["a": "x", "b": 2]

    @Test func `bound instruments and single measurements with the same attributes give one point`() throws {
        let recorder = Recorder()
        let counter = recorder.meter.counter("counter")
        let level = recorder.meter.upDownCounter("level")
        let histogram = recorder.meter.histogram("histogram", bounds: [10])
        let gauge = recorder.meter.gauge("gauge")
        let bound = (
            counter.bound(to: Self.attributes), level.bound(to: Self.attributes),
            histogram.bound(to: Self.attributes), gauge.bound(to: Self.attributes),
        )
        counter.add(1, attributes: Self.reordered)
        bound.0.add(2)
        counter.bound(to: Self.reordered).add(3.5)
        level.add(1, attributes: Self.reordered)
        bound.1.add(-3)
        bound.1.add(0.5)
        histogram.record(7, attributes: Self.reordered)
        bound.2.record(20)
        gauge.record(7, attributes: Self.reordered)
        bound.3.record(8.5)
        bound.3.record(9)
        let metrics = try recorder.collectMetrics()
        try #require(metrics.map(\.name) == ["counter", "level", "histogram", "gauge"])
        #expect(try metrics[0].numberPoints.only.value == .double(6.5))
        #expect(try metrics[1].numberPoints.only.value == .double(-1.5))
        #expect(try metrics[2].histogramPoints.only.bucketCounts == [1, 1])
        #expect(try metrics[2].histogramPoints.only.sum == 27)
        #expect(try metrics[3].numberPoints.only.value == .int(9))
        #expect(try metrics[0].numberPoints.only.attributes == Self.reordered)
    }

    @Test func `bound instruments ignore what others ignore`() throws {
        let recorder = Recorder()
        let counter = recorder.meter.counter("counter").bound(to: [:])
        counter.add(-1)
        for value in [-0.5, .nan, .infinity] { counter.add(value) }
        recorder.meter.upDownCounter("level").bound(to: [:]).add(.nan)
        recorder.meter.histogram("histogram").bound(to: [:]).record(.infinity)
        recorder.meter.gauge("gauge").bound(to: [:]).record(.nan)
        #expect(try recorder.collectMetrics().isEmpty)
    }

    @Test func `those of a disabled meter, and of an instrument that is dropped, measure nothing`() throws {
        let recorder = Recorder(views: [MetricView(aggregation: .drop)])
        for meter in [Meter.disabled, recorder.meter] {
            meter.counter("counter").bound(to: ["a": 1]).add(1)
            meter.upDownCounter("level").bound(to: ["a": 1]).add(1)
            meter.histogram("histogram").bound(to: ["a": 1]).record(1)
            meter.gauge("gauge").bound(to: ["a": 1]).record(1)
        }
        #expect(try recorder.collectMetrics().isEmpty)
    }

    @Test func `attributes are redacted and limited once, as those of a measurement`() throws {
        var limits = RecordLimits()
        limits.attributeCount = 2
        let recorder = Recorder(limits: limits)
        let counter = recorder.meter.counter("any")
        let attributes: Attributes = ["of ada@example.com": 1, "password": "hunter2", "beyond": true]
        counter.bound(to: attributes).add(1)
        counter.add(1, attributes: attributes)
        let point = try recorder.sumPoints().only
        #expect(point.value == .int(2) && point.attributes.count == 2)
        #expect(point.attributes["password"] == "REDACTED" && point.attributes["beyond"] == nil)
    }

    @Test(arguments: AggregationTemporality.allCases)
    func `a bound counter goes on over collections, idle ones too`(temporality: AggregationTemporality) throws {
        let recorder = Recorder(temporality: temporality)
        let counter = recorder.meter.counter("any")
        let bound = counter.bound(to: ["a": 1])
        #expect(try recorder.collectMetrics().isEmpty)
        var values: [MetricNumber] = []
        for round in 1...3 {
            bound.add(round)
            counter.add(10, attributes: ["a": 1])
            values += try recorder.sumPoints().map(\.value)
            let idle = try recorder.collectMetrics()
            #expect(idle.isEmpty == (temporality == .delta))
        }
        #expect(values == (temporality == .delta ? [.int(11), .int(12), .int(13)] : [.int(11), .int(23), .int(36)]))
    }

    @Test func `a set of attributes counts towards the limit while it is bound, and no longer`() throws {
        let recorder = Recorder(views: [MetricView(cardinalityLimit: 3)])
        let counter = recorder.meter.counter("any")
        func names() throws -> [AttributeValue?] { try recorder.sumPoints().map { $0.attributes["a"] } }
        var bound: [Meter.BoundCounter] = [counter.bound(to: ["a": 1]), counter.bound(to: ["a": 2])]
        counter.add(1, attributes: ["a": 3])
        #expect(try names() == [nil], "beyond the limit")
        bound[0].add(1)
        bound.removeAll()
        #expect(try names() == [1], "measured before it was released")
        for name in [3, 4] { counter.add(1, attributes: ["a": AttributeValue(name)]) }
        #expect(try names() == [3, 4])
    }

    @Test func `one that is bound beyond the limit measures into the overflow`() throws {
        let recorder = Recorder(views: [MetricView(cardinalityLimit: 2)])
        let counter = recorder.meter.counter("any")
        let (first, second) = (counter.bound(to: ["a": 1]), counter.bound(to: ["a": 2]))
        for _ in 0..<2 {
            first.add(1)
            second.add(5)
            counter.add(1, attributes: ["a": 3])
            let points = try recorder.sumPoints()
            #expect(points.map(\.value) == [.int(1), .int(6)])
            #expect(points.last?.attributes == ["otel.metric.overflow": true])
        }
    }

    @Test func `each view that matches has a cell, with the attributes and the aggregation of the view`() throws {
        let recorder = Recorder(views: [
            MetricView(name: "count", attributeKeys: [], aggregation: .sum),
            MetricView(name: "last", aggregation: .lastValue),
            MetricView(name: "exponential", aggregation: .base2Exponential()),
            MetricView(name: "buckets", aggregation: .explicitBuckets([10])),
        ])
        let histogram = recorder.meter.histogram("latency")
        let bound = [histogram.bound(to: ["a": 1]), histogram.bound(to: ["a": 2])]
        for (index, value) in [3.0, 20, 5].enumerated() { bound[index % 2].record(value) }
        let metrics = try recorder.collectMetrics()
        try #require(metrics.map(\.name) == ["count", "last", "exponential", "buckets"])
        #expect(try metrics[0].numberPoints.only.value == .double(28))
        #expect(metrics[1].numberPoints.map(\.value) == [.double(5), .double(20)])
        #expect(metrics[2].exponentialPoints.map(\.count) == [2, 1])
        #expect(metrics[3].histogramPoints.map(\.bucketCounts) == [[2, 0], [0, 1]])
    }

    @Test func `exemplars have the span of the measurement and what a view leaves out`() throws {
        let recorder = Recorder(views: [MetricView(attributeKeys: ["kept"])], exemplars: .traceBased)
        let bound = recorder.meter.counter("any").bound(to: ["kept": 1, "user": "ada"])
        bound.add(1)
        let context = recorder.tracer.withSpan("work") { span in
            bound.add(2)
            return span.context
        }
        let point = try recorder.sumPoints().only
        #expect(point.value == .int(3) && point.attributes == ["kept": 1])
        let exemplar = try point.exemplars.only
        #expect(exemplar.traceID == context.traceID && exemplar.spanID == context.spanID)
        #expect(exemplar.value == .int(2) && exemplar.filteredAttributes == ["user": "ada"])
        bound.add(1)
        #expect(try recorder.sumPoints().only.exemplars.isEmpty)
    }

    @Test func `a random run of bound and unbound measurements is that of a plain model`() throws {
        var random = SeededGenerator(seed: 20_261_127)
        for temporality in AggregationTemporality.allCases {
            let recorder = Recorder(temporality: temporality)
            let counter = recorder.meter.counter("any")
            var bound: [Int: Meter.BoundCounter] = [:]
            var model: [Int: Int] = [:]
            for _ in 0..<2_000 {
                let (set, value) = (Int.random(in: 0..<8, using: &random), Int.random(in: 0..<5, using: &random))
                let attributes: Attributes = ["set": AttributeValue(set)]
                switch Int.random(in: 0..<20, using: &random) {
                case 0: bound[set] = nil
                case 1: bound[set] = counter.bound(to: attributes)
                case 2:
                    let found = try recorder.collectMetrics().flatMap(\.numberPoints).map { point in
                        (Int(point.attributes["set"]?.intValue ?? -1), point.value)
                    }
                    let expected = model.mapValues { MetricNumber.int(Int64($0)) }
                    #expect(Dictionary(uniqueKeysWithValues: found) == expected)
                    if temporality == .delta { model = [:] }
                default:
                    if let bound = bound[set] { bound.add(value) } else { counter.add(value, attributes: attributes) }
                    model[set, default: 0] += value
                }
            }
        }
    }
}

/// Threads that measure at once, and what the user's consent does to them.
@Suite struct BoundInstrumentThreadTests {
    @Test(arguments: AggregationTemporality.allCases)
    func `threads that measure at once lose nothing, over collections too`(temporality: AggregationTemporality) throws {
        let recorder = Recorder(temporality: temporality)
        let counter = recorder.meter.counter("counter")
        let histogram = recorder.meter.histogram("histogram", bounds: [1, 2, 3])
        let bound = (counter.bound(to: ["a": 1]), histogram.bound(to: ["a": 1]))
        onThreads(4) { thread in
            for index in 0..<2_000 {
                bound.0.add(1)
                bound.1.record(Double(thread) + 0.5)
                counter.add(1, attributes: ["a": 1])
                histogram.record(Double(thread) + 0.5, attributes: ["a": 1])
                if index % 500 == 0 { recorder.registry.collect() }
            }
        }
        recorder.registry.collect()
        let metrics = try recorder.allMetrics
        let numbers = metrics.flatMap(\.numberPoints).map(\.value.doubleValue)
        let points = metrics.flatMap(\.histogramPoints)
        for point in points {
            #expect(point.bucketCounts.reduce(0, +) == point.count)
            var sum = 0.0
            for (bucket, count) in point.bucketCounts.enumerated() { sum += Double(count) * (Double(bucket) + 0.5) }
            #expect(point.sum == sum, "no measurement is counted in a part of a point alone")
        }
        switch temporality {
        case .delta:
            #expect(numbers.reduce(0, +) == 16_000 && points.reduce(0) { $0 + $1.count } == 16_000)
        case .cumulative:
            #expect(numbers.max() == 16_000 && points.map(\.count).max() == 16_000)
        }
    }

    @Test func `nothing of before a refusal or of during one is measured after a consent`() throws {
        let recorder = Recorder(temporality: .cumulative)
        let counter = recorder.meter.counter("any")
        let bound = counter.bound(to: ["a": 1])
        bound.add(1)
        recorder.core.refuse()
        bound.add(10)
        recorder.registry.beginPeriod()
        bound.add(100)
        let refused = counter.bound(to: ["a": 2])
        refused.add(1_000)
        #expect(try recorder.collectMetrics().isEmpty)
        recorder.core.permit()
        bound.add(10_000)
        recorder.registry.beginPeriod()
        #expect(try recorder.collectMetrics().isEmpty)
        bound.add(2)
        refused.add(3)
        #expect(try recorder.sumPoints().map(\.value) == [.int(2), .int(3)])
    }

    @Test func `threads that measure while the user refuses and agrees leave nothing behind`() throws {
        let recorder = Recorder(temporality: .cumulative)
        let bound = recorder.meter.counter("any").bound(to: ["a": 1])
        onThreads(3) { thread in
            if thread > 0 {
                for _ in 0..<5_000 { bound.add(1) }
            } else {
                for _ in 0..<50 {
                    recorder.core.refuse()
                    recorder.registry.beginPeriod()
                    recorder.core.permit()
                    recorder.registry.beginPeriod()
                }
            }
        }
        recorder.core.refuse()
        recorder.registry.beginPeriod()
        recorder.core.permit()
        recorder.registry.beginPeriod()
        #expect(try recorder.collectMetrics().isEmpty)
        bound.add(1)
        #expect(try recorder.sumPoints().only.value == .int(1))
    }
}
