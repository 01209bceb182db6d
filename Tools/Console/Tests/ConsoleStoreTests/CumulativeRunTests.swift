import AstrolabeTelemetryModel
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

/// The increase by the points of a cumulative counter: the same in its total, over time, and in queries.
@Suite
struct CumulativeRunTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Points by time. Times and starts are in seconds since the fixture's start; an unknown start is `nil`.
        let points: [(time: Double, value: Double, start: Double?)]
        let growth: [Double]

        init(_ description: String, _ points: [(Double, Double, Double?)], growth: [Double]) {
            testDescription = description
            self.points = points.map { (time: $0.0, value: $0.1, start: $0.2) }
            self.growth = growth
        }
    }

    static let cases = [
        Case("one process", [(1, 3, 0), (2, 10, 0), (3, 10, 0)], growth: [3, 7, 0]),
        Case("a value that falls", [(1, 8, 0), (2, 2, 0), (3, 5, 0)], growth: [8, 2, 3]),
        Case("a new start", [(1, 8, 0), (4, 9, 3), (5, 12, 3)], growth: [8, 9, 3]),
        Case(
            "two processes that send in turns", [(2, 100, 0), (3, 110, 1), (4, 200, 0), (5, 220, 1)],
            growth: [100, 110, 100, 110]),
        Case(
            "a start that moves with each point", [(1, 10, 0), (2, 20, 0.001), (3, 30, 0.002)], growth: [10, 10, 10]),
        Case("a start that moves to and fro", [(1, 10, 0.001), (2, 20, 0), (3, 30, 0.001)], growth: [10, 10, 10]),
        Case(
            "a process that is older than its first point", [(7_200, 1_000_000, 0), (7_260, 1_000_010, 0)],
            growth: [0, 10]),
        Case("an unknown start", [(1, 8, nil), (2, 10, nil), (3, 11, nil)], growth: [0, 2, 1]),
    ]

    @Test(arguments: cases)
    func `a point adds what its process has counted since the point before`(_ example: Case) async throws {
        func time(_ second: Double) -> UInt64 { ShopFixture.at(UInt64((second * 1_000).rounded())) }
        let points = example.points.map { point in
            NumberPoint(
                startTimeUnixNano: point.start.map(time) ?? 0, timeUnixNano: time(point.time),
                value: .double(point.value))
        }
        let metric = MetricData(name: "m", data: .sum(points, temporality: .cumulative, isMonotonic: true))
        let sum = example.growth.reduce(0, +)
        let scratch = try Scratch()
        try await scratch.withStore { store in
            try await store.ingest(metrics: ShopFixture.group(ShopFixture.backend, [metric]))
            let records = try await store.points(arrivedIn: 1...Int64.max, limit: 100).records
            #expect(records.compactMap(\.value) == example.growth)
            #expect(try await store.metrics().elements.first?.total?.value == sum)
            let steps = [Int64(ShopFixture.at(0))..<Int64(ShopFixture.at(10_000_000))]
            let detail = try await store.metricDetail(MetricDetailQuery(name: "m", steps: steps))
            #expect(detail?.groups.first?.total.sum == sum)
        }
    }

    @Test
    func `a total says from when on it counts`() async throws {
        let scratch = try Scratch()
        func point(_ minute: UInt64, _ value: Int64, since: UInt64) -> NumberPoint {
            NumberPoint(
                attributes: ["since": Int64(since)], startTimeUnixNano: ShopFixture.at(since * 60_000),
                timeUnixNano: ShopFixture.at(minute * 60_000), value: .int(value))
        }
        let points = [
            point(300, 50, since: 0), point(301, 55, since: 0), point(310, 3, since: 305), point(311, 4, since: 305),
        ]
        let metric = MetricData(name: "m", data: .sum(points, temporality: .cumulative, isMonotonic: true))
        try await scratch.withStore { store in
            try await store.ingest(metrics: ShopFixture.group(ShopFixture.backend, [metric]))
            let overview = try #require(try await store.metrics().elements.first)
            #expect(overview.total?.integer == 9)
            #expect(overview.total?.fromUnixNano == ShopFixture.at(300 * 60_000))
            let totals = overview.series.compactMap(\.total)
            #expect(Set(totals.map(\.fromUnixNano)) == [ShopFixture.at(300 * 60_000), ShopFixture.at(305 * 60_000)])
        }
    }
}
