import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct SumTests {
    @Test func `a counter adds up, a point for each set of attributes`() throws {
        let recorder = Recorder()
        let counter = recorder.meter.counter(
            "demo.cart.items.added", unit: "{item}", description: "Items put in a cart.")
        counter.add(1, attributes: ["demo.product.id": "A"])
        counter.add(2, attributes: ["demo.product.id": "A"])
        counter.add(5)
        recorder.time.advance(by: 1_000)

        let metric = try recorder.collectMetrics().only
        #expect(metric.name == "demo.cart.items.added")
        #expect(metric.unit == "{item}")
        #expect(metric.description == "Items put in a cart.")
        let points = metric.numberPoints
        #expect(metric.data == .sum(points, temporality: .delta, isMonotonic: true))
        #expect(Set(points.map(\.value)) == [.int(3), .int(5)])
        #expect(points.allSatisfy { $0.timeUnixNano - $0.startTimeUnixNano == 1_000 })
        #expect(points.first { $0.value == .int(3) }?.attributes == ["demo.product.id": "A"])
    }

    @Test func `the order of attributes does not matter`() throws {
        let recorder = Recorder()
        let counter = recorder.meter.counter("any")
        counter.add(1, attributes: ["a": 1, "b": "x"])
        counter.add(1, attributes: ["b": "x", "a": 1])
        #expect(try recorder.sumPoints().only.value == .int(2))
    }

    @Test func `counters ignore what would lower them and what is no number`() throws {
        let recorder = Recorder()
        let counter = recorder.meter.counter("any")
        counter.add(-1)
        counter.add(-0.5)
        counter.add(.nan)
        counter.add(.infinity)
        #expect(try recorder.collectMetrics().isEmpty)
        counter.add(0)
        counter.add(1.5)
        counter.add(2)
        #expect(try recorder.sumPoints().only.value == .double(3.5))
    }

    @Test func `integers stay exact until they would overflow`() throws {
        let recorder = Recorder(temporality: .cumulative)
        let counter = recorder.meter.counter("any")
        counter.add(Int.max - 1)
        counter.add(1)
        #expect(try recorder.sumPoints().only.value == .int(.max))
        counter.add(1)
        #expect(try recorder.sumPoints().only.value == .double(0x1p63))
    }

    @Test func `delta starts anew at each collection`() throws {
        let recorder = Recorder(temporality: .delta)
        let counter = recorder.meter.counter("any")
        counter.add(1)
        let first = try recorder.sumPoints().only
        #expect(try recorder.collectMetrics().isEmpty)
        recorder.time.advance(by: 10)
        counter.add(2)
        recorder.time.advance(by: 10)
        let third = try recorder.sumPoints().only
        #expect(first.value == .int(1) && third.value == .int(2))
        #expect(third.startTimeUnixNano == first.timeUnixNano)
        #expect(third.timeUnixNano == first.timeUnixNano + 20)
    }

    @Test func `cumulative counts from the start`() throws {
        let recorder = Recorder(temporality: .cumulative)
        let counter = recorder.meter.counter("any")
        counter.add(1)
        recorder.time.advance(by: 10)
        let first = try recorder.sumPoints().only
        counter.add(2)
        recorder.time.advance(by: 10)
        let second = try recorder.sumPoints().only
        #expect(first.value == .int(1) && second.value == .int(3))
        #expect(second.startTimeUnixNano == first.startTimeUnixNano)
        #expect(second.timeUnixNano == first.timeUnixNano + 10)
    }

    @Test func `an up-down counter is cumulative whatever is preferred, and goes below zero`() throws {
        let recorder = Recorder(temporality: .delta)
        let counter = recorder.meter.upDownCounter("queue.size")
        counter.add(3)
        counter.add(-5)
        _ = try recorder.collectMetrics()
        counter.add(-1)
        let metric = try recorder.collectMetrics().only
        #expect(metric.data == .sum(metric.numberPoints, temporality: .cumulative, isMonotonic: false))
        #expect(try metric.numberPoints.only.value == .int(-3))
    }

    @Test func `sets of attributes beyond the limit are counted together, and nothing is lost`() throws {
        let recorder = Recorder()
        let counter = recorder.meter.counter("any")
        for index in 0..<2_500 { counter.add(1, attributes: ["index": Int64(index)]) }
        counter.add(1, attributes: ["index": 0])
        let points = try recorder.sumPoints()
        #expect(points.count == 2_000)
        #expect(points.first { $0.attributes == ["otel.metric.overflow": true] }?.value == .int(501))
        #expect(points.first { $0.attributes == ["index": 0] }?.value == .int(2))
        #expect(points.reduce(0) { $0 + $1.value.doubleValue } == 2_501)
    }

    @Test func `a metric too large for one record becomes several, with every point once`() throws {
        var limits = RecordLimits()
        limits.recordSize = 10_000
        let recorder = Recorder(limits: limits)
        let counter = recorder.meter.counter("any", unit: "By")
        for index in 0..<1_000 { counter.add(index, attributes: ["a.rather.long.key": "value \(index)"]) }
        let metrics = try recorder.collectMetrics()
        #expect(metrics.count > 1)
        #expect(recorder.recordSizes.allSatisfy { $0 <= 10_000 })
        #expect(metrics.allSatisfy { $0.name == "any" && $0.unit == "By" })
        #expect(metrics.flatMap(\.numberPoints).map(\.value.doubleValue).sorted() == (0..<1_000).map(Double.init))
    }

    @Test func `threads that add at once lose nothing, over collections too`() throws {
        let recorder = Recorder(temporality: .delta)
        let counter = recorder.meter.counter("any")
        onThreads(4) { thread in
            for index in 0..<2_000 {
                counter.add(1, attributes: ["thread": Int64(thread)])
                if index % 500 == 0 { recorder.registry.collect() }
            }
        }
        recorder.registry.collect()
        #expect(try recorder.allMetrics.flatMap(\.numberPoints).reduce(0) { $0 + $1.value.doubleValue } == 8_000)
    }
}

extension Recorder {
    /// Collects, and returns the points of the only metric, a sum.
    func sumPoints() throws -> [NumberPoint] {
        try collectMetrics().only.numberPoints
    }
}
