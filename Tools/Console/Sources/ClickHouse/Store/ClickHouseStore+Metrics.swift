import AstrolabeSemantics
import AstrolabeTelemetryModel
package import ConsoleModel
import ConsoleStore

/// The list of metrics.
extension ClickHouseStore {
    /// The largest number of metrics of one page.
    private static let metricLimit = 200

    private struct Metric: Sendable, Hashable {
        let place: MetricCursor
        /// The number of points that the page shows.
        let points: Int

        func isSame(as other: MetricOverview) -> Bool {
            (place.name, place.unit, place.kind) == (other.name, other.unit, Int64(other.kind.rawValue))
        }
    }

    /// Returns metrics, ordered by name.
    ///
    /// A page has fewer metrics than its limit if they have more points than one page may read.
    package func metrics(_ query: MetricQuery) async throws(StoreError) -> Page<MetricOverview> {
        let limit = min(max(query.limit, 1), Self.metricLimit)
        let found = try await metricsFound(query, limit: limit + 1)
        var shown: [Metric] = []
        var points = 0
        for metric in found.prefix(limit) {
            points += metric.points
            if points > Self.recordLimit, !shown.isEmpty { break }
            shown.append(metric)
        }
        var inPage = MetricQuery()
        (inPage.seriesLimit, inPage.pointLimit) = (query.seriesLimit, query.pointLimit)
        let (asked, metrics) = (inPage, shown)
        let statements = PointRows.tables.compactMap { kind, table in
            let names = metrics.filter { $0.place.kind == Int64(kind.rawValue) }.map(\.place)
            return names.isEmpty ? nil : Self.latestPoints(of: names, in: table, query)
        }
        let overviews = try await excerpt(points: statements) { try await $0.metrics(asked).elements }
        let totals = try await totals(of: metrics.map(\.place).filter { $0.kind == MetricKind.sum.rawValue }, query)
        return Page(
            elements: overviews.filter { overview in metrics.contains { $0.isSame(as: overview) } }
                .map { totals.added(to: $0) },
            next: shown.count < found.count ? shown.last?.place.text : nil, isComplete: true, cursor: cursorOfNow)
    }

    /// A condition on points, `true` for all.
    private static func condition(_ query: MetricQuery, in statement: inout Statement) -> String {
        query.session.map { "\(RecordSource.session(attributes: "Attributes")) = \(statement.bind($0))" } ?? "true"
    }

    private static func pointLimit(_ query: MetricQuery) -> Int { min(max(query.pointLimit, 1), 1_000) }

    /// One more than is shown, so that the page knows of more.
    private static func seriesLimit(_ query: MetricQuery) -> Int { min(max(query.seriesLimit, 1), 200) + 1 }

    private func metricsFound(_ query: MetricQuery, limit: Int) async throws(StoreError) -> [Metric] {
        var statement = Statement()
        let condition = Self.condition(query, in: &statement)
        let (points, series) = (Self.pointLimit(query), Self.seriesLimit(query))
        let tables = PointRows.tables.map { kind, table in
            """
            SELECT MetricName AS name, MetricUnit AS unit, toInt64(\(kind.rawValue)) AS kind, \
            least(sum(least(points, \(points))), \(points * series)) AS shown FROM \
            (SELECT MetricName, MetricUnit, count() AS points FROM \(table.rawValue) WHERE \(condition) \
            GROUP BY MetricName, MetricUnit, \(PointRows(table: table).series)) GROUP BY name, unit
            """
        }
        var place = "true"
        if let cursor = MetricCursor(query.cursor) {
            let (name, unit) = (statement.bind(cursor.name), statement.bind(cursor.unit))
            place = "(name, unit, kind) > (\(name), \(unit), \(statement.bind(cursor.kind)))"
        }
        statement.text = """
            SELECT name, unit, kind, toUInt64(shown) FROM (\(tables.joined(separator: " UNION ALL "))) WHERE \(place) \
            ORDER BY name, unit, kind LIMIT \(limit)
            """
        let asked = statement
        return try await asking {
            try await self.client.rows(asked) { reader in
                Metric(
                    place: MetricCursor(
                        name: try reader.string(), unit: try reader.string(), kind: try reader.integer()),
                    points: Int(clamping: try reader.integer(UInt64.self)))
            }
        }
    }

    private static func isOne(of names: [MetricCursor], in statement: inout Statement) -> String {
        let names = names.map { "(\(statement.bind($0.name)), \(statement.bind($0.unit)))" }
        return "(MetricName, MetricUnit) IN (\(names.joined(separator: ", ")))"
    }

    /// The series of each metric that changed last.
    private static func latestSeries(_ rows: PointRows, where condition: String, _ query: MetricQuery) -> String {
        """
        SELECT MetricName, MetricUnit, \(rows.series) AS series FROM \(rows.table.rawValue) WHERE \(condition) \
        GROUP BY MetricName, MetricUnit, series ORDER BY max(TimeUnix) DESC \
        LIMIT \(seriesLimit(query)) BY MetricName, MetricUnit
        """
    }

    /// The latest points of the series that changed last.
    private static func latestPoints(
        of names: [MetricCursor], in table: OTelTable, _ query: MetricQuery,
    ) -> PointStatement {
        var asked = PointStatement(table: table)
        let rows = PointRows(table: table)
        let condition = "\(condition(query, in: &asked.statement)) AND \(isOne(of: names, in: &asked.statement))"
        asked.statement.text = """
            SELECT \(rows.columns) FROM \(table.rawValue) WHERE \(condition) AND (MetricName, MetricUnit, \(rows.series)) \
            IN (SELECT * FROM (\(latestSeries(rows, where: condition, query)))) \
            ORDER BY TimeUnix DESC LIMIT \(pointLimit(query)) BY MetricName, MetricUnit, \(rows.series)
            """
        return asked
    }

    /// Sums all points of counters: see ``MetricTotal`` for the rules.
    private func totals(of names: [MetricCursor], _ query: MetricQuery) async throws(StoreError) -> MetricTotals {
        guard !names.isEmpty else { return MetricTotals() }
        let rows = PointRows(table: .sums)
        var statement = Statement()
        let condition = "\(Self.condition(query, in: &statement)) AND \(Self.isOne(of: names, in: &statement))"
        let isLatest = "\(rows.isCumulative) AND NOT IsMonotonic"
        let ofSeries = """
            SELECT MetricName, MetricUnit, series, any(ResourceAttributes) AS resource, any(ScopeName) AS scope, \
            any(Attributes) AS attributes, \
            if(any(\(isLatest)), argMax(Value, TimeUnix), sum(increment)) AS total, \
            if(any(\(isLatest)), argMax(Value, TimeUnix) = floor(argMax(Value, TimeUnix)), \
            min(Value = floor(Value))) AS isWhole, \
            ifNull(min(since), 0) AS began, max(toUnixTimestamp64Nano(TimeUnix)) AS ended \
            FROM (\(PointSQL.increments(of: rows, where: condition))) GROUP BY MetricName, MetricUnit, series
            """
        var ofMetrics = statement
        ofMetrics.text = """
            SELECT MetricName, MetricUnit, sum(total), toUInt8(min(isWhole)), min(began), max(ended), count() \
            FROM (\(ofSeries)) GROUP BY MetricName, MetricUnit
            """
        statement.text = """
            SELECT MetricName, MetricUnit, total, toUInt8(isWhole), began, ended, toUInt64(1), resource, scope, attributes \
            FROM (\(ofSeries)) WHERE (MetricName, MetricUnit, series) IN \
            (SELECT * FROM (\(Self.latestSeries(rows, where: condition, query))))
            """
        let asked = (metrics: ofMetrics, series: statement)
        return try await asking {
            async let metrics = self.client.rows(asked.metrics) { reader in
                (MetricTotals.Name(try reader.string(), try reader.string()), try MetricTotal(&reader))
            }
            async let series = self.client.rows(asked.series) { reader in
                let name = MetricTotals.Name(try reader.string(), try reader.string())
                let total = try MetricTotal(&reader)
                return (try MetricTotals.Series(name, &reader), total)
            }
            return MetricTotals(
                metrics: Dictionary(try await metrics) { first, _ in first },
                series: Dictionary(try await series) { first, _ in first })
        }
    }
}

/// The totals of counters and of their series.
private struct MetricTotals {
    struct Name: Hashable {
        let name: String
        let unit: String

        init(_ name: String, _ unit: String) {
            self.name = name
            self.unit = unit
        }
    }

    struct Series: Hashable {
        let name: Name
        let scope: String
        /// Of the resource and of the series.
        let attributes: [Set<[String]>]

        init(_ name: Name, _ reader: inout RowBinaryReader) throws {
            self.name = name
            let resource = try reader.texts()
            scope = try reader.string()
            attributes = [resource, try reader.texts()].map { Set($0.map { [$0.key, $0.value] }) }
        }

        init(_ name: Name, _ series: MetricSeries) {
            self.name = name
            scope = series.scope?.name ?? ""
            let own = JSONText.attributes(in: series.attributesText) ?? [:]
            attributes = [series.origin.attributes, own].map { Set($0.map { [$0.key, $0.value.exporterText] }) }
        }
    }

    var metrics: [Name: MetricTotal] = [:]
    var series: [Series: MetricTotal] = [:]

    func added(to overview: MetricOverview) -> MetricOverview {
        guard overview.kind == .sum else { return overview }
        var overview = overview
        let name = Name(overview.name, overview.unit)
        overview.total = metrics[name]
        for index in overview.series.indices {
            overview.series[index].total = series[Series(name, overview.series[index])]
        }
        return overview
    }
}

extension MetricTotal {
    fileprivate init(_ reader: inout RowBinaryReader) throws {
        let value = try reader.double()
        let isWhole = try reader.bool()
        self.init(
            value: value, integer: isWhole && value.magnitude <= 0x1p53 ? Int128(value) : nil,
            fromUnixNano: UInt64(clamping: try reader.integer(Int64.self)),
            throughUnixNano: UInt64(clamping: try reader.integer(Int64.self)),
            series: Int(clamping: try reader.integer(UInt64.self)))
    }
}
