import AstrolabeTelemetryModel
import Foundation
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

/// A metric over time. One step is ten seconds, from the start of the fixture.
@Suite
struct MetricDetailTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private static func time(_ second: Double) -> UInt64 { ShopFixture.at(UInt64(second * 1_000)) }

    private func detail(
        _ data: MetricData.Points, from: Int = 0, steps: Int = 3, group: String? = nil, groupLimit: Int = 10,
    ) async throws -> MetricDetail? {
        try await scratch.withStore { store in
            let metric = MetricData(name: "m", unit: "s", data: data)
            try await store.ingest(metrics: ShopFixture.group(ShopFixture.phone, [metric]))
            let bounds = (from...from + steps).map { Int64(Self.time(Double($0) * 10)) }
            var query = MetricDetailQuery(
                name: "m", steps: zip(bounds, bounds.dropFirst()).map { $0..<$1 }, group: group)
            query.groupLimit = groupLimit
            return try await store.metricDetail(query)
        }
    }

    private static func point(_ second: Double, _ value: Double, since: Double = 0, _ region: String = "eu")
        -> NumberPoint
    {
        NumberPoint(
            attributes: ["region": region], startTimeUnixNano: time(since), timeUnixNano: time(second),
            value: .double(value))
    }

    @Test
    func `delta points are added in the step of their time`() async throws {
        let points = [Self.point(0, 1), Self.point(9.999, 2), Self.point(10, 4), Self.point(31, 8)]
        let found = try await detail(.sum(points, temporality: .delta, isMonotonic: true))
        let metric = try #require(found)
        #expect(metric.isCounter && metric.unit == "s" && metric.isComplete)
        #expect(metric.groups.map { $0.steps.map(\.sum) } == [[3, 4, 0]])
        #expect(metric.groups[0].total.sum == 7, "the point after the time does not count")
    }

    @Test
    func `a cumulative counter counts by what it grew since the point before the time`() async throws {
        let points = [
            Self.point(5, 100), Self.point(15, 110), Self.point(22, 5), Self.point(25, 30),
            Self.point(24, 7, since: 20),
        ]
        let found = try await detail(.sum(points, temporality: .cumulative, isMonotonic: true), from: 1, steps: 2)
        #expect(
            found?.groups.map { $0.steps.map(\.sum) } == [[10, 5 + 7 + 25]], "a fall and a new start count in full")
    }

    @Test
    func `two processes with the same attributes that send in turns are two runs`() async throws {
        let points = [
            Self.point(1, 8), Self.point(2, 1, since: 1), Self.point(11, 9), Self.point(12, 2, since: 1),
        ]
        let found = try await detail(.sum(points, temporality: .cumulative, isMonotonic: true), from: 1, steps: 1)
        #expect(found?.groups.map(\.total.sum) == [2])
    }

    @Test
    func `a gauge has the mean and the extremes of its points`() async throws {
        let points = [Self.point(1, 2), Self.point(2, 6), Self.point(21, -1)]
        let groups = try #require(try await detail(.gauge(points))?.groups)
        #expect(groups[0].steps.map(\.points) == [2, 0, 1])
        #expect(groups[0].steps.map(\.sum) == [8, 0, -1])
        #expect(groups[0].steps.map(\.least) == [2, nil, -1] && groups[0].steps.map(\.most) == [6, nil, -1])
    }

    @Test
    func `series are grouped by an attribute, the smallest of them together`() async throws {
        let points = [
            Self.point(1, 1, "eu"), Self.point(1, 5, "us"), Self.point(1, 2, "jp"), Self.point(2, 1, "br"),
        ]
        let data = MetricData.Points.sum(points, temporality: .delta, isMonotonic: true)
        let metric = try #require(try await detail(data, group: "region", groupLimit: 2))
        #expect(metric.groups.map(\.key) == ["us", "jp", nil])
        #expect(metric.groups.map(\.isOther) == [false, false, true])
        #expect(metric.groups.map(\.total.sum) == [5, 2, 2])
        #expect(metric.keys == ["region"] && metric.seriesCount == 4)
    }

    private static func histogram(_ second: Double, _ counts: [UInt64], region: String = "eu") -> HistogramPoint {
        HistogramPoint(
            attributes: ["region": region], startTimeUnixNano: time(0), timeUnixNano: time(second),
            count: counts.reduce(0, +), sum: 1, bucketCounts: counts, explicitBounds: [1, 2, 4])
    }

    @Test
    func `percentiles of a cumulative histogram are those of the measurements in the time`() async throws {
        // Before the time, all measurements are small; in it, all are between 2 and 4.
        let points = [Self.histogram(5, [1_000, 0, 0, 0]), Self.histogram(15, [1_000, 0, 100, 0])]
        let found = try await detail(.histogram(points, temporality: .cumulative), from: 1, steps: 1)
        let sum = try #require(found?.groups.first?.total)
        #expect(sum.count == 100)
        #expect(sum.buckets == [Distribution.Bucket(from: 2, to: 4, count: 100)])
        let median = try #require(sum.quantile(0.5))
        #expect(median > 2 && median < 4)
    }

    @Test
    func `histograms of several series are merged`() async throws {
        let points = [Self.histogram(1, [0, 9, 0, 0]), Self.histogram(2, [0, 0, 0, 1], region: "us")]
        let found = try await detail(.histogram(points, temporality: .delta))
        let sum = try #require(found?.groups.first?.total)
        #expect(sum.count == 10)
        let median = try #require(sum.quantile(0.5))
        #expect(median <= 2)
        #expect(sum.quantile(0.99) == 4, "the last bucket has no bound but its lower one")
    }

    @Test
    func `a cumulative exponential histogram is differenced across scales`() async throws {
        func point(_ second: Double, scale: Int32, offset: Int32, _ counts: [UInt64]) -> ExponentialHistogramPoint {
            ExponentialHistogramPoint(
                startTimeUnixNano: Self.time(0), timeUnixNano: Self.time(second), count: counts.reduce(0, +),
                scale: scale,
                positive: .init(offset: offset, counts: counts))
        }
        // At scale 1, four buckets from 1 to 4; at scale 0 these are two, and one more up to 8.
        let points = [point(5, scale: 1, offset: 0, [1, 2, 3, 4]), point(15, scale: 0, offset: 0, [3, 9, 5])]
        let found = try await detail(.exponentialHistogram(points, temporality: .cumulative), from: 1, steps: 1)
        #expect(
            found?.groups.first?.total.buckets == [
                Distribution.Bucket(from: 2, to: 4, count: 2), Distribution.Bucket(from: 4, to: 8, count: 5),
            ])
    }

    @Test
    func `an unknown metric is nil, and a known one without points in the time has no groups`() async throws {
        let found = try await detail(.gauge([Self.point(1, 2)]), from: 5)
        #expect(found?.groups == [])
        try await scratch.withStore { store in
            let unknown = try await store.metricDetail(MetricDetailQuery(name: "other", steps: [0..<1]))
            #expect(unknown == nil)
        }
    }
}
