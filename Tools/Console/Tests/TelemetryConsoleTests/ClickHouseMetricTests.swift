import AstrolabeSeededRandomness
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import ClickHouse
import ClickHouseFixture
import ConsoleModel
import ConsoleStore
import Foundation
import TelemetryQuery
import Testing

@testable import TelemetryConsole

/// The same points in both stores are the same metrics.
@Suite(.enabled(if: ClickHouseServer.command != nil, "\(ClickHouseServer.isMissing)"), .timeLimit(.minutes(10)))
struct ClickHouseMetricTests {
    private static let start: UInt64 = 1_800_000_000_000_000_000
    private static let minute: UInt64 = 60_000_000_000

    /// The same answer from a SQLite store and from ClickHouse.
    private static func answers<Answer: Sendable>(
        of metrics: [ResourceGroup<MetricData>], _ ask: (any TelemetryStore) async throws -> Answer,
    ) async throws -> [Answer] {
        let folder = TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        var configuration = StoreConfiguration(path: folder.path + "/console.sqlite")
        configuration.now = { start + 600 * minute }
        defer { withExtendedLifetime(folder) {} }
        return try await ClickHouseDatabase.run { client in
            let stores: [any TelemetryStore] = [
                try await SQLiteStore(configuration), try await ClickHouseStore(client.configuration, configuration),
            ]
            var answers: [Answer] = []
            for store in stores {
                try await store.ingest(metrics: metrics)
                answers.append(try await ask(store))
                await store.close()
            }
            return answers
        }
    }

    /// Points of every kind and temporality in several series, by time. A series begins again now and then.
    private static func metrics(seed: UInt64) -> [ResourceGroup<MetricData>] {
        var random = SeededGenerator(seed: seed)
        var groups: [ResourceGroup<MetricData>] = []
        var totals: [String: (start: UInt64, value: Int64, buckets: [UInt64])] = [:]
        for step in 0..<40 as Range<UInt64> {
            for (index, region) in ["eu", "us", "eu", "asia"].enumerated() {
                let host = "h\(index)"
                let resource = Resource(attributes: ["service.name": "shop", "host.name": host])
                let time = start + step * minute + UInt64(index)
                let attributes: Attributes = ["region": region]
                var run = totals[host] ?? (start - minute, 0, [0, 0, 0])
                if Int.random(in: 0..<10, using: &random) == 0 { run = (time - 1, 0, [0, 0, 0]) }
                let grown = Int64.random(in: 0...9, using: &random)
                let counts = (0..<3).map { _ in UInt64.random(in: 0...5, using: &random) }
                run = (run.start, run.value + grown, zip(run.buckets, counts).map { $0 + $1 })
                totals[host] = run
                func number(_ value: Int64, since: UInt64) -> NumberPoint {
                    NumberPoint(
                        attributes: attributes, startTimeUnixNano: since, timeUnixNano: time, value: .int(value))
                }
                func histogram(_ counts: [UInt64], since: UInt64) -> HistogramPoint {
                    HistogramPoint(
                        attributes: attributes, startTimeUnixNano: since, timeUnixNano: time,
                        count: counts.reduce(0, +), sum: Double(counts.reduce(0, +)) * 2, min: 1, max: 12,
                        bucketCounts: counts, explicitBounds: [2, 8])
                }
                func exponential(_ counts: [UInt64], since: UInt64) -> ExponentialHistogramPoint {
                    ExponentialHistogramPoint(
                        attributes: attributes, startTimeUnixNano: since, timeUnixNano: time,
                        count: counts.reduce(0, +) + 1, sum: 3, min: 0.5, max: 8, scale: 1, zeroCount: 1,
                        positive: ExponentialHistogramPoint.Buckets(offset: -1, counts: counts))
                }
                let records = [
                    MetricData(name: "gauge", unit: "By", data: .gauge([number(grown, since: 0)])),
                    MetricData(
                        name: "delta",
                        data: .sum([number(grown, since: time - 1)], temporality: .delta, isMonotonic: true)),
                    MetricData(
                        name: "cumulative", description: "a counter",
                        data: .sum(
                            [number(run.value, since: run.start)], temporality: .cumulative, isMonotonic: true)),
                    MetricData(
                        name: "level",
                        data: .sum([number(grown - 4, since: start)], temporality: .cumulative, isMonotonic: false)),
                    MetricData(
                        name: "histogram",
                        data: .histogram([histogram(counts, since: time - 1)], temporality: .delta)),
                    MetricData(
                        name: "running",
                        data: .histogram([histogram(run.buckets, since: run.start)], temporality: .cumulative)),
                    MetricData(
                        name: "exponential",
                        data: .exponentialHistogram([exponential(counts, since: time - 1)], temporality: .delta)),
                    MetricData(
                        name: "summary",
                        data: .summary([
                            SummaryPoint(
                                attributes: attributes, timeUnixNano: time, count: 4, sum: Double(grown),
                                quantiles: [
                                    SummaryPoint.Quantile(quantile: 0.5, value: Double(grown)),
                                    SummaryPoint.Quantile(quantile: 0.95, value: Double(grown) * 2),
                                ])
                        ])),
                ]
                groups.append(
                    ResourceGroup(
                        resource: resource,
                        scopes: [ScopeGroup(scope: InstrumentationScope(name: "tests"), records: records)]))
            }
        }
        return groups
    }

    private static let names = [
        "gauge", "delta", "cumulative", "level", "histogram", "running", "exponential", "summary",
    ]

    /// The chart of a group.
    private struct Chart: Equatable {
        let key: AttributeValue?
        let isOther: Bool
        let sums: [String]
    }

    private static func charts(_ detail: MetricDetail) -> [Chart] {
        func text(_ sum: MetricSum) -> String {
            let buckets = sum.buckets.map { "\($0.from)-\($0.to): \($0.count)" }
            // A gauge's mean counts its points; what is added up needs only to know that there are some.
            let points = detail.kind == .gauge || detail.kind == .summary ? sum.points : min(sum.points, 1)
            return "\(points) points, \(sum.count), \(sum.sum), \(sum.least ?? -1), \(sum.most ?? -1) \(buckets)"
        }
        return detail.groups.map { Chart(key: $0.key, isOther: $0.isOther, sums: ($0.steps + [$0.total]).map(text)) }
    }

    /// The groups of a metric's points: each way for one metric or another, and all for all if thorough.
    private static var groupings: [(name: String, group: String?)] {
        let groups = ["region", "host.name", "none"]
        var groupings: [(name: String, group: String?)] = []
        for (index, name) in names.enumerated() {
            groupings.append((name: name, group: nil))
            for (number, group) in groups.enumerated() where Thoroughness.isThorough || number == index % groups.count {
                groupings.append((name: name, group: group))
            }
        }
        return groupings
    }

    @Test(arguments: Array((1...3 as ClosedRange<UInt64>).prefix(Thoroughness.count(1, thorough: 3))))
    func `a metric over time is the same, of all kinds and by any attribute`(seed: UInt64) async throws {
        let start = Int64(Self.start)
        let minute = Int64(Self.minute)
        // Begins and ends among the points.
        let steps = (0..<9).map { start + (5 + $0 * 3) * minute..<start + (8 + $0 * 3) * minute }
        let answers = try await Self.answers(of: Self.metrics(seed: seed)) { store in
            var details: [String: MetricDetail] = [:]
            for (name, group) in Self.groupings {
                var query = MetricDetailQuery(name: name, steps: steps, group: group)
                query.groupLimit = 2
                details["\(name) by \(group ?? "nothing")"] = try await store.metricDetail(query)
            }
            return details
        }
        for (question, expected) in answers[0].sorted(by: { $0.key < $1.key }) {
            let found = try #require(answers[1][question], "\(question)")
            #expect(Self.charts(found) == Self.charts(expected), "\(question)")
            #expect(found.keys == expected.keys, "\(question)")
            #expect(found.seriesCount == expected.seriesCount, "\(question)")
            #expect(found.kind == expected.kind && found.isCounter == expected.isCounter, "\(question)")
            #expect(found.isComplete, "\(question)")
        }
        #expect(answers[0].count == Self.groupings.count)
    }

    /// The line of a series in the list.
    private struct Line: Hashable {
        let attributes: String
        let host: AttributeValue?
        let values: [Double?]
        let counts: [Int?]
        let times: [UInt64]
        let distribution: Distribution?
        let total: MetricTotal?
        let scope: String?
    }

    private static func lines(_ overview: MetricOverview) -> Set<Line> {
        Set(
            overview.series.map { series in
                Line(
                    attributes: series.attributesText, host: series.origin.attributes["host.name"],
                    values: series.points.map(\.value), counts: series.points.map(\.count),
                    times: series.points.map(\.timeUnixNano), distribution: series.distribution, total: series.total,
                    scope: series.scope?.name)
            })
    }

    @Test func `the list of metrics is the same, with the totals of points that it does not show`() async throws {
        let answers = try await Self.answers(of: Self.metrics(seed: 4)) { store in
            var query = MetricQuery()
            query.pointLimit = 7
            let all = try await store.metrics(query).elements
            query.seriesLimit = 2
            let few = try await store.metrics(query).elements
            query.limit = 3
            var paged: [String] = []
            repeat {
                let page = try await store.metrics(query)
                paged += page.elements.map(\.name)
                query.cursor = page.next
            } while query.cursor != nil
            return (all: all, few: few, paged: paged)
        }
        let (expected, found) = (answers[0], answers[1])
        #expect(found.all.map(\.name) == Self.names.sorted())
        for (found, expected) in zip(found.all, expected.all) {
            #expect(found.name == expected.name)
            #expect(found.kind == expected.kind && found.unit == expected.unit)
            #expect(found.description == expected.description)
            #expect(found.total == expected.total, "\(found.name)")
            #expect(Self.lines(found) == Self.lines(expected), "\(found.name)")
            #expect(!found.isTruncated)
        }
        #expect(found.few.allSatisfy { $0.isTruncated && $0.series.count == 2 })
        #expect(found.few.map(\.total) == expected.few.map(\.total))
        #expect(found.paged == Self.names.sorted())
    }

    private static let queries = [
        "count, sum(value) of metrics by name", "count, sum(value), max(value) of metrics by name, region",
        "sum(count), sum(sum), min(min), max(max) of metrics by name where kind contains istogram",
        "avg(p50), max(p95) of metrics by name, host.name where p50 exists",
        "rate(value) of metrics by region where name = cumulative",
        "p90(value), count_distinct(region) of metrics by unit, kind",
        "count of metrics where value < 0 by name", "heatmap(value) of metrics where name = gauge",
        "sum(value) of metrics by name having count > 50",
        "count of metrics where unit = By or count > 3 by service.name",
    ]

    @Test func `queries of points have the same results`() async throws {
        let minute = Self.minute
        let range = TimeRange.between(from: Int64(Self.start + 5 * minute), to: Int64(Self.start + 33 * minute))
        let answers = try await Self.answers(of: Self.metrics(seed: 9)) { store in
            var results: [QueryResult] = []
            for text in Self.queries {
                var query = try Query(text: text)
                query.time = range
                query.granularity = .fixed(nanoseconds: Int64(7 * minute))
                results.append(try await QuerySource(store).answer(query).result)
            }
            return results
        }
        for (text, (expected, found)) in zip(Self.queries, zip(answers[0], answers[1])) {
            #expect(!expected.rows.isEmpty, "\(text)")
            #expect(found.matchedRecords == expected.matchedRecords, "\(text)")
            #expect(found.rows.map(\.key) == expected.rows.map(\.key), "\(text)")
            for (row, other) in zip(found.rows, expected.rows) {
                for (values, others) in zip(
                    [row.values.totals] + row.values.series, [other.values.totals] + other.values.series)
                {
                    for (value, other) in zip(values, others) {
                        #expect(Self.isSame(value, other, within: text.hasPrefix("p") ? 0.008 : 1e-9), "\(text)")
                    }
                }
            }
        }
    }

    /// Engines add decimals in another order. A percentile is that of a bin.
    private static func isSame(_ value: ResultValue, _ other: ResultValue, within share: Double) -> Bool {
        guard let one = value.number, let two = other.number else { return value == other }
        return abs(one - two) <= share * max(1, abs(two))
    }
}
