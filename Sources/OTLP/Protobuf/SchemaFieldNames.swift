import AstrolabeWire

/// The names that the protobuf schema gives to a message's fields, for the paths of errors; `[]` marks a repeated one.
struct SchemaFieldNames: ExpressibleByDictionaryLiteral {
    private let names: [UInt32: String]

    init(dictionaryLiteral pairs: (UInt32, String)...) {
        names = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    init(_ names: [UInt32: String]) {
        self.names = names
    }

    subscript(number: UInt32) -> String? { names[number] }
}

extension OTLPDecodingError {
    /// The same error seen from the message around `field`.
    ///
    /// An index is found by reading the message again up to the field, so that only a failure pays for it.
    @inline(never)
    func within(_ field: ProtobufReader.Field, of names: SchemaFieldNames, in message: ProtobufReader)
        -> OTLPDecodingError
    {
        guard let name = names[field.number] else { return within("field_\(field.number)") }
        guard name.hasSuffix("[]") else { return within(name) }
        return within("\(name.dropLast(2))[\(message.count(of: field.number, before: field.offset))]")
    }
}

extension SchemaFieldNames {
    static let resource: SchemaFieldNames = [
        ResourceField.attributes: "attributes[]", ResourceField.droppedAttributesCount: "dropped_attributes_count",
    ]
    static let scope: SchemaFieldNames = [
        ScopeField.name: "name", ScopeField.version: "version", ScopeField.attributes: "attributes[]",
        ScopeField.droppedAttributesCount: "dropped_attributes_count",
    ]
    static let keyValue: SchemaFieldNames = [KeyValueField.key: "key", KeyValueField.value: "value"]
    static let anyValue: SchemaFieldNames = [
        AnyValueField.string: "string_value", AnyValueField.bool: "bool_value", AnyValueField.int: "int_value",
        AnyValueField.double: "double_value", AnyValueField.array: "array_value", AnyValueField.map: "kvlist_value",
        AnyValueField.bytes: "bytes_value",
    ]
    static let values: SchemaFieldNames = [ListField.values: "values[]"]

    static let span: SchemaFieldNames = [
        SpanField.traceID: "trace_id", SpanField.spanID: "span_id", SpanField.traceState: "trace_state",
        SpanField.parentSpanID: "parent_span_id", SpanField.name: "name", SpanField.kind: "kind",
        SpanField.startTime: "start_time_unix_nano", SpanField.endTime: "end_time_unix_nano",
        SpanField.attributes: "attributes[]", SpanField.droppedAttributesCount: "dropped_attributes_count",
        SpanField.events: "events[]", SpanField.droppedEventsCount: "dropped_events_count", SpanField.links: "links[]",
        SpanField.droppedLinksCount: "dropped_links_count", SpanField.status: "status",
        SpanField.flags: "flags",
    ]
    static let spanEvent: SchemaFieldNames = [
        SpanEventField.time: "time_unix_nano", SpanEventField.name: "name", SpanEventField.attributes: "attributes[]",
        SpanEventField.droppedAttributesCount: "dropped_attributes_count",
    ]
    static let spanLink: SchemaFieldNames = [
        SpanLinkField.traceID: "trace_id", SpanLinkField.spanID: "span_id", SpanLinkField.traceState: "trace_state",
        SpanLinkField.attributes: "attributes[]", SpanLinkField.droppedAttributesCount: "dropped_attributes_count",
        SpanLinkField.flags: "flags",
    ]
    static let status: SchemaFieldNames = [StatusField.message: "message", StatusField.code: "code"]

    static let logRecord: SchemaFieldNames = [
        LogRecordField.time: "time_unix_nano", LogRecordField.severityNumber: "severity_number",
        LogRecordField.severityText: "severity_text", LogRecordField.body: "body",
        LogRecordField.attributes: "attributes[]",
        LogRecordField.droppedAttributesCount: "dropped_attributes_count", LogRecordField.flags: "flags",
        LogRecordField.traceID: "trace_id", LogRecordField.spanID: "span_id",
        LogRecordField.observedTime: "observed_time_unix_nano",
        LogRecordField.eventName: "event_name",
    ]

    static let metric: SchemaFieldNames = [
        MetricField.name: "name", MetricField.description: "description", MetricField.unit: "unit",
        MetricField.gauge: "gauge", MetricField.sum: "sum", MetricField.histogram: "histogram",
        MetricField.exponentialHistogram: "exponential_histogram",
        MetricField.summary: "summary", MetricField.metadata: "metadata[]",
    ]
    static let points: SchemaFieldNames = [
        PointsField.dataPoints: "data_points[]", PointsField.temporality: "aggregation_temporality",
        PointsField.isMonotonic: "is_monotonic",
    ]
    static let numberPoint: SchemaFieldNames = [
        NumberPointField.startTime: "start_time_unix_nano", NumberPointField.time: "time_unix_nano",
        NumberPointField.double: "as_double", NumberPointField.int: "as_int",
        NumberPointField.attributes: "attributes[]", NumberPointField.flags: "flags",
        NumberPointField.exemplars: "exemplars[]",
    ]
    static let histogramPoint: SchemaFieldNames = [
        HistogramPointField.startTime: "start_time_unix_nano", HistogramPointField.time: "time_unix_nano",
        HistogramPointField.count: "count", HistogramPointField.sum: "sum",
        HistogramPointField.bucketCounts: "bucket_counts",
        HistogramPointField.explicitBounds: "explicit_bounds", HistogramPointField.attributes: "attributes[]",
        HistogramPointField.flags: "flags", HistogramPointField.min: "min", HistogramPointField.max: "max",
        HistogramPointField.exemplars: "exemplars[]",
    ]
    static let exponentialHistogramPoint: SchemaFieldNames = [
        ExponentialHistogramPointField.attributes: "attributes[]",
        ExponentialHistogramPointField.startTime: "start_time_unix_nano",
        ExponentialHistogramPointField.time: "time_unix_nano", ExponentialHistogramPointField.count: "count",
        ExponentialHistogramPointField.sum: "sum", ExponentialHistogramPointField.scale: "scale",
        ExponentialHistogramPointField.zeroCount: "zero_count", ExponentialHistogramPointField.positive: "positive",
        ExponentialHistogramPointField.negative: "negative", ExponentialHistogramPointField.flags: "flags",
        ExponentialHistogramPointField.exemplars: "exemplars[]", ExponentialHistogramPointField.min: "min",
        ExponentialHistogramPointField.max: "max", ExponentialHistogramPointField.zeroThreshold: "zero_threshold",
    ]
    static let exponentialBuckets: SchemaFieldNames = [
        ExponentialBucketsField.offset: "offset", ExponentialBucketsField.counts: "bucket_counts",
    ]
    static let summaryPoint: SchemaFieldNames = [
        SummaryPointField.startTime: "start_time_unix_nano", SummaryPointField.time: "time_unix_nano",
        SummaryPointField.count: "count", SummaryPointField.sum: "sum",
        SummaryPointField.quantiles: "quantile_values[]", SummaryPointField.attributes: "attributes[]",
        SummaryPointField.flags: "flags",
    ]
    static let quantile: SchemaFieldNames = [QuantileField.quantile: "quantile", QuantileField.value: "value"]
    static let exemplar: SchemaFieldNames = [
        ExemplarField.time: "time_unix_nano", ExemplarField.double: "as_double", ExemplarField.spanID: "span_id",
        ExemplarField.traceID: "trace_id", ExemplarField.int: "as_int",
        ExemplarField.filteredAttributes: "filtered_attributes[]",
    ]
}
