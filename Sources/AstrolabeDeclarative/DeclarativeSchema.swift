/// The objects of schema 1.1 of OpenTelemetry's declarative configuration, and what the SDK does with each key.
///
/// Those in development are left out, except two samplers. Stable keys that the schema's repository has since 1.1 are
/// known too. A test compares the table in `Docs/Internals/DeclarativeKeys.md`.
enum DeclarativeSchema {
    static let root = "OpenTelemetryConfiguration"

    static let types: [String: DeclarativeType] = {
        var types = general
        for part in [traces, metrics, views, logs, exporters, samplers, composableSamplers] {
            types.merge(part) { first, _ in first }
        }
        return types
    }()

    private static let severities = ["trace", "debug", "info", "warn", "error", "fatal"].flatMap { name in
        [name] + (2...4).map { "\(name)\($0)" }
    }
    private static let empty = DeclarativeType(keys: [], isNullable: true)
    private static let limitKeys: [DeclarativeKey] = [
        .followed("attribute_value_length_limit", .integer(atLeast: 0)),
        .followed("attribute_value_depth_limit", .integer(atLeast: 1)),
        .followed("attribute_count_limit", .integer(atLeast: 0)),
    ]

    private static let general: [String: DeclarativeType] = [
        root: DeclarativeType(keys: [
            .followed("file_format", .text, isRequired: true), .followed("disabled", .bool),
            .ignored("log_level", .choice(severities), "The SDK's diagnostics have no severity."),
            .section("resource", .object("Resource")), .section("attribute_limits", .object("AttributeLimits")),
            .section("propagator", .object("Propagator")), .section("tracer_provider", .object("TracerProvider")),
            .section("meter_provider", .object("MeterProvider")),
            .section("logger_provider", .object("LoggerProvider")),
            .ignored("distribution", .anyObject, "The SDK has no keys of its own here."),
        ]),
        "Resource": DeclarativeType(keys: [
            .section("attributes", .list(of: "AttributeNameValue")), .followed("attributes_list", .text),
            .ignored("schema_url", .text, "Resources have the schema URL of the SDK's conventions."),
        ]),
        "AttributeNameValue": DeclarativeType(keys: [
            .followed("name", .text, isRequired: true), .followed("value", .attributeValue, isRequired: true),
            .followed(
                "type",
                .choice([
                    "string", "bool", "int", "double", "string_array", "bool_array", "int_array", "double_array",
                ])),
        ]),
        "AttributeLimits": DeclarativeType(keys: limitKeys),
        "Propagator": DeclarativeType(keys: [
            .section("composite", .list(of: "TextMapPropagator")), .followed("composite_list", .text),
        ]),
        "TextMapPropagator": DeclarativeType(
            keys: [
                .followed("tracecontext", .object("Empty")), .followed("baggage", .object("Empty")),
                .followed("b3", .object("Empty")), .followed("b3multi", .object("Empty")),
            ], isChoice: true),
        "Empty": empty,
    ]

    private static let traces: [String: DeclarativeType] = [
        "TracerProvider": DeclarativeType(keys: [
            .section("processors", .list(of: "SpanProcessor"), isRequired: true),
            .section("limits", .object("SpanLimits")), .section("sampler", .object("Sampler")),
            .section("id_generator", .object("IdGenerator")),
        ]),
        "SpanProcessor": processor(exporter: "SpanExporter"),
        "SpanExporter": exporter(http: "OtlpHttpExporter", grpc: "OtlpGrpcExporter", console: "Empty"),
        "BatchSpanExporter": batch("SpanExporter"), "SimpleSpanExporter": simple("SpanExporter"),
        "SpanLimits": DeclarativeType(
            keys: limitKeys + [
                .followed("event_count_limit", .integer(atLeast: 0)),
                .followed("link_count_limit", .integer(atLeast: 0)),
                .followed("event_attribute_count_limit", .integer(atLeast: 0)),
                .followed("link_attribute_count_limit", .integer(atLeast: 0)),
            ]),
        "IdGenerator": DeclarativeType(keys: [.followed("random", .object("Empty"))], isChoice: true),
    ]

    private static let logs: [String: DeclarativeType] = [
        "LoggerProvider": DeclarativeType(keys: [
            .section("processors", .list(of: "LogRecordProcessor"), isRequired: true),
            .section("limits", .object("AttributeLimits")),
        ]),
        "LogRecordProcessor": processor(exporter: "LogRecordExporter"),
        "LogRecordExporter": exporter(http: "OtlpHttpExporter", grpc: "OtlpGrpcExporter", console: "Empty"),
        "BatchLogRecordExporter": batch("LogRecordExporter"), "SimpleLogRecordExporter": simple("LogRecordExporter"),
    ]

    private static func processor(exporter: String) -> DeclarativeType {
        DeclarativeType(
            keys: [.section("batch", .object("Batch" + exporter)), .section("simple", .object("Simple" + exporter))],
            isChoice: true)
    }

    private static func simple(_ exporter: String) -> DeclarativeType {
        DeclarativeType(keys: [.section("exporter", .object(exporter), isRequired: true)])
    }

    private static func batch(_ exporter: String) -> DeclarativeType {
        DeclarativeType(keys: [
            .followed("schedule_delay", .integer(atLeast: 0)),
            .ignored("export_timeout", .integer(atLeast: 0), "The exporter's timeout limits each request."),
            .ignored("max_queue_size", .integer(atLeast: 1), "The offline queue has a fixed size."),
            .ignored("max_export_batch_size", .integer(atLeast: 1), "Batches have a fixed size."),
            .section("exporter", .object(exporter), isRequired: true),
        ])
    }

    private static func exporter(http: String, grpc: String, console: String) -> DeclarativeType {
        DeclarativeType(
            keys: [
                .section("otlp_http", .object(http)),
                .ignored("otlp_grpc", .object(grpc), "The SDK exports over HTTP only."),
                .ignored("console", .object(console), "The SDK exports over HTTP only."),
            ], isChoice: true)
    }

    private static let metrics: [String: DeclarativeType] = [
        "MeterProvider": DeclarativeType(keys: [
            .section("readers", .list(of: "MetricReader"), isRequired: true),
            .section("views", .list(of: "View")),
            .followed("exemplar_filter", .choice(["always_on", "always_off", "trace_based"])),
        ]),
        "MetricReader": DeclarativeType(
            keys: [
                .section("periodic", .object("PeriodicMetricReader")),
                .ignored("pull", .object("PullMetricReader"), "The SDK has no port to read metrics from."),
            ], isChoice: true),
        "PullMetricReader": DeclarativeType(keys: [
            .section("exporter", .anyObject, isRequired: true), .section("producers", .list(of: "MetricProducer")),
            .section("cardinality_limits", .object("CardinalityLimits")),
        ]),
        "PeriodicMetricReader": DeclarativeType(keys: [
            .followed("interval", .integer(atLeast: 0)),
            .ignored("timeout", .integer(atLeast: 0), "The exporter's timeout limits each request."),
            .section("exporter", .object("PushMetricExporter"), isRequired: true),
            .ignored("producers", .list(of: "MetricProducer"), "The SDK reads no metrics of other libraries."),
            .ignored(
                "cardinality_limits", .object("CardinalityLimits"), "Only a view sets the limit of an instrument."),
        ]),
        "MetricProducer": DeclarativeType(keys: [.section("opencensus", .object("Empty"))], isChoice: true),
        "CardinalityLimits": DeclarativeType(
            keys: (["default"] + instruments).map { .section($0, .integer(atLeast: 1)) }),
        "PushMetricExporter": exporter(
            http: "OtlpHttpMetricExporter", grpc: "OtlpGrpcMetricExporter", console: "ConsoleMetricExporter"),
        "ConsoleMetricExporter": DeclarativeType(keys: metricExporterKeys, isNullable: true),
    ]

    private static let instruments = [
        "counter", "gauge", "histogram", "observable_counter", "observable_gauge", "observable_up_down_counter",
        "up_down_counter",
    ]

    private static let views: [String: DeclarativeType] = [
        "View": DeclarativeType(keys: [
            .section("selector", .object("ViewSelector"), isRequired: true),
            .section("stream", .object("ViewStream"), isRequired: true),
        ]),
        "ViewSelector": DeclarativeType(
            keys: ["instrument_name", "unit", "meter_name", "meter_version", "meter_schema_url"].map {
                .followed($0, .text)
            } + [.followed("instrument_type", .choice(instruments))]),
        "ViewStream": DeclarativeType(keys: [
            .followed("name", .text), .followed("description", .text),
            .followed("aggregation_cardinality_limit", .integer(atLeast: 1)),
            .section("aggregation", .object("Aggregation")), .section("attribute_keys", .object("IncludeExclude")),
        ]),
        "IncludeExclude": DeclarativeType(keys: [.followed("included", .texts), .followed("excluded", .texts)]),
        "Aggregation": DeclarativeType(
            keys: ["default", "drop", "last_value", "sum"].map { .followed($0, .object("Empty")) } + [
                .section("explicit_bucket_histogram", .object("ExplicitBuckets")),
                .section("base2_exponential_bucket_histogram", .object("ExponentialBuckets")),
            ], isChoice: true),
        "ExplicitBuckets": DeclarativeType(
            keys: [.followed("boundaries", .numbers), recordMinMax], isNullable: true),
        "ExponentialBuckets": DeclarativeType(
            keys: [
                .followed("max_scale", .integer(atLeast: -10)), .followed("max_size", .integer(atLeast: 2)),
                recordMinMax,
            ], isNullable: true),
    ]

    private static let recordMinMax = DeclarativeKey.ignored(
        "record_min_max", .bool, "Minimum and maximum are always recorded.")

    private static let exporters: [String: DeclarativeType] = [
        "OtlpHttpExporter": DeclarativeType(keys: httpKeys, isNullable: true),
        "OtlpHttpMetricExporter": DeclarativeType(keys: httpKeys + metricExporterKeys, isNullable: true),
        "OtlpGrpcExporter": DeclarativeType(keys: grpcKeys, isNullable: true),
        "OtlpGrpcMetricExporter": DeclarativeType(keys: grpcKeys + metricExporterKeys, isNullable: true),
        "NameStringValuePair": DeclarativeType(keys: [
            .followed("name", .text, isRequired: true), .followed("value", .textOrNull, isRequired: true),
        ]),
        "HttpTls": DeclarativeType(
            keys: ["ca_file", "key_file", "cert_file"].map { .section($0, .text) }, isNullable: true),
        "GrpcTls": DeclarativeType(
            keys: ["ca_file", "key_file", "cert_file"].map { .section($0, .text) } + [.section("insecure", .bool)],
            isNullable: true),
    ]

    private static let httpKeys: [DeclarativeKey] = [
        .followed("endpoint", .text), .section("headers", .list(of: "NameStringValuePair")),
        .followed("headers_list", .text), .followed("compression", .choice(["gzip", "none"])),
        .followed("timeout", .integer(atLeast: 0)), .followed("encoding", .choice(["protobuf", "json"])),
        .ignored("tls", .object("HttpTls"), "The system's certificates are used."),
        .ignored("max_request_size", .integer(atLeast: 0), "Batches have a fixed size."),
        .ignored("max_response_size", .integer(atLeast: 1), "The limit of a response is fixed."),
    ]

    private static let grpcKeys: [DeclarativeKey] = [
        .section("endpoint", .text), .section("headers", .list(of: "NameStringValuePair")),
        .section("headers_list", .text), .section("compression", .text), .section("timeout", .integer(atLeast: 0)),
        .section("tls", .object("GrpcTls")), .section("max_request_size", .integer(atLeast: 0)),
        .section("max_response_size", .integer(atLeast: 1)),
    ]

    private static let metricExporterKeys: [DeclarativeKey] = [
        .followed("temporality_preference", .choice(["cumulative", "delta", "low_memory"])),
        .followed(
            "default_histogram_aggregation",
            .choice(["explicit_bucket_histogram", "base2_exponential_bucket_histogram"])),
    ]

    private static let samplers: [String: DeclarativeType] = [
        "Sampler": DeclarativeType(
            keys: [
                .followed("always_on", .object("Empty")), .followed("always_off", .object("Empty")),
                .section("trace_id_ratio_based", .object("TraceIdRatioBasedSampler")),
                .section("parent_based", .object("ParentBasedSampler")),
                .section("always_record", .object("AlwaysRecordSampler")),
                .section("probability/development", .object("ProbabilitySampler")),
                .section("composite/development", .object("ComposableSampler")),
            ], isChoice: true),
        "AlwaysRecordSampler": DeclarativeType(keys: [.followed("root", .object("Sampler"), isRequired: true)]),
        "TraceIdRatioBasedSampler": DeclarativeType(keys: [.followed("ratio", .number(0...1))], isNullable: true),
        "ParentBasedSampler": DeclarativeType(
            keys: [
                "root", "remote_parent_sampled", "remote_parent_not_sampled", "local_parent_sampled",
                "local_parent_not_sampled",
            ].map { .followed($0, .object("Sampler")) }, isNullable: true),
        "ProbabilitySampler": DeclarativeType(keys: [.followed("ratio", .number(0...1))], isNullable: true),
    ]

    private static let composableSamplers: [String: DeclarativeType] = [
        "ComposableSampler": DeclarativeType(
            keys: [
                .followed("always_on", .object("Empty")), .followed("always_off", .object("Empty")),
                .section("probability", .object("ProbabilitySampler")),
                .section("parent_threshold", .object("ParentThresholdSampler")),
                .section("rule_based", .object("RuleBasedSampler")),
            ], isChoice: true),
        "ParentThresholdSampler": DeclarativeType(
            keys: [.followed("root", .object("ComposableSampler"), isRequired: true)]),
        "RuleBasedSampler": DeclarativeType(
            keys: [.section("rules", .list(of: "SamplingRule"))], isNullable: true),
        "SamplingRule": DeclarativeType(keys: [
            .section("attribute_values", .object("AttributeValues")),
            .section("attribute_patterns", .object("AttributePatterns")),
            .followed("span_kinds", .choices(SpanConditions.kinds.keys.sorted())),
            .followed("parent", .choices(SpanConditions.Parent.allCases.map(\.rawValue))),
            .followed("sampler", .object("ComposableSampler"), isRequired: true),
        ]),
        "AttributeValues": DeclarativeType(keys: [
            .followed("key", .text, isRequired: true), .followed("values", .texts, isRequired: true),
        ]),
        "AttributePatterns": DeclarativeType(keys: [
            .followed("key", .text, isRequired: true), .followed("included", .texts), .followed("excluded", .texts),
        ]),
    ]
}
