import ConsoleModel
import TelemetryQuery

extension RecordSource {
    /// Metric points: see `StoredPoint` for what each adds to its series.
    static let metrics: RecordSource = {
        func text(_ sql: String) -> SQLValue { SQLValue(sql: "nullIf(\(sql), '')", type: .text) }
        func number(_ sql: String) -> SQLValue { SQLValue(sql: "finite(\(sql))", type: .double) }
        var fields = ["name": text("MetricName"), "unit": text("MetricUnit"), "kind": text("pointKind")]
        for name in ["value", "count", "sum", "min", "max", "p50", "p95"] { fields[name] = number("of_\(name)") }
        return RecordSource(
            dataset: .metrics,
            table: { near in
                "(\(PointRows.tables.map { points($0.kind, $0.table, near) }.joined(separator: " UNION ALL ")))"
            },
            time: "toUnixTimestamp64Nano(Timestamp)", fields: fields, attributes: "Attributes", scope: .all,
            needsMargin: true, )
    }()

    private static let missing = "CAST(NULL AS Nullable(Float64))"

    private static func points(_ kind: MetricKind, _ table: OTelTable, _ near: String) -> String {
        let rows = PointRows(table: table)
        var values = ["value", "count", "sum", "min", "max", "p50", "p95"].map { ($0, missing) }
        func set(_ name: String, _ sql: String) {
            values = values.map { $0.0 == name ? (name, "CAST(\(sql) AS Nullable(Float64))") : $0 }
        }
        var inner = "*, TimeUnix AS Timestamp"
        switch kind {
        case .gauge: set("value", "Value")
        case .sum:
            set("value", "increment")
            return select(kind, values, from: PointSQL.increments(of: rows, where: near, columns: inner))
        case .histogram, .exponentialHistogram:
            let run = PointSQL.run(rows)
            inner += ", \(rows.isCumulative) AS isCumulative, \(PointSQL.countsInFull) AS isFull"
            inner += ", \(PointSQL.before("toFloat64(Count)", run)) AS countBefore"
            inner += ", \(PointSQL.before("Sum", run)) AS sumBefore"
            inner += ", NOT isCumulative AND Count > 0 AND (Min != 0 OR Max != 0 OR Sum = 0) AS hasEnds"
            inner += ", \(kind == .histogram ? PointSQL.buckets : PointSQL.exponentialBuckets) AS buckets"
            // The first point of a run counts in full, or is where counting begins.
            let count = "toFloat64(Count)"
            set("count", "\(count) - if(isCumulative, ifNull(countBefore, if(isFull, 0., \(count))), 0.)")
            set("sum", "Sum - if(isCumulative, ifNull(sumBefore, if(isFull, 0., Sum)), 0.)")
            set("min", "if(hasEnds, Min, NULL)")
            set("max", "if(hasEnds, Max, NULL)")
            for (name, share) in [("p50", 0.5), ("p95", 0.95)] {
                let value = "bucket_quantile(buckets.1, buckets.2, buckets.3, \(share))"
                let clamped = "if(hasEnds, greatest(least(\(value), Max), Min), \(value))"
                set(name, "if(isCumulative OR empty(buckets.3), NULL, finite(\(clamped)))")
            }
        case .summary:
            set("count", "Count")
            set("sum", "Sum")
            for (name, share) in [("p50", 0.5), ("p95", 0.95)] {
                let index = "indexOf(`ValueAtQuantiles.Quantile`, \(share))"
                set(name, "if(\(index) = 0, NULL, `ValueAtQuantiles.Value`[\(index)])")
            }
        }
        return select(kind, values, from: "SELECT \(inner) FROM \(table.rawValue) WHERE \(near)")
    }

    private static func select(_ kind: MetricKind, _ values: [(String, String)], from points: String) -> String {
        """
        SELECT Timestamp, MetricName, MetricUnit, '\(kind.name)' AS pointKind, Attributes, ResourceAttributes, \
        ServiceName, ScopeName, ScopeVersion, ScopeAttributes, \
        \(values.map { "\($0.1) AS of_\($0.0)" }.joined(separator: ", ")) FROM (\(points))
        """
    }
}
