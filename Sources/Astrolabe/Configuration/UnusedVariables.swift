/// Variables of the OpenTelemetry specification that are set and that this SDK does not use.
enum UnusedVariables {
    /// Variables that are read, here or by a module.
    private static let used: Set<String> = [
        "OTEL_SERVICE_NAME", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TIMEOUT", "OTEL_METRIC_EXPORT_INTERVAL",
        "OTEL_ATTRIBUTE_COUNT_LIMIT", "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_EXPORTER_OTLP_HEADERS",
        "OTEL_RESOURCE_ATTRIBUTES", "OTEL_EXPORTER_OTLP_COMPRESSION", "OTEL_SDK_DISABLED", "OTEL_TRACES_SAMPLER",
        "OTEL_TRACES_SAMPLER_ARG", "OTEL_SEMCONV_STABILITY_OPT_IN", "OTEL_PROPAGATORS",
        "OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION", "OTEL_METRICS_EXEMPLAR_FILTER",
        "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "OTEL_BSP_SCHEDULE_DELAY", "OTEL_BLRP_SCHEDULE_DELAY",
        "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_SPAN_EVENT_COUNT_LIMIT",
        "OTEL_SPAN_LINK_COUNT_LIMIT", "OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT", "OTEL_LINK_ATTRIBUTE_COUNT_LIMIT",
        "OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT", "OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT",
        "OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN", "OTEL_TRACES_EXPORTER", "OTEL_LOGS_EXPORTER", "OTEL_METRICS_EXPORTER",
    ]

    /// Variables of one signal's requests.
    private static let ofSignals = Set(
        ["TRACES", "LOGS", "METRICS"].flatMap { signal in
            ["ENDPOINT", "HEADERS", "TIMEOUT", "COMPRESSION"].map { "OTEL_EXPORTER_OTLP_\(signal)_\($0)" }
        })

    /// Variables that are not read, because the SDK always does what one of these values asks for.
    private static let fixed: [String: Set<String>] = [
        "OTEL_EXPORTER_OTLP_PROTOCOL": ["http/protobuf"],
        "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": ["http/protobuf"],
        "OTEL_EXPORTER_OTLP_LOGS_PROTOCOL": ["http/protobuf"],
        "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL": ["http/protobuf"],
    ]

    /// A line for each, without its value, which may be a secret.
    static func warnings(_ environment: [String: String]) -> [String] {
        environment.keys.filter { $0.hasPrefix("OTEL_") && !used.contains($0) && !ofSignals.contains($0) }.sorted()
            .compactMap { name in
                guard let values = fixed[name] else {
                    return "environment: \(name): this SDK does not use the variable. It is ignored."
                }
                let value = environment[name]?.lowercased().filter { $0 != " " } ?? ""
                if values.contains(value) { return nil }
                return "environment: \(name): expected \(values.min() ?? ""), the only value that this SDK supports. "
                    + "It is ignored."
            }
    }
}
