/// The tables of the OpenTelemetry Collector's ClickHouse exporter.
///
/// A Collector and the console may write the same tables. The exporter's documentation defines the columns; the console
/// makes a table only if it is missing.
package enum OTelTable: String, CaseIterable, Sendable {
    case traces = "otel_traces"
    /// The first and last second of each trace, filled by a materialized view.
    case traceTimes = "otel_traces_trace_id_ts"
    case logs = "otel_logs"
    case gauges = "otel_metrics_gauge"
    case sums = "otel_metrics_sum"
    case histograms = "otel_metrics_histogram"
    case exponentialHistograms = "otel_metrics_exponential_histogram"
    case summaries = "otel_metrics_summary"

    struct Column: Sendable {
        let name: String
        let type: String
        var codec = "ZSTD(1)"
    }

    /// The columns in the order of the table. Those of a nested group have a name with a dot.
    var columns: [Column] {
        switch self {
        case .traces: Self.traceColumns
        case .traceTimes: Self.traceTimeColumns
        case .logs: Self.logColumns
        case .gauges: Self.metricColumns(Self.numberColumns + Self.exemplarColumns)
        case .sums: Self.metricColumns(Self.numberColumns + Self.exemplarColumns + Self.sumColumns)
        case .histograms: Self.metricColumns(Self.histogramColumns)
        case .exponentialHistograms: Self.metricColumns(Self.exponentialColumns)
        case .summaries: Self.metricColumns(Self.summaryColumns)
        }
    }

    private static let texts = "Map(LowCardinality(String), String)"
    private static let time = "DateTime64(9)"
    private static let word = "LowCardinality(String)"

    private static let traceColumns = [
        Column(name: "Timestamp", type: time, codec: "Delta(8), ZSTD(1)"),
        Column(name: "TraceId", type: "String"), Column(name: "SpanId", type: "String"),
        Column(name: "ParentSpanId", type: "String"), Column(name: "TraceState", type: "String"),
        Column(name: "SpanName", type: word), Column(name: "SpanKind", type: word),
        Column(name: "ServiceName", type: word), Column(name: "ResourceAttributes", type: texts),
        Column(name: "ScopeName", type: "String"), Column(name: "ScopeVersion", type: "String"),
        Column(name: "SpanAttributes", type: texts),
        Column(name: "Duration", type: "UInt64"), Column(name: "StatusCode", type: word),
        Column(name: "StatusMessage", type: "String"),
        Column(name: "Events.Timestamp", type: "Array(\(time))"), Column(name: "Events.Name", type: "Array(\(word))"),
        Column(name: "Events.Attributes", type: "Array(\(texts))"),
        Column(name: "Links.TraceId", type: "Array(String)"), Column(name: "Links.SpanId", type: "Array(String)"),
        Column(name: "Links.TraceState", type: "Array(String)"),
        Column(name: "Links.Attributes", type: "Array(\(texts))"),
    ]

    private static let traceTimeColumns = [
        Column(name: "TraceId", type: "String"),
        Column(name: "Start", type: "DateTime", codec: "Delta, ZSTD(1)"),
        Column(name: "End", type: "DateTime", codec: "Delta, ZSTD(1)"),
    ]

    private static let logColumns = [
        Column(name: "Timestamp", type: time, codec: "Delta(8), ZSTD(1)"),
        Column(name: "TraceId", type: "String"), Column(name: "SpanId", type: "String"),
        Column(name: "TraceFlags", type: "UInt8"), Column(name: "SeverityText", type: word),
        Column(name: "SeverityNumber", type: "UInt8"), Column(name: "ServiceName", type: word),
        Column(name: "Body", type: "String"), Column(name: "ResourceSchemaUrl", type: word),
        Column(name: "ResourceAttributes", type: texts), Column(name: "ScopeSchemaUrl", type: word),
        Column(name: "ScopeName", type: "String"), Column(name: "ScopeVersion", type: word),
        Column(name: "ScopeAttributes", type: texts), Column(name: "LogAttributes", type: texts),
        Column(name: "EventName", type: "String"),
    ]

    private static func metricColumns(_ own: [Column]) -> [Column] {
        [
            Column(name: "ResourceAttributes", type: texts), Column(name: "ResourceSchemaUrl", type: "String"),
            Column(name: "ScopeName", type: "String"), Column(name: "ScopeVersion", type: "String"),
            Column(name: "ScopeAttributes", type: texts), Column(name: "ScopeDroppedAttrCount", type: "UInt32"),
            Column(name: "ScopeSchemaUrl", type: "String"), Column(name: "ServiceName", type: word),
            Column(name: "MetricName", type: "String"), Column(name: "MetricDescription", type: "String"),
            Column(name: "MetricUnit", type: "String"), Column(name: "Attributes", type: texts),
            Column(name: "StartTimeUnix", type: time, codec: "Delta, ZSTD(1)"),
            Column(name: "TimeUnix", type: time, codec: "Delta, ZSTD(1)"),
        ] + own
    }

    private static let numberColumns = [
        Column(name: "Value", type: "Float64"), Column(name: "Flags", type: "UInt32"),
    ]

    private static let exemplarColumns = [
        Column(name: "Exemplars.FilteredAttributes", type: "Array(\(texts))"),
        Column(name: "Exemplars.TimeUnix", type: "Array(\(time))"),
        Column(name: "Exemplars.Value", type: "Array(Float64)"),
        Column(name: "Exemplars.SpanId", type: "Array(String)"),
        Column(name: "Exemplars.TraceId", type: "Array(String)"),
    ]

    private static let sumColumns = [
        Column(name: "AggregationTemporality", type: "Int32"), Column(name: "IsMonotonic", type: "Bool"),
    ]

    private static let distributionColumns = [
        Column(name: "Count", type: "UInt64", codec: "Delta, ZSTD(1)"), Column(name: "Sum", type: "Float64"),
    ]

    private static let distributionEnd = [
        Column(name: "Flags", type: "UInt32"), Column(name: "Min", type: "Float64"),
        Column(name: "Max", type: "Float64"), Column(name: "AggregationTemporality", type: "Int32"),
    ]

    private static let histogramColumns =
        distributionColumns + [
            Column(name: "BucketCounts", type: "Array(UInt64)"),
            Column(name: "ExplicitBounds", type: "Array(Float64)"),
        ] + exemplarColumns + distributionEnd

    private static let exponentialColumns =
        distributionColumns + [
            Column(name: "Scale", type: "Int32"), Column(name: "ZeroCount", type: "UInt64"),
            Column(name: "PositiveOffset", type: "Int32"), Column(name: "PositiveBucketCounts", type: "Array(UInt64)"),
            Column(name: "NegativeOffset", type: "Int32"), Column(name: "NegativeBucketCounts", type: "Array(UInt64)"),
        ] + exemplarColumns + distributionEnd

    private static let summaryColumns =
        distributionColumns + [
            Column(name: "ValueAtQuantiles.Quantile", type: "Array(Float64)"),
            Column(name: "ValueAtQuantiles.Value", type: "Array(Float64)"), Column(name: "Flags", type: "UInt32"),
        ]
}
