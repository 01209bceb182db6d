import AstrolabeSeededRandomness
import AstrolabeTelemetryModel
import Foundation
import Testing

@testable import AstrolabeRecording

/// The specification's formula.
private func index(_ value: Double, _ scale: Int) -> Int {
    Int(ceil(log2(abs(value)) * exp2(Double(scale)))) - 1
}

private func buckets(_ values: [Double], _ scale: Int) -> ExponentialHistogramPoint.Buckets {
    let indexes = values.map { index($0, scale) }
    guard let first = indexes.min(), let last = indexes.max() else { return .init() }
    var counts = [UInt64](repeating: 0, count: last - first + 1)
    for index in indexes { counts[index - first] += 1 }
    return .init(offset: Int32(first), counts: counts)
}

/// Values of both signs over some orders of magnitude, the same for the same seed.
private func values(_ count: Int, magnitudes: ClosedRange<Double>, seed: UInt64, negative: Bool = true) -> [Double] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
        let value = pow(10, Double.random(in: magnitudes, using: &random))
        return negative && Bool.random(using: &random) ? -value : value
    }
}

@Suite struct ExponentialHistogramTests {
    private func record(_ values: [Double], into recorder: Recorder = Recorder(histograms: .base2Exponential)) throws
        -> ExponentialHistogramPoint
    {
        let histogram = recorder.meter.histogram("latency", unit: "ms")
        for value in values { histogram.record(value) }
        return try recorder.collectMetrics().only.exponentialPoints.only
    }

    @Test(arguments: 0..<20)
    func `count, sum, minimum and maximum are exact, and buckets are those of the formula`(seed: Int) throws {
        let range = Double(seed % 7)
        let values = values(500, magnitudes: -range...range + 0.1, seed: UInt64(seed)) + [0, 0]
        let point = try record(values)
        #expect(point.count == 502 && point.zeroCount == 2)
        #expect(point.sum == values.reduce(0, +))
        #expect(point.min == values.min() && point.max == values.max())
        #expect(point.positive == buckets(values.filter { $0 > 0 }, Int(point.scale)))
        #expect(point.negative == buckets(values.filter { $0 < 0 }, Int(point.scale)))
    }

    @Test(arguments: 0..<20)
    func `the scale is the largest one at which all values fit`(seed: Int) throws {
        let range = Double(seed % 7)
        let values = values(300, magnitudes: -range...range + 0.1, seed: UInt64(seed + 100))
        let point = try record(values)
        func size(_ scale: Int) -> Int {
            max(
                buckets(values.filter { $0 > 0 }, scale).counts.count,
                buckets(values.filter { $0 < 0 }, scale).counts.count)
        }
        #expect(size(Int(point.scale)) <= 160)
        #expect(point.scale == 20 || size(Int(point.scale) + 1) > 160)
    }

    @Test(arguments: [-10, -3, -1, 0, 1, 4, 12, 20])
    func `a bucket contains its values, with the upper bound`(scale: Int) throws {
        let base = exp2(-Double(scale))
        for value in values(2_000, magnitudes: -300...300, seed: 7, negative: false) {
            let found = ExponentialHistogram.index(of: value, scale: scale)
            let exponent = log2(value)
            #expect(Double(found) * base <= exponent + 1e-9 && exponent <= Double(found + 1) * base + 1e-9)
        }
        for exponent in -1_022...1_023 {
            let power = exp2(Double(exponent))
            let found = ExponentialHistogram.index(of: power, scale: scale)
            #expect(found == (scale > 0 ? exponent << scale - 1 : (exponent - 1) >> -scale))
            let next = ExponentialHistogram.index(of: power.nextUp, scale: scale)
            #expect(next == (scale > 0 ? exponent << scale : exponent >> -scale))
        }
    }

    @Test(arguments: [(0.6, 6), (1.3, 5), (2.9, 4), (4.8, 3)])
    func `percentiles are within the relative error of the scale`(magnitudes: Double, scale: Int) throws {
        let values = values(5_000, magnitudes: 0...magnitudes, seed: 3, negative: false)
        let point = try record(values)
        #expect(point.scale == scale)
        let base = exp2(exp2(-Double(point.scale)))
        let sorted = values.sorted()
        for percentile in [0.01, 0.25, 0.5, 0.9, 0.99] {
            let rank = Int(percentile * 5_000)
            var before = 0
            let position = point.positive.counts.firstIndex { count in
                before += Int(count)
                return before > rank
            }
            let lower = pow(base, Double(Int(point.positive.offset) + (try #require(position))))
            let middle = (lower + lower * base) / 2
            #expect(abs(middle - sorted[rank]) / middle <= (base - 1) / (base + 1) + 1e-9)
        }
    }

    @Test func `one value has the largest scale`() throws {
        let point = try record([1.5, 1.5])
        #expect(point.scale == 20 && point.positive.counts == [2])
    }

    @Test func `all finite numbers fit, and subnormal ones count as the smallest normal one`() throws {
        let greatest = Double.greatestFiniteMagnitude
        let point = try record([
            greatest, -greatest, .leastNonzeroMagnitude, -.leastNormalMagnitude, 1, .nan, .infinity,
        ])
        #expect(point.count == 5)
        #expect(point.positive.counts.reduce(0, +) == 3 && point.negative.counts.reduce(0, +) == 2)
        #expect(point.positive.counts.count <= 160 && point.negative.counts.count <= 160)
        #expect(point.positive.offset == Int32(index(.leastNormalMagnitude, Int(point.scale))))
    }

    @Test func `limits hold what is asked for within what is possible`() {
        for (limits, size) in [
            (ExponentialHistogram.Limits(maxSize: 1, maxScale: -40), 2),
            (ExponentialHistogram.Limits(maxSize: 5_000, maxScale: 99), 1_024),
            (ExponentialHistogram.Limits(maxSize: 4, maxScale: 2), 4),
        ] {
            var histogram = ExponentialHistogram(limits)
            #expect(histogram.scale == min(max(limits.maxScale, -10), 20))
            for value in values(1_000, magnitudes: -300...300, seed: 5) { histogram.add(value) }
            #expect(histogram.positive.counts.count <= size && histogram.negative.counts.count <= size)
            #expect((histogram.positive.counts + histogram.negative.counts).reduce(0, +) == 1_000)
        }
    }

    @Test func `a bound histogram and single measurements give one point`() throws {
        let recorder = Recorder(histograms: .base2Exponential)
        let histogram = recorder.meter.histogram("latency", bounds: [10])
        let cell = histogram.bound(to: ["a": 1])
        for value in [0.001, 5, 0] { cell.record(value) }
        for value in [3_000.0, 7] { histogram.record(value, attributes: ["a": 1]) }
        let point = try recorder.collectMetrics().only.exponentialPoints.only
        #expect(point.count == 5 && point.sum == 3_012.001 && point.zeroCount == 1)
        #expect(point.positive == buckets([0.001, 5, 3_000, 7], Int(point.scale)))
        #expect(try recorder.collectMetrics().isEmpty)
        cell.record(1)
        #expect(try recorder.collectMetrics().only.exponentialPoints.only.scale == 20)
    }

    @Test func `delta starts from zero and cumulative does not`() throws {
        for (temporality, counts) in [(AggregationTemporality.delta, [2, 1]), (.cumulative, [2, 3])] {
            let recorder = Recorder(temporality: temporality, histograms: .base2Exponential)
            let first = try record([1, 1e9], into: recorder)
            let second = try record([2], into: recorder)
            #expect([first.count, second.count] == counts.map(UInt64.init))
            #expect(second.scale == (temporality == .delta ? 20 : first.scale))
        }
    }

    @Test func `sets of attributes beyond the limit are counted together`() throws {
        let recorder = Recorder(histograms: .base2Exponential)
        let histogram = recorder.meter.histogram("latency")
        for index in 0..<2_100 { histogram.record(Double(index), attributes: ["index": Int64(index)]) }
        let points = try recorder.collectMetrics().flatMap(\.exponentialPoints)
        #expect(points.count == 2_000)
        #expect(points.first { $0.attributes == ["otel.metric.overflow": true] }?.count == 101)
    }

    @Test func `a metric too large for one record becomes several, with every point once`() throws {
        var limits = RecordLimits()
        limits.recordSize = 4_000
        let recorder = Recorder(limits: limits, histograms: .base2Exponential)
        let histogram = recorder.meter.histogram("latency")
        for index in 0..<200 { histogram.record(Double(index) - 50, attributes: ["index": Int64(index)]) }
        let metrics = try recorder.collectMetrics()
        #expect(metrics.count > 1 && recorder.recordSizes.allSatisfy { $0 <= 4_000 })
        #expect(metrics.flatMap(\.exponentialPoints).compactMap(\.sum).sorted() == (0..<200).map { Double($0) - 50 })
    }
}
