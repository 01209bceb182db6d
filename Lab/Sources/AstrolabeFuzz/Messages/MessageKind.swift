/// The content of a field, in both encodings.
enum FieldKind {
    case text
    case traceState
    case bytes
    case traceID
    case spanID
    case bool
    case int64
    case uint32
    /// A signed integer of 32 bits whose sign is its lowest bit.
    case sint32
    /// Names of the values, in the order of their numbers.
    case enumeration([String])
    case double
    case fixed64
    /// A signed integer in 8 bytes.
    case sfixed64
    case fixed32
    case packedFixed64
    case packedDouble
    case packedVarint
    case message(MessageKind)
}

/// One field of a message.
struct FieldSpec {
    let number: UInt32
    /// As in the protobuf schema.
    let name: String
    let kind: FieldKind
    var isRepeated = false
    /// A message is not valid without it.
    var isRequired = false

    /// The name in JSON.
    var jsonName: String {
        let words = name.split(separator: "_")
        return words.dropFirst().reduce(String(words[0])) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }
}

/// The messages of OTLP, written down here a second time and apart from the decoder, so that the two check each other.
enum MessageKind: CaseIterable {
    case traces, logs, metrics
    case resourceSpans, resourceLogs, resourceMetrics
    case scopeSpans, scopeLogs, scopeMetrics
    case resource, scope, keyValue, anyValue, arrayValue, keyValueList
    case span, event, link, status
    case logRecord
    case metric, gauge, sum, histogram, exponentialHistogram, summary
    case numberPoint, histogramPoint, exponentialHistogramPoint, buckets, summaryPoint, quantile, exemplar

    /// Fields of which a message has at most one.
    var alternatives: Set<UInt32> {
        switch self {
        case .anyValue: [1, 2, 3, 4, 5, 6, 7]
        case .metric: [5, 7, 9, 10, 11]
        case .numberPoint: [4, 6]
        case .exemplar: [3, 6]
        default: []
        }
    }

    var fields: [FieldSpec] { Self.table[self] ?? [] }

    private static let table = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.specification) })

    private var specification: [FieldSpec] {
        switch self {
        case .traces: [many(1, "resource_spans", .resourceSpans)]
        case .logs: [many(1, "resource_logs", .resourceLogs)]
        case .metrics: [many(1, "resource_metrics", .resourceMetrics)]
        case .resourceSpans: group(many(2, "scope_spans", .scopeSpans))
        case .resourceLogs: group(many(2, "scope_logs", .scopeLogs))
        case .resourceMetrics: group(many(2, "scope_metrics", .scopeMetrics))
        case .scopeSpans: scopeGroup(many(2, "spans", .span))
        case .scopeLogs: scopeGroup(many(2, "log_records", .logRecord))
        case .scopeMetrics: scopeGroup(many(2, "metrics", .metric))
        case .resource: [many(1, "attributes", .keyValue), one(2, "dropped_attributes_count", .uint32)]
        case .scope:
            [
                one(1, "name", .text), one(2, "version", .text), many(3, "attributes", .keyValue),
                one(4, "dropped_attributes_count", .uint32),
            ]
        case .keyValue: [one(1, "key", .text), one(2, "value", .message(.anyValue))]
        case .anyValue:
            [
                one(1, "string_value", .text), one(2, "bool_value", .bool), one(3, "int_value", .int64),
                one(4, "double_value", .double), one(5, "array_value", .message(.arrayValue)),
                one(6, "kvlist_value", .message(.keyValueList)), one(7, "bytes_value", .bytes),
            ]
        case .arrayValue: [many(1, "values", .anyValue)]
        case .keyValueList: [many(1, "values", .keyValue)]
        case .span:
            [
                required(1, "trace_id", .traceID), required(2, "span_id", .spanID),
                one(3, "trace_state", .traceState), one(4, "parent_span_id", .spanID), one(5, "name", .text),
                one(6, "kind", .enumeration(Self.spanKinds)), one(7, "start_time_unix_nano", .fixed64),
                one(8, "end_time_unix_nano", .fixed64), many(9, "attributes", .keyValue),
                one(10, "dropped_attributes_count", .uint32), many(11, "events", .event),
                one(12, "dropped_events_count", .uint32), many(13, "links", .link),
                one(14, "dropped_links_count", .uint32), one(15, "status", .message(.status)),
                one(16, "flags", .fixed32),
            ]
        case .event:
            [
                one(1, "time_unix_nano", .fixed64), one(2, "name", .text), many(3, "attributes", .keyValue),
                one(4, "dropped_attributes_count", .uint32),
            ]
        case .link:
            [
                one(1, "trace_id", .traceID), one(2, "span_id", .spanID), one(3, "trace_state", .traceState),
                many(4, "attributes", .keyValue), one(5, "dropped_attributes_count", .uint32),
                one(6, "flags", .fixed32),
            ]
        case .status: [one(2, "message", .text), one(3, "code", .enumeration(Self.statusCodes))]
        case .logRecord:
            [
                one(1, "time_unix_nano", .fixed64), one(2, "severity_number", .enumeration(Self.severities)),
                one(3, "severity_text", .text), one(5, "body", .message(.anyValue)),
                many(6, "attributes", .keyValue), one(7, "dropped_attributes_count", .uint32),
                one(8, "flags", .fixed32), one(9, "trace_id", .traceID), one(10, "span_id", .spanID),
                one(11, "observed_time_unix_nano", .fixed64), one(12, "event_name", .text),
            ]
        case .metric:
            [
                one(1, "name", .text), one(2, "description", .text), one(3, "unit", .text),
                one(5, "gauge", .message(.gauge)), one(7, "sum", .message(.sum)),
                one(9, "histogram", .message(.histogram)),
                one(10, "exponential_histogram", .message(.exponentialHistogram)),
                one(11, "summary", .message(.summary)), many(12, "metadata", .keyValue),
            ]
        case .gauge: [many(1, "data_points", .numberPoint)]
        case .sum: [many(1, "data_points", .numberPoint), temporality, one(3, "is_monotonic", .bool)]
        case .histogram: [many(1, "data_points", .histogramPoint), temporality]
        case .exponentialHistogram: [many(1, "data_points", .exponentialHistogramPoint), temporality]
        case .summary: [many(1, "data_points", .summaryPoint)]
        case .numberPoint:
            [
                one(2, "start_time_unix_nano", .fixed64), one(3, "time_unix_nano", .fixed64),
                one(4, "as_double", .double), many(5, "exemplars", .exemplar), one(6, "as_int", .sfixed64),
                many(7, "attributes", .keyValue), one(8, "flags", .uint32),
            ]
        case .histogramPoint:
            [
                one(2, "start_time_unix_nano", .fixed64), one(3, "time_unix_nano", .fixed64),
                one(4, "count", .fixed64), one(5, "sum", .double), one(6, "bucket_counts", .packedFixed64),
                one(7, "explicit_bounds", .packedDouble), many(8, "exemplars", .exemplar),
                many(9, "attributes", .keyValue),
                one(10, "flags", .uint32), one(11, "min", .double), one(12, "max", .double),
            ]
        case .exponentialHistogramPoint:
            [
                many(1, "attributes", .keyValue), required(2, "start_time_unix_nano", .fixed64),
                required(3, "time_unix_nano", .fixed64), required(4, "count", .fixed64), one(5, "sum", .double),
                one(6, "scale", .sint32), one(7, "zero_count", .fixed64), one(8, "positive", .message(.buckets)),
                one(9, "negative", .message(.buckets)), one(10, "flags", .uint32), many(11, "exemplars", .exemplar),
                one(12, "min", .double), one(13, "max", .double), one(14, "zero_threshold", .double),
            ]
        case .buckets: [one(1, "offset", .sint32), one(2, "bucket_counts", .packedVarint)]
        case .summaryPoint:
            [
                one(2, "start_time_unix_nano", .fixed64), required(3, "time_unix_nano", .fixed64),
                one(4, "count", .fixed64), one(5, "sum", .double), many(6, "quantile_values", .quantile),
                many(7, "attributes", .keyValue), one(8, "flags", .uint32),
            ]
        case .quantile: [one(1, "quantile", .double), one(2, "value", .double)]
        case .exemplar:
            [
                required(2, "time_unix_nano", .fixed64), one(3, "as_double", .double), one(4, "span_id", .spanID),
                one(5, "trace_id", .traceID), one(6, "as_int", .sfixed64),
                many(7, "filtered_attributes", .keyValue),
            ]
        }
    }

    private func group(_ scopes: FieldSpec) -> [FieldSpec] {
        [one(1, "resource", .message(.resource)), scopes, one(3, "schema_url", .text)]
    }

    private func scopeGroup(_ records: FieldSpec) -> [FieldSpec] {
        [one(1, "scope", .message(.scope)), records, one(3, "schema_url", .text)]
    }

    private var temporality: FieldSpec { one(2, "aggregation_temporality", .enumeration(Self.temporalities)) }

    private func one(_ number: UInt32, _ name: String, _ kind: FieldKind) -> FieldSpec {
        FieldSpec(number: number, name: name, kind: kind)
    }

    private func required(_ number: UInt32, _ name: String, _ kind: FieldKind) -> FieldSpec {
        FieldSpec(number: number, name: name, kind: kind, isRequired: true)
    }

    private func many(_ number: UInt32, _ name: String, _ kind: MessageKind) -> FieldSpec {
        FieldSpec(number: number, name: name, kind: .message(kind), isRepeated: true)
    }

    private static let spanKinds = ["UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"]
        .map { "SPAN_KIND_" + $0 }
    private static let statusCodes = ["UNSET", "OK", "ERROR"].map { "STATUS_CODE_" + $0 }
    private static let temporalities = ["UNSPECIFIED", "DELTA", "CUMULATIVE"].map { "AGGREGATION_TEMPORALITY_" + $0 }
    private static let severities =
        ["SEVERITY_NUMBER_UNSPECIFIED"]
        + ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"].flatMap { level in
            ["", "2", "3", "4"].map { "SEVERITY_NUMBER_" + level + $0 }
        }
}
