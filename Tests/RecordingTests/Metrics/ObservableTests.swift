import AstrolabePlatform
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct ObservableTests {
    private func values(_ metrics: [MetricData]) throws -> [Attributes: MetricNumber] {
        let points = try metrics.only.numberPoints
        return Dictionary(uniqueKeysWithValues: points.map { ($0.attributes, $0.value) })
    }

    private func kind(of metric: MetricData) -> (temporality: AggregationTemporality?, isMonotonic: Bool)? {
        if case .sum(_, let temporality, let isMonotonic) = metric.data { (temporality, isMonotonic) } else { nil }
    }

    @Test func `a counter reports what was added to its totals since the last collection`() throws {
        let recorder = Recorder()
        let totals = Locked<[String: Int]>(["user": 10, "system": 4])
        recorder.meter.observableCounter("cpu.time", unit: "s") { observer in
            for (mode, total) in totals.withLock({ $0 }) { observer.observe(total, attributes: ["mode": mode]) }
        }
        let first = try recorder.collectMetrics()
        #expect(try values(first) == [["mode": "user"]: .int(10), ["mode": "system"]: .int(4)])
        let sum = try kind(of: first.only)
        #expect(sum?.temporality == .delta && sum?.isMonotonic == true)
        recorder.time.advance(by: 60)
        totals.withLock { $0 = ["user": 15] }
        let second = try recorder.collectMetrics()
        #expect(try values(second) == [["mode": "user"]: .int(5)], "what is not observed is not reported")
        let point = try second.only.numberPoints.only
        #expect(point.timeUnixNano - point.startTimeUnixNano == 60)
        totals.withLock { $0 = ["user": 3, "system": 6] }
        #expect(
            try values(recorder.collectMetrics()) == [["mode": "user"]: .int(3), ["mode": "system"]: .int(2)],
            "a smaller total has started again, and one that was missing goes on")
    }

    @Test func `a counter reports no total that has not changed`() throws {
        let recorder = Recorder()
        let totals = Locked<[String: Int]>(["user": 10, "system": 0])
        recorder.meter.observableCounter("cpu.time") { observer in
            for (mode, total) in totals.withLock({ $0 }) { observer.observe(total, attributes: ["mode": mode]) }
        }
        #expect(try values(recorder.collectMetrics()) == [["mode": "user"]: .int(10), ["mode": "system"]: .int(0)])
        #expect(try recorder.collectMetrics().isEmpty)
        totals.withLock { $0["system"] = 2 }
        #expect(try values(recorder.collectMetrics()) == [["mode": "system"]: .int(2)])
    }

    @Test func `a counter reports its totals where the temporality is cumulative, and no negative ones`() throws {
        let recorder = Recorder(temporality: .cumulative)
        let total = Locked(2.5)
        recorder.meter.observableCounter("cpu.time") { $0.observe(total.withLock { $0 }) }
        #expect(try recorder.collectMetrics().only.numberPoints.only.value == .double(2.5))
        total.withLock { $0 = 4 }
        #expect(try recorder.collectMetrics().only.numberPoints.only.value == .double(4))
        total.withLock { $0 = -1 }
        #expect(try recorder.collectMetrics().isEmpty)
    }

    @Test func `an up-down counter reports its totals, which may be negative`() throws {
        let recorder = Recorder()
        let total = Locked(7)
        let observation = recorder.meter.observableUpDownCounter("queue.length") { $0.observe(total.withLock { $0 }) }
        #expect(try recorder.collectMetrics().only.numberPoints.only.value == .int(7))
        total.withLock { $0 = -3 }
        let metric = try recorder.collectMetrics().only
        #expect(metric.numberPoints.map(\.value) == [.int(-3)])
        let sum = kind(of: metric)
        #expect(sum?.temporality == .cumulative && sum?.isMonotonic == false)
        observation.cancel()
        #expect(try recorder.collectMetrics().isEmpty)
    }

    @Test func `a gauge has a value for each set of attributes, and callbacks share an instrument`() throws {
        let recorder = Recorder()
        recorder.meter.observableGauge("temperature") { observer in
            observer.observe(20.5, attributes: ["room": "a"])
            observer.observe(1, attributes: ["room": "b"])
            observer.observe(21, attributes: ["room": "b"])
            observer.observe(.nan, attributes: ["room": "d"])
        }
        recorder.meter.observableGauge("temperature") { $0.observe(18, attributes: ["room": "c"]) }
        #expect(
            try values(recorder.collectMetrics())
                == [["room": "a"]: .double(20.5), ["room": "b"]: .int(21), ["room": "c"]: .int(18)])
    }
}
