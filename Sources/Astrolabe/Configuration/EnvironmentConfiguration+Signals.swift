import AstrolabeDelivery
import AstrolabeRecording
import AstrolabeTelemetryModel

/// Variables of one signal, and limits that spans and log records share.
extension EnvironmentConfiguration {
    /// The names of the variables of one signal's requests.
    private struct Names {
        var url, headers, timeout, compression: String
    }

    private static let traces = Names(
        url: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", headers: "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
        timeout: "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", compression: "OTEL_EXPORTER_OTLP_TRACES_COMPRESSION", )
    private static let logs = Names(
        url: "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", headers: "OTEL_EXPORTER_OTLP_LOGS_HEADERS",
        timeout: "OTEL_EXPORTER_OTLP_LOGS_TIMEOUT", compression: "OTEL_EXPORTER_OTLP_LOGS_COMPRESSION", )
    private static let metrics = Names(
        url: "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", headers: "OTEL_EXPORTER_OTLP_METRICS_HEADERS",
        timeout: "OTEL_EXPORTER_OTLP_METRICS_TIMEOUT", compression: "OTEL_EXPORTER_OTLP_METRICS_COMPRESSION", )

    /// Reads what is different for the requests of each signal.
    static func signals(_ values: ConfigurationValues, _ layer: inout ConfigurationLayer, _ warnings: inout [String]) {
        layer.signals.traces = signal(traces, values, &warnings)
        layer.signals.logs = signal(logs, values, &warnings)
        layer.signals.metrics = signal(metrics, values, &warnings)
    }

    private static func signal(
        _ names: Names, _ values: ConfigurationValues, _ warnings: inout [String],
    ) -> OTLPEndpoint.Signal {
        var signal = OTLPEndpoint.Signal()
        signal.url = read(&warnings) { () throws(ConfigurationError) in try values.url(names.url) }
        signal.timeout = read(&warnings) { () throws(ConfigurationError) in
            try integer(names.timeout, values, unit: " of milliseconds", atLeast: 0)
        }.map { .milliseconds($0) }
        signal.isCompressed = read(&warnings) { () throws(ConfigurationError) in
            try choice(names.compression, values, yes: "gzip", no: "none")
        }
        let headers = read(&warnings) { () throws(ConfigurationError) in try pairs(names.headers, values) } ?? []
        if !headers.isEmpty {
            signal.headers = Dictionary(headers.map { ($0.0.lowercased(), $0.1) }, uniquingKeysWith: { $1 })
        }
        return signal
    }

    /// The kinds of records whose exporter is `none`.
    static func disabledSignals(_ values: ConfigurationValues, _ warnings: inout [String]) -> Set<RecordKind> {
        let exporters: [(name: String, kind: RecordKind)] = [
            ("OTEL_TRACES_EXPORTER", .span), ("OTEL_LOGS_EXPORTER", .event), ("OTEL_METRICS_EXPORTER", .metric),
        ]
        let disabled = exporters.filter { exporter in
            read(&warnings) { () throws(ConfigurationError) in
                try choice(exporter.name, values, yes: "otlp", no: "none")
            } == false
        }
        return Set(disabled.map(\.kind))
    }

    /// Reads the limits that are set. Spans and log records share theirs, as events and links do: the smallest holds.
    static func limits(_ values: ConfigurationValues, _ layer: inout ConfigurationLayer, _ warnings: inout [String]) {
        func limit(_ name: String) -> Int? {
            read(&warnings) { () throws(ConfigurationError) in try integer(name, values, atLeast: 0) }
        }
        func smallest(_ first: Int?, _ second: Int?) -> Int? { [first, second].compactMap(\.self).min() }
        let (count, length) = (limit("OTEL_ATTRIBUTE_COUNT_LIMIT"), limit("OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT"))
        layer.attributeCountLimit = smallest(
            limit("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT") ?? count, limit("OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT") ?? count, )
        layer.attributeValueLengthLimit = smallest(
            limit("OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT") ?? length,
            limit("OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT") ?? length, )
        layer.eventCountLimit = limit("OTEL_SPAN_EVENT_COUNT_LIMIT")
        layer.linkCountLimit = limit("OTEL_SPAN_LINK_COUNT_LIMIT")
        layer.eventOrLinkAttributeCountLimit = smallest(
            limit("OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT"), limit("OTEL_LINK_ATTRIBUTE_COUNT_LIMIT"), )
    }

    /// The time between two flushes: the smaller delay of the span and the log record processor.
    static func scheduleDelay(_ values: ConfigurationValues, _ warnings: inout [String]) -> Duration? {
        ["OTEL_BSP_SCHEDULE_DELAY", "OTEL_BLRP_SCHEDULE_DELAY"].compactMap { name in
            read(&warnings) { () throws(ConfigurationError) in
                try integer(name, values, unit: " of milliseconds")
            }
        }.min().map { .milliseconds($0) }
    }

    static func temporality(
        _ values: ConfigurationValues
    ) throws(ConfigurationError) -> AggregationTemporality? {
        let key = "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE"
        switch try values.string(key)?.lowercased() {
        case nil: return nil
        case "cumulative": return .cumulative
        case "delta": return .delta
        case .some: throw values.error(key, "expected cumulative or delta, the preferences that this SDK supports")
        }
    }

    static func exceptionSignal(_ values: ConfigurationValues) throws(ConfigurationError) -> ExceptionSignal? {
        let key = "OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN"
        switch try values.string(key)?.lowercased() {
        case nil: return nil
        case "logs": return .logs
        case "logs/dup": return .both
        case .some: throw values.error(key, "expected logs or logs/dup")
        }
    }

    /// Reads one value. A failure is reported and counts as absent.
    static func read<Value>(
        _ warnings: inout [String], _ body: () throws(ConfigurationError) -> Value?,
    ) -> Value? {
        do throws(ConfigurationError) { return try body() } catch {
            warnings.append("\(error.description). It is ignored.")
            return nil
        }
    }
}
