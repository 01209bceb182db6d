import AstrolabeTelemetryModel
import Foundation
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

/// Histograms and summaries as they are read.
@Suite
struct DistributionTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private func distribution(_ data: MetricData.Points) async throws -> Distribution? {
        try await scratch.withStore { store in
            let metric = MetricData(name: "m", data: data)
            try await store.ingest(metrics: ShopFixture.group(ShopFixture.phone, [metric]))
            return try await store.metrics().elements.first?.series.first?.distribution
        }
    }

    /// Builds the point that an SDK would for these values.
    private static func point(_ values: [Double], scale: Int32, time: UInt64, threshold: Double = 0)
        -> ExponentialHistogramPoint
    {
        func buckets(_ magnitudes: [Double]) -> ExponentialHistogramPoint.Buckets {
            // A value that is a bound belongs to the bucket below it.
            let indices = magnitudes.map { Int(ceil(log2($0) * exp2(Double(scale)))) - 1 }
            guard let first = indices.min(), let last = indices.max() else { return .init() }
            var counts = [UInt64](repeating: 0, count: last - first + 1)
            for index in indices { counts[index - first] += 1 }
            return .init(offset: Int32(first), counts: counts)
        }
        return ExponentialHistogramPoint(
            timeUnixNano: time, count: UInt64(values.count), sum: values.reduce(0, +), min: values.min(),
            max: values.max(), scale: scale, zeroCount: UInt64(values.filter { abs($0) <= threshold }.count),
            zeroThreshold: threshold, positive: buckets(values.filter { $0 > threshold }),
            negative: buckets(values.filter { $0 < -threshold }.map(abs)))
    }

    @Test(arguments: [0, 3, 8] as [Int32])
    func `percentiles of an exponential histogram are within a bucket of the truth`(_ scale: Int32) async throws {
        let values = (1...1_000).map(Double.init)
        let found = try #require(
            try await distribution(
                .exponentialHistogram([Self.point(values, scale: scale, time: 1)], temporality: .cumulative)))
        let base = exp2(exp2(-Double(scale)))
        let median = try #require(found.median)
        let p95 = try #require(found.p95)
        #expect(median >= 500 / base && median <= 500 * base)
        #expect(p95 >= 950 / base && p95 <= 950 * base)
        #expect(found.buckets.reduce(0) { $0 + $1.count } == 1_000)
    }

    @Test
    func `points of different scales are added at the smaller one`() async throws {
        let low = Self.point([1.5, 3, 6], scale: 4, time: 1)
        let high = Self.point([12, 24, 48, 96], scale: 0, time: 2)
        let found = try #require(
            try await distribution(.exponentialHistogram([low, high], temporality: .delta)))
        #expect(found.buckets.map(\.from) == [1, 2, 4, 8, 16, 32, 64])
        #expect(found.buckets.map(\.to) == [2, 4, 8, 16, 32, 64, 128])
        #expect(found.buckets.allSatisfy { $0.count == 1 })
    }

    @Test
    func `the last point of a cumulative series counts alone`() async throws {
        let points = [Self.point([2], scale: 0, time: 1), Self.point([2, 2], scale: 0, time: 2)]
        let found = try await distribution(.exponentialHistogram(points, temporality: .cumulative))
        #expect(found?.buckets.map(\.count) == [2])
    }

    @Test
    func `negative buckets and zero stand below the positive ones`() async throws {
        let point = Self.point([-6, -3, -3, 0, 0, 0.01, 1.5], scale: 0, time: 1, threshold: 0.25)
        let found = try #require(try await distribution(.exponentialHistogram([point], temporality: .delta)))
        #expect(found.buckets.map(\.from) == [-8, -4, -0.25, 1])
        #expect(found.buckets.map(\.to) == [-4, -2, 0.25, 2])
        #expect(found.buckets.map(\.count) == [1, 2, 3, 1])
        let median = try #require(found.median)
        #expect(abs(median) <= 0.25)
    }

    @Test
    func `a wider zero bucket takes in the buckets of the other histogram`() async throws {
        let narrow = Self.point([0, 0.3, 3], scale: 0, time: 1)
        let wide = Self.point([0.4, 6], scale: 0, time: 2, threshold: 0.5)
        let found = try #require(try await distribution(.exponentialHistogram([narrow, wide], temporality: .delta)))
        #expect(found.buckets.map(\.from) == [-0.5, 2, 4])
        #expect(found.buckets.map(\.count) == [3, 1, 1])
    }

    @Test
    func `extreme scales, offsets and counts are read`() async throws {
        let points = [
            (Int32.min, Int32.max), (Int32.max, Int32.min), (20, 1 << 30), (-11, -5), (Int32.max, Int32.max),
        ].enumerated().map { index, edges in
            ExponentialHistogramPoint(
                timeUnixNano: UInt64(index), count: .max, sum: .nan, scale: edges.0, zeroCount: .max,
                zeroThreshold: .infinity, positive: .init(offset: edges.1, counts: [.max, 0, .max]),
                negative: .init(offset: edges.1, counts: [1]))
        }
        _ = try await distribution(.exponentialHistogram(points, temporality: .delta))
    }

    @Test
    func `a histogram's percentiles are interpolated within its bounds and extremes`() async throws {
        let point = HistogramPoint(
            timeUnixNano: 1, count: 100, sum: 100, min: 0.5, max: 9, bucketCounts: [50, 0, 45, 5],
            explicitBounds: [1, 2, 4])
        let found = try #require(try await distribution(.histogram([point], temporality: .delta)))
        #expect(found.buckets.map(\.from) == [0.5, 2, 4])
        #expect(found.buckets.map(\.to) == [1, 4, 9])
        #expect(found.median == 1)
        let p95 = try #require(found.p95)
        #expect(abs(p95 - 4) < 1e-9)
    }

    @Test
    func `a summary says what its sender computed`() async throws {
        let point = SummaryPoint(
            timeUnixNano: 1, count: 9, sum: 18,
            quantiles: [.init(quantile: 0.5, value: 1.25), .init(quantile: 0.95, value: 7)])
        let found = try await distribution(.summary([point]))
        #expect(found?.median == 1.25)
        #expect(found?.p95 == 7)
    }

    @Test(arguments: [.max, .min, (1 << 53) + 1, -(1 << 62) - 1] as [Int64])
    func `an integer is kept exactly`(_ number: Int64) async throws {
        try await scratch.withStore { store in
            let metric = MetricData(name: "m", data: .gauge([NumberPoint(timeUnixNano: 1, value: .int(number))]))
            try await store.ingest(metrics: ShopFixture.group(ShopFixture.phone, [metric]))
            #expect(try await store.metrics().elements.first?.series.first?.points.first?.integer == number)
        }
    }
}
