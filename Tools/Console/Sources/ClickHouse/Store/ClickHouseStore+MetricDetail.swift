import AstrolabeTelemetryModel
package import ConsoleModel
import ConsoleStore

/// One metric over time.
extension ClickHouseStore {
    /// Returns a metric over time; `nil` if it is unknown.
    ///
    /// ClickHouse adds up the delta points of each group and step. Of cumulative points it returns the last of each
    /// series and step. The run of a cumulative series is known up to one day before the time.
    package func metricDetail(_ query: MetricDetailQuery) async throws(StoreError) -> MetricDetail? {
        let statements = PointRows.tables.map { _, table in
            var asked = PointStatement(table: table)
            asked.statement = DetailStatement(query, PointRows(table: table)).text(limit: Self.recordLimit)
            return asked
        }
        let points = try await asking { try await self.points(statements) }
        let found = try await asking {
            try await ExcerptStore.reading(
                ExcerptStore.Records(points: points), configuration: self.configuration,
            ) { try await $0.metricDetail(query) }
        }
        guard var detail = found else { return nil }
        guard let table = PointRows.tables.first(where: { $0.kind == detail.kind })?.table else { return detail }
        let series = try await series(of: query, unit: detail.unit, PointRows(table: table))
        (detail.seriesCount, detail.keys) = (max(series.count, 1), series.keys)
        detail.isComplete = detail.isComplete && points.count < Self.recordLimit
        return detail
    }

    /// Returns the number of series with points in the time, and the attributes that tell them apart.
    private func series(
        of query: MetricDetailQuery, unit: String, _ rows: PointRows,
    ) async throws(StoreError) -> (count: Int, keys: [String]) {
        var statement = Statement()
        let condition = DetailStatement.condition(query, in: &statement)
        statement.text = """
            WITH all AS (SELECT mapUpdate(any(ResourceAttributes), any(Attributes)) AS attributes FROM \
            \(rows.table.rawValue) WHERE \(condition) AND MetricUnit = \(statement.bind(unit)) GROUP BY \(rows.series)) \
            SELECT assumeNotNull((SELECT count() FROM all)), arraySort(groupArray(key)) FROM (SELECT entry.1 AS key FROM \
            (SELECT arrayJoin(CAST(attributes AS Array(Tuple(String, String)))) AS entry FROM all) GROUP BY key \
            HAVING uniqExact(entry.2) > 1 OR count() < (SELECT count() FROM all))
            """
        let asked = statement
        let found = try await asking {
            try await self.client.rows(asked) { reader in
                (Int(clamping: try reader.integer(UInt64.self)), try reader.array { try $0.string() })
            }
        }
        return found.first.map { (count: $0.0, keys: $0.1) } ?? (0, [])
    }
}

/// The points that a metric's page needs, as few as are enough for its sums.
private struct DetailStatement {
    private static let day: Int64 = 86_400_000_000_000

    private let query: MetricDetailQuery
    private let rows: PointRows
    private var statement = Statement()

    init(_ query: MetricDetailQuery, _ rows: PointRows) {
        self.query = query
        self.rows = rows
    }

    /// Points of the metric in the time.
    static func condition(_ query: MetricDetailQuery, in statement: inout Statement) -> String {
        "MetricName = \(statement.bind(query.name)) AND TimeUnix >= \(time(query.start, &statement)) "
            + "AND TimeUnix < \(time(query.end, &statement))"
    }

    private static func time(_ nanoseconds: Int64, _ statement: inout Statement) -> String {
        "fromUnixTimestamp64Nano(\(statement.bind(max(nanoseconds, 0))))"
    }

    /// - Parameter limit: The largest number of points, the newest.
    consuming func text(limit: Int) -> Statement {
        let inTime = Self.condition(query, in: &statement)
        let table = rows.table.rawValue
        let name = "MetricName = \(statement.bind(query.name))"
        // A metric without points in the time is known by its newest one.
        var parts = ["SELECT \(rows.columns) FROM \(table) WHERE \(name) ORDER BY TimeUnix DESC LIMIT 1"]
        if rows.isCumulative == "false" {
            parts.append("SELECT \(rows.columns) FROM \(table) WHERE \(inTime)")
        } else {
            let start = Self.time(query.start, &statement)
            let earliest = Self.time(query.start - Self.day, &statement)
            let isReduced = rows.table == .sums ? "IsMonotonic" : "true"
            parts += [
                """
                SELECT \(rows.columns) FROM \(table) WHERE \(inTime) AND \(rows.isCumulative) ORDER BY TimeUnix DESC \
                LIMIT 1 BY \(rows.series), StartTimeUnix, \
                if(\(isReduced), toInt64(\(step)), toUnixTimestamp64Nano(TimeUnix))
                """,
                // The first point of a run decides whether it counts in full.
                """
                SELECT \(rows.columns) FROM \(table) WHERE \(inTime) AND \(rows.isCumulative) ORDER BY TimeUnix \
                LIMIT 1 BY \(rows.series), StartTimeUnix
                """,
                """
                SELECT \(rows.columns) FROM \(table) WHERE \(name) AND \(rows.isCumulative) AND TimeUnix < \(start) \
                AND TimeUnix >= \(earliest) ORDER BY TimeUnix DESC LIMIT 1 BY \(rows.series), StartTimeUnix
                """,
                """
                SELECT \(sums) FROM (SELECT *, \(step) AS step, \(group()) AS label FROM \(table) \
                WHERE \(inTime) AND NOT (\(rows.isCumulative))) \
                GROUP BY \((["step", "label", "MetricUnit"] + alike).joined(separator: ", "))
                """,
            ]
        }
        statement.text = """
            SELECT \(rows.columns) FROM (\(parts.map { "SELECT * FROM (\($0))" }.joined(separator: " UNION ALL "))) \
            ORDER BY TimeUnix DESC LIMIT \(limit)
            """
        return statement
    }

    /// SQL of the number of a point's step.
    private var step: String {
        let starts = query.steps.map { "\($0.lowerBound)" }.joined(separator: ", ")
        return "arrayCount(start -> start <= toUnixTimestamp64Nano(TimeUnix), [\(starts)])"
    }

    /// SQL of the value by which the series are grouped.
    private mutating func group() -> String {
        guard let group = query.group else { return "''" }
        let key = statement.bind(group)
        return "multiIf(mapContains(Attributes, \(key)), [Attributes[\(key)]], "
            + "mapContains(ResourceAttributes, \(key)), [ResourceAttributes[\(key)]], [])"
    }

    /// The columns that are the same in points that are added up.
    private var alike: [String] {
        switch rows.table {
        case .sums: ["IsMonotonic"]
        case .histograms: ["ExplicitBounds"]
        case .exponentialHistograms: ["Scale", "PositiveOffset", "NegativeOffset"]
        default: []
        }
    }

    /// The columns of added up points.
    private var sums: String {
        let alike = alike + ["MetricUnit"]
        return rows.table.columns.map { column in
            let name = "`\(column.name)`"
            switch column.name {
            case _ where alike.contains(column.name): return name
            case "Value", "Count", "Sum", "ZeroCount": return "sum(\(name)) AS \(name)"
            case "BucketCounts", "PositiveBucketCounts", "NegativeBucketCounts": return "sumForEach(\(name)) AS \(name)"
            case "Min", "StartTimeUnix": return "min(\(name)) AS \(name)"
            case "Max", "TimeUnix": return "max(\(name)) AS \(name)"
            case _ where column.name.hasPrefix("Exemplars."):
                return "arraySlice(groupArrayArray(\(name)), 1, 5) AS \(name)"
            default: return "any(\(name)) AS \(name)"
            }
        }.joined(separator: ", ")
    }
}

extension MetricDetailQuery {
    fileprivate var start: Int64 { steps.first?.lowerBound ?? 0 }
    fileprivate var end: Int64 { steps.last?.upperBound ?? 0 }
}
