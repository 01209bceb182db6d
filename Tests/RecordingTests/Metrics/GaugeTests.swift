import AstrolabePlatform
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct GaugeTests {
    @Test func `a gauge keeps the last value, of either kind`() throws {
        let recorder = Recorder()
        let gauge = recorder.meter.gauge("battery.level", unit: "1")
        gauge.record(0.9)
        gauge.record(.nan)
        gauge.record(0.4)
        gauge.record(7, attributes: ["cell": "b"])
        let metric = try recorder.collectMetrics().only
        let points = metric.numberPoints
        #expect(metric.data == .gauge(points))
        #expect(Set(points.map(\.value)) == [.double(0.4), .int(7)])
        #expect(points.allSatisfy { $0.startTimeUnixNano == 0 && $0.timeUnixNano == recorder.time.now })
    }

    @Test(arguments: AggregationTemporality.allCases)
    func `an observable gauge is asked at each collection, and may have nothing to say`(
        temporality: AggregationTemporality
    ) throws {
        let recorder = Recorder(temporality: temporality)
        let level = Locked<Double?>(0.5)
        recorder.meter.observableGauge("battery.level") { level.withLock { $0 } }
        #expect(try recorder.collectMetrics().only.numberPoints.only.value == .double(0.5))
        level.withLock { $0 = 0.25 }
        #expect(try recorder.collectMetrics().only.numberPoints.only.value == .double(0.25))
        level.withLock { $0 = nil }
        #expect(try recorder.collectMetrics().isEmpty)
        level.withLock { $0 = 0.75 }
        #expect(try recorder.collectMetrics().only.numberPoints.only.value == .double(0.75))
    }

    @Test func `a gauge that the app sets keeps its value where the temporality is cumulative`() throws {
        let recorder = Recorder(temporality: .cumulative)
        recorder.meter.gauge("battery.level").record(0.9)
        for _ in 0..<2 { #expect(try recorder.collectMetrics().only.numberPoints.only.value == .double(0.9)) }
    }
}
