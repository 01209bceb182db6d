import AstrolabeSeededRandomness
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

extension MetricData {
    fileprivate var exemplars: [Exemplar] {
        numberPoints.flatMap(\.exemplars) + histogramPoints.flatMap(\.exemplars)
            + exponentialPoints.flatMap(\.exemplars)
    }
}

@Suite struct ExemplarTests {
    @Test func `trace-based exemplars are measurements inside a sampled span, with its ids`() throws {
        let recorder = Recorder(exemplars: .traceBased)
        let counter = recorder.meter.counter("any")
        counter.add(1)
        #expect(try recorder.collectMetrics().only.exemplars.isEmpty)
        recorder.time.advance(by: 5)
        let context = recorder.tracer.withSpan("work") { span in
            counter.add(2, attributes: ["a": 1])
            return span.context
        }
        let time = recorder.time.now
        recorder.time.advance(by: 7)
        counter.add(3, attributes: ["a": 1])
        let exemplar = try recorder.collectMetrics().only.exemplars.only
        #expect(
            exemplar
                == Exemplar(timeUnixNano: time, value: .int(2), traceID: context.traceID, spanID: context.spanID))
    }

    @Test func `a span that is sampled out gives no exemplar`() throws {
        for sampler in [AlwaysOffSampler(), ParentBasedSampler(root: AlwaysOffSampler())] as [any Sampler] {
            let recorder = Recorder(sampler: sampler, exemplars: .traceBased)
            recorder.tracer.withSpan("work") { _ in recorder.meter.gauge("any").record(1) }
            #expect(try recorder.collectMetrics().only.exemplars.isEmpty)
        }
    }

    @Test func `without a filter there is none`() throws {
        let recorder = Recorder()
        recorder.tracer.withSpan("work") { _ in recorder.meter.histogram("any").record(1) }
        #expect(try recorder.collectMetrics().only.exemplars.isEmpty)
    }

    @Test func `always on takes measurements outside of a span too`() throws {
        let recorder = Recorder(exemplars: .alwaysOn)
        recorder.meter.gauge("any").record(2.5)
        recorder.meter.observableGauge("observed") { 1 }
        let metrics = try recorder.collectMetrics()
        #expect(metrics[0].exemplars == [Exemplar(timeUnixNano: recorder.time.now, value: .double(2.5))])
        #expect(metrics[1].exemplars.isEmpty, "observed values have none")
    }

    @Test func `a histogram with explicit buckets has at most one for each bucket`() throws {
        let recorder = Recorder(exemplars: .alwaysOn)
        let histogram = recorder.meter.histogram("any", bounds: [10, 20, 30])
        for value in 0..<100 { histogram.record(Double(value % 20) + 5) }
        let exemplars = try recorder.collectMetrics().only.exemplars
        let buckets = exemplars.map { exemplar in [10.0, 20, 30].filter { $0 < exemplar.value?.doubleValue ?? 0 }.count
        }
        #expect(buckets == [0, 1, 2])
    }

    @Test func `an exponential histogram has at most 20, and other metrics have one`() throws {
        let recorder = Recorder(
            views: [
                MetricView(instrument: "small", aggregation: .base2Exponential(maxSize: 4)),
                MetricView(instrument: "large", aggregation: .base2Exponential()),
            ], exemplars: .alwaysOn)
        for value in 1...50 {
            recorder.meter.histogram("small").record(Double(value))
            recorder.meter.histogram("large").record(Double(value))
            recorder.meter.counter("sum").add(value)
            recorder.meter.gauge("gauge").record(value)
        }
        let metrics = try recorder.collectMetrics()
        try #require(metrics.map(\.exemplars.count) == [4, 20, 1, 1])
        #expect(Set(metrics[1].exemplars.compactMap(\.value)).count == 20)
    }

    @Test func `attributes that a view leaves out are those of the exemplar`() throws {
        let recorder = Recorder(
            views: [MetricView(attributeKeys: ["kept"], cardinalityLimit: 2)], exemplars: .alwaysOn)
        let counter = recorder.meter.counter("any")
        counter.add(1, attributes: ["kept": 1, "user": "ada"])
        counter.add(1, attributes: ["kept": 2, "user": "bob"])
        let points = try recorder.collectMetrics().only.numberPoints
        #expect(points.map(\.attributes) == [["kept": 1], ["otel.metric.overflow": true]])
        #expect(
            points.flatMap(\.exemplars).map(\.filteredAttributes) == [["user": "ada"], ["kept": 2, "user": "bob"]])
    }

    @Test func `each collection has its own, with either temporality`() throws {
        for temporality in [AggregationTemporality.delta, .cumulative] {
            let recorder = Recorder(temporality: temporality, exemplars: .alwaysOn)
            let histogram = recorder.meter.histogram("any", bounds: [])
            for value in [1.0, 2] {
                histogram.record(value)
                #expect(try recorder.collectMetrics().only.exemplars.map(\.value) == [.double(value)])
            }
            let rest = try recorder.collectMetrics()
            #expect(rest.count == (temporality == .delta ? 0 : 1) && rest.flatMap(\.exemplars).isEmpty)
        }
    }

    @Test func `a metric has at most 1,000, and an exemplar at most 1,024 bytes of attributes`() throws {
        let recorder = Recorder(views: [MetricView(attributeKeys: ["index"])], exemplars: .alwaysOn)
        let counter = recorder.meter.counter("any")
        let large = String(repeating: "x", count: 900)
        for round in 0..<2 {
            for index in 0..<1_500 {
                counter.add(
                    1, attributes: ["index": Int64(index), "a": AttributeValue(large), "b": AttributeValue(large)])
            }
            let exemplars = try recorder.collectMetrics().flatMap(\.exemplars)
            #expect(exemplars.count == 1_000, "round \(round)")
            #expect(exemplars.allSatisfy { $0.filteredAttributes == ["a": AttributeValue(large)] })
        }
    }

    @Test func `a point that is too large for a record with its exemplars is recorded without them`() throws {
        var limits = RecordLimits()
        limits.recordSize = 4_000
        let recorder = Recorder(limits: limits, views: [MetricView(attributeKeys: [])], exemplars: .alwaysOn)
        let histogram = recorder.meter.histogram("any", bounds: [1, 2, 3, 4, 5, 6])
        let text = AttributeValue(String(repeating: "x", count: 900))
        for value in 0..<7 { histogram.record(Double(value), attributes: ["text": text]) }
        let point = try recorder.collectMetrics().only.histogramPoints.only
        #expect(point.count == 7 && point.exemplars.isEmpty)
        #expect(recorder.recordSizes.allSatisfy { $0 <= 4_000 })
    }

    @Test func `every measurement is kept with the same probability`() {
        var random = SeededGenerator(seed: 9)
        var kept = [Int](repeating: 0, count: 100)
        for _ in 0..<2_000 {
            var reservoir = ExemplarReservoir(.exponentialHistogram(.init(), recordsSum: true))
            for index in 0..<100 {
                _ = reservoir.offer(bucket: 0, hasRoom: true, random: random.next()) {
                    Exemplar(timeUnixNano: UInt64(index), value: nil)
                }
            }
            #expect(reservoir.exemplars.count == 20)
            for exemplar in reservoir.exemplars { kept[Int(exemplar.timeUnixNano)] += 1 }
        }
        // 400 are expected. The standard deviation is 18.
        #expect(kept.allSatisfy { (300...500).contains($0) })
    }

    @Test func `threads that measure at once lose nothing`() throws {
        let recorder = Recorder(exemplars: .traceBased)
        let histogram = recorder.meter.histogram("any", bounds: [1, 2, 3])
        onThreads(4) { thread in
            recorder.tracer.withSpan("work") { _ in
                for _ in 0..<1_000 { histogram.record(Double(thread) + 0.5) }
            }
        }
        let point = try recorder.collectMetrics().only.histogramPoints.only
        #expect(point.count == 4_000 && point.exemplars.count == 4)
        #expect(Set(point.exemplars.map(\.spanID)) == Set(try recorder.spans.map(\.context.spanID)))
    }
}
