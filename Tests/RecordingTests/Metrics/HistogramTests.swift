import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct HistogramTests {
    private func points(_ recorder: Recorder) throws -> [HistogramPoint] {
        try recorder.collectMetrics().only.histogramPoints
    }

    @Test func `values fall into buckets whose upper bounds count with them`() throws {
        let recorder = Recorder()
        let histogram = recorder.meter.histogram("latency", unit: "ms", bounds: [10, 100])
        for value in [-5, 0, 10, 10.1, 100, 100.5, 1_000] { histogram.record(value) }
        let point = try points(recorder).only
        #expect(point.explicitBounds == [10, 100])
        #expect(point.bucketCounts == [3, 2, 2])
        #expect(point.count == 7)
        #expect(point.sum == 1_215.6)
        #expect(point.min == -5 && point.max == 1_000)
    }

    @Test func `a bound histogram and single measurements give one point`() throws {
        let recorder = Recorder()
        let histogram = recorder.meter.histogram("latency", bounds: [10])
        let cell = histogram.bound(to: ["b": 2, "a": 1])
        cell.record(5)
        cell.record(.nan)
        histogram.bound(to: ["a": 1, "b": 2]).record(20)
        histogram.record(7, attributes: ["a": 1, "b": 2])
        let point = try points(recorder).only
        #expect(point.bucketCounts == [2, 1])
        #expect(point.count == 3 && point.sum == 32 && point.min == 5 && point.max == 20)
        #expect(try recorder.collectMetrics().isEmpty)
        cell.record(1)
        #expect(try points(recorder).only.count == 1)
    }

    @Test func `the default bounds are the specification's`() throws {
        let recorder = Recorder()
        recorder.meter.histogram("latency").record(1)
        #expect(
            try points(recorder).only.explicitBounds
                == [0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000])
    }

    @Test func `bounds are put in order, and what OTLP does not allow is left out`() throws {
        let recorder = Recorder()
        recorder.meter.histogram("any", bounds: [5, 1, 5, .infinity, -.infinity, .nan, 3]).record(4)
        let point = try points(recorder).only
        #expect(point.explicitBounds == [1, 3, 5])
        #expect(point.bucketCounts == [0, 0, 1, 0])
    }

    @Test func `without bounds there is one bucket`() throws {
        let recorder = Recorder()
        recorder.meter.histogram("any", bounds: []).record(4)
        let point = try points(recorder).only
        #expect(point.explicitBounds.isEmpty)
        #expect(point.bucketCounts == [1])
    }

    @Test func `what is no number is ignored`() throws {
        let recorder = Recorder()
        let histogram = recorder.meter.histogram("any")
        histogram.record(.nan)
        histogram.record(.infinity)
        #expect(try recorder.collectMetrics().isEmpty)
    }

    @Test func `delta starts anew and cumulative does not`() throws {
        for (temporality, counts) in [(AggregationTemporality.delta, [1, 2]), (.cumulative, [1, 3])] {
            let recorder = Recorder(temporality: temporality)
            let histogram = recorder.meter.histogram("any", bounds: [1])
            histogram.record(0)
            let first = try points(recorder).only
            histogram.record(2)
            histogram.record(3)
            let second = try points(recorder).only
            #expect([first.count, second.count] == counts.map(UInt64.init))
            #expect(second.min == (temporality == .delta ? 2 : 0))
        }
    }

    @Test func `threads that record at once lose nothing`() throws {
        let recorder = Recorder()
        let histogram = recorder.meter.histogram("any", bounds: [1, 2, 3])
        onThreads(4) { thread in
            for _ in 0..<1_000 { histogram.record(Double(thread) + 0.5) }
        }
        let point = try points(recorder).only
        #expect(point.bucketCounts == [1_000, 1_000, 1_000, 1_000])
        #expect(point.sum == 8_000)
    }
}
