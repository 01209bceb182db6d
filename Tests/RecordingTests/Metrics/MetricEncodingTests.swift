import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

/// Metrics written by the SDK and read with the console's decoder.
@Suite struct MetricEncodingTests {
    private static let exemplars = [
        Exemplar(
            filteredAttributes: ["user": "ada", "tries": 3], timeUnixNano: 17, value: .double(0.25),
            traceID: TraceID(high: 1, low: 2), spanID: SpanID(3)),
        Exemplar(timeUnixNano: 18, value: .int(-7)),
        Exemplar(timeUnixNano: 19, value: nil),
    ]

    private func expectSame(_ data: MetricData.Points) throws {
        let recorder = Recorder()
        let metric = MetricData(name: "any", description: "What it is.", unit: "s", data: data)
        recorder.core.record(metric, scope: InstrumentationScope(name: "test"))
        #expect(try recorder.allMetrics == [metric])
    }

    @Test func `an exponential histogram keeps every field`() throws {
        let full = ExponentialHistogramPoint(
            attributes: ["a": "b", "c": 1], startTimeUnixNano: 5, timeUnixNano: 6, count: 1 << 40, sum: -1.5, min: -3,
            max: 70_000, scale: -3, zeroCount: 9, zeroThreshold: 0.125,
            positive: .init(offset: -1_000_000, counts: [1, 0, 127, 128, 1 << 40]),
            negative: .init(offset: 1 << 30, counts: [0, 5]), exemplars: Self.exemplars)
        let least = ExponentialHistogramPoint(timeUnixNano: 1, count: 0, scale: 0)
        let extreme = ExponentialHistogramPoint(
            timeUnixNano: 1, count: .max, scale: .min, positive: .init(offset: .min, counts: [.max]),
            negative: .init(offset: .max, counts: []))
        for temporality in [AggregationTemporality.delta, .cumulative, nil] {
            try expectSame(.exponentialHistogram([full, least, extreme], temporality: temporality))
        }
        try expectSame(.exponentialHistogram([], temporality: .delta))
    }

    @Test func `exemplars of other points are written too`() throws {
        let number = NumberPoint(
            attributes: ["a": 1], startTimeUnixNano: 4, timeUnixNano: 5, value: .int(6), exemplars: Self.exemplars)
        try expectSame(.sum([number], temporality: .delta, isMonotonic: true))
        try expectSame(.gauge([number]))
        let histogram = HistogramPoint(
            attributes: ["a": 1], startTimeUnixNano: 4, timeUnixNano: 5, count: 2, sum: 3, min: 1, max: 2,
            bucketCounts: [1, 1], explicitBounds: [1], exemplars: Self.exemplars)
        try expectSame(.histogram([histogram], temporality: .cumulative))
    }
}
