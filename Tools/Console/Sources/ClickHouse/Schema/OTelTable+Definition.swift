extension OTelTable {
    /// The column by which records are partitioned and expire.
    var timeColumn: String {
        switch self {
        case .traces, .logs: "Timestamp"
        case .traceTimes: "Start"
        case .gauges, .sums, .histograms, .exponentialHistograms, .summaries: "TimeUnix"
        }
    }

    private var order: String {
        switch self {
        case .traces: "(ServiceName, SpanName, toDateTime(Timestamp))"
        case .traceTimes: "(TraceId, Start)"
        case .logs: "(ServiceName, toDateTime(Timestamp), Timestamp)"
        case .gauges, .sums, .histograms, .exponentialHistograms, .summaries:
            "(ServiceName, MetricName, Attributes, toUnixTimestamp64Nano(TimeUnix))"
        }
    }

    /// Skipping indexes over ids, and over the keys and values of attributes.
    private var indexes: [String] {
        var indexes: [String] = []
        for column in columns where !column.name.contains(".") {
            if column.name == "TraceId" {
                indexes.append("INDEX idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1")
            } else if column.type.hasPrefix("Map") {
                for part in ["Keys", "Values"] {
                    indexes.append(
                        "INDEX idx_\(column.name)_\(part) map\(part)(\(column.name)) "
                            + "TYPE bloom_filter(0.01) GRANULARITY 1")
                }
            }
        }
        if self == .traces { indexes.append("INDEX idx_duration Duration TYPE minmax GRANULARITY 1") }
        return indexes
    }

    /// Makes the table, if it is missing.
    ///
    /// - Parameter retentionDays: ClickHouse removes the records of older days.
    func creation(retentionDays: Int) -> Statement {
        let parts = columns.map { "`\($0.name)` \($0.type) CODEC(\($0.codec))" } + indexes
        var statement = Statement()
        let days = statement.bind(Int64(retentionDays))
        statement.text = """
            CREATE TABLE IF NOT EXISTS \(rawValue) (\(parts.joined(separator: ", ")))
            ENGINE = MergeTree PARTITION BY toDate(\(timeColumn)) ORDER BY \(order)
            TTL toDateTime(\(timeColumn)) + toIntervalDay(\(days))
            SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000
            """
        return statement
    }

    /// Fills ``traceTimes`` from ``traces``.
    static let traceTimesView = Statement(
        """
        CREATE MATERIALIZED VIEW IF NOT EXISTS otel_traces_trace_id_ts_mv TO otel_traces_trace_id_ts
        AS SELECT TraceId, min(Timestamp) AS Start, max(Timestamp) AS End
        FROM otel_traces WHERE TraceId != '' GROUP BY TraceId
        """)
}
