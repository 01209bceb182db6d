import AstrolabeAppHealth
import AstrolabeDelivery
import AstrolabeRecording
import AstrolabeTelemetryModel
import Foundation

/// The environment variables of the OpenTelemetry specification, and our own, which begin with `ASTROLABE_`; an empty
/// value counts as absent, as the specification asks. One that cannot be read is reported and ignored.
enum EnvironmentConfiguration {
    /// Sets what the variables say, and returns the reader, which knows the others.
    ///
    /// - Parameter propagators: Names that `OTEL_PROPAGATORS` may have beside those of W3C.
    static func follow(
        _ environment: [String: String], _ configuration: inout TelemetryConfiguration,
        propagators: [String: any TextMapPropagator] = [:],
    ) -> ConfigurationReader {
        let set = environment.filter { name, value in
            (name.hasPrefix("OTEL_") || name.hasPrefix("ASTROLABE_")) && !value.isEmpty
        }
        let reader = ConfigurationReader(source: "environment", entries: set)
        // AstrolabeHTTP reads it.
        reader.skip("OTEL_SEMCONV_STABILITY_OPT_IN")
        resource(reader, &configuration)
        requests(reader, &configuration)
        signals(reader, &configuration)
        metrics(reader, &configuration)
        limits(reader, &configuration)
        sampler(reader, &configuration)
        propagator(reader, &configuration, propagators)
        intervals(reader, &configuration)
        own(reader, &configuration)
        if let text = reader.text("OTEL_SDK_DISABLED") { configuration.isEnabled = text.lowercased() != "true" }
        switch reader.text("OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN")?.lowercased() {
        case nil: break
        case "logs": configuration.exceptionSignal = .logs
        case "logs/dup": configuration.exceptionSignal = .both
        case .some: reader.report("OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN", "expected logs or logs/dup")
        }
        return reader
    }

    /// A line for each variable that cannot be read, and for each of OpenTelemetry's that is not read. None has its
    /// value, which may be a secret.
    static func warnings(_ reader: ConfigurationReader) -> [String] {
        let wrong = reader.errors.map { "\($0.description). It is ignored." }
        let unused = reader.unknownKeys.filter { $0.hasPrefix("OTEL_") }
            .map { "environment: \($0): this SDK does not use the variable. It is ignored." }
        return (wrong + unused).sorted()
    }

    private static func resource(_ reader: ConfigurationReader, _ configuration: inout TelemetryConfiguration) {
        let pairs = reader.pairs("OTEL_RESOURCE_ATTRIBUTES", isNameEncoded: true)
        for (name, value) in pairs {
            configuration.resourceAttributes[name] = .string(value)
            if name == "service.name" { configuration.serviceName = value }
            if name == "service.version" { configuration.serviceVersion = value }
        }
        if let name = reader.text("OTEL_SERVICE_NAME") { configuration.serviceName = name }
    }

    private static func requests(_ reader: ConfigurationReader, _ configuration: inout TelemetryConfiguration) {
        if let url = reader.url("OTEL_EXPORTER_OTLP_ENDPOINT") { configuration.moveEndpoint(to: url) }
        let headers = reader.pairs("OTEL_EXPORTER_OTLP_HEADERS")
        let timeout = reader.milliseconds("OTEL_EXPORTER_OTLP_TIMEOUT", atLeast: 0)
        let isCompressed = reader.word("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip", or: "none")
        configuration.adjustEndpoint { endpoint in
            for (name, value) in headers { endpoint.setHeader(name, to: value) }
            endpoint.timeout = timeout ?? endpoint.timeout
            endpoint.isCompressed = isCompressed ?? endpoint.isCompressed
        }
        checkProtocol("OTEL_EXPORTER_OTLP_PROTOCOL", reader)
    }

    /// Sets what is different for the requests of each signal, and which signals are not recorded.
    private static func signals(_ reader: ConfigurationReader, _ configuration: inout TelemetryConfiguration) {
        let signals: [(String, RecordKind, WritableKeyPath<OTLPEndpoint, OTLPEndpoint.Signal>)] = [
            ("TRACES", .span, \.traces), ("LOGS", .event, \.logs), ("METRICS", .metric, \.metrics),
        ]
        for (name, kind, part) in signals {
            let prefix = "OTEL_EXPORTER_OTLP_\(name)_"
            if let url = reader.url(prefix + "ENDPOINT") { configuration.endpoint?[keyPath: part].url = url }
            let headers = reader.pairs(prefix + "HEADERS")
            let timeout = reader.milliseconds(prefix + "TIMEOUT", atLeast: 0)
            let isCompressed = reader.word(prefix + "COMPRESSION", "gzip", or: "none")
            configuration.adjustEndpoint { endpoint in
                var signal = endpoint[keyPath: part]
                if !headers.isEmpty {
                    signal.headers = Dictionary(
                        headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
                }
                signal.timeout = timeout ?? signal.timeout
                signal.isCompressed = isCompressed ?? signal.isCompressed
                endpoint[keyPath: part] = signal
            }
            checkProtocol(prefix + "PROTOCOL", reader)
            if reader.word("OTEL_\(name)_EXPORTER", "otlp", or: "none") == false {
                configuration.disabledSignals.insert(kind)
            }
        }
    }

    /// Reports a protocol other than the SDK's.
    private static func checkProtocol(_ name: String, _ reader: ConfigurationReader) {
        guard let text = reader.text(name), text.lowercased().filter({ $0 != " " }) != "http/protobuf" else { return }
        reader.report(name, "expected http/protobuf, the only value that this SDK supports")
    }

    private static func metrics(_ reader: ConfigurationReader, _ configuration: inout TelemetryConfiguration) {
        if let interval = reader.milliseconds("OTEL_METRIC_EXPORT_INTERVAL") { configuration.metricInterval = interval }
        if let aggregation = reader.choice(
            "OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION",
            "explicit_bucket_histogram or base2_exponential_bucket_histogram", of: HistogramAggregation.self)
        {
            configuration.histogramAggregation = aggregation
        }
        if let filter = reader.choice(
            "OTEL_METRICS_EXEMPLAR_FILTER", "always_off, always_on or trace_based", of: ExemplarFilter.self)
        {
            configuration.exemplars = filter
        }
        let preference = "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE"
        switch reader.text(preference)?.lowercased() {
        case nil: break
        case "cumulative": configuration.metricTemporality = .cumulative
        case "delta": configuration.metricTemporality = .delta
        case .some:
            reader.report(preference, "expected cumulative or delta, the preferences that this SDK supports")
        }
    }

    /// Sets the limits. Spans and log records share theirs, as events and links do: the smallest holds.
    private static func limits(_ reader: ConfigurationReader, _ configuration: inout TelemetryConfiguration) {
        func limit(_ name: String) -> Int? { reader.whole(name, atLeast: 0) }
        func smallest(_ first: Int?, _ second: Int?) -> Int? { first.map { min($0, second ?? $0) } ?? second }
        var limits = configuration.limits
        let (count, length) = (limit("OTEL_ATTRIBUTE_COUNT_LIMIT"), limit("OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT"))
        limits.attributeCount =
            smallest(
                limit("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT") ?? count,
                limit("OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT") ?? count) ?? limits.attributeCount
        limits.attributeValueLength =
            smallest(
                limit("OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT") ?? length,
                limit("OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT") ?? length) ?? limits.attributeValueLength
        limits.eventCount = limit("OTEL_SPAN_EVENT_COUNT_LIMIT") ?? limits.eventCount
        limits.linkCount = limit("OTEL_SPAN_LINK_COUNT_LIMIT") ?? limits.linkCount
        limits.attributeCountPerEventOrLink =
            smallest(limit("OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT"), limit("OTEL_LINK_ATTRIBUTE_COUNT_LIMIT"))
            ?? limits.attributeCountPerEventOrLink
        configuration.limits = limits
    }

    private static func sampler(_ reader: ConfigurationReader, _ configuration: inout TelemetryConfiguration) {
        let argument = reader.text("OTEL_TRACES_SAMPLER_ARG")
        guard let name = reader.text("OTEL_TRACES_SAMPLER") else { return }
        let prefix = "parentbased_"
        let root: any Sampler
        switch name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name {
        case "always_on": root = AlwaysOnSampler()
        case "always_off": root = AlwaysOffSampler()
        case "traceidratio":
            guard let share = Double(argument ?? "1"), (0...1).contains(share) else {
                return reader.report("OTEL_TRACES_SAMPLER_ARG", "expected a number from 0 to 1")
            }
            root = RatioSampler(share)
        default:
            return reader.report(
                "OTEL_TRACES_SAMPLER",
                "expected always_on, always_off or traceidratio, or one with parentbased_ before it")
        }
        configuration.sampler = name.hasPrefix(prefix) ? ParentBasedSampler(root: root) : root
    }

    private static func propagator(
        _ reader: ConfigurationReader, _ configuration: inout TelemetryConfiguration,
        _ others: [String: any TextMapPropagator],
    ) {
        guard let text = reader.text("OTEL_PROPAGATORS") else { return }
        let names = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let propagator = CompositePropagator(named: names, others: others) else {
            let known = (["tracecontext", "baggage"] + Array(others.keys).sorted()).joined(separator: ", ")
            return reader.report("OTEL_PROPAGATORS", "expected none, or some of \(known) with commas between them")
        }
        configuration.propagator = propagator
    }

    /// Sets the time between two flushes: ours, or the smaller delay of the span and the log record processor.
    private static func intervals(_ reader: ConfigurationReader, _ configuration: inout TelemetryConfiguration) {
        let spans = reader.milliseconds("OTEL_BSP_SCHEDULE_DELAY")
        let logs = reader.milliseconds("OTEL_BLRP_SCHEDULE_DELAY")
        if let delay = spans.map({ min($0, logs ?? $0) }) ?? logs { configuration.flushInterval = delay }
        let interval = "ASTROLABE_FLUSH_INTERVAL"
        guard let text = reader.text(interval) else { return }
        guard let seconds = Double(text), seconds > 0, seconds.isFinite else {
            return reader.report(interval, "expected a number of seconds above 0")
        }
        configuration.flushInterval = .seconds(min(seconds, 1e9))
    }

    /// Sets what our own variables say.
    private static func own(_ reader: ConfigurationReader, _ configuration: inout TelemetryConfiguration) {
        if let consent = reader.consent("ASTROLABE_CONSENT") { configuration.consent = consent }
        if let isAllowed = reader.word("ASTROLABE_UPLOADS_ON_CELLULAR", "on", or: "off") {
            configuration.policy.uploadsOnCellular = isAllowed
        }
        if let mode = reader.viewTracing("ASTROLABE_VIEW_TRACING") { configuration.viewTracing = mode }
        if let parts = reader.health("ASTROLABE_HEALTH") { configuration.health.keep(parts) }
        if let isOn = reader.word("ASTROLABE_RECORDER", "on", or: "off") { configuration.recorder.isEnabled = isOn }
        if let bytes = reader.whole("ASTROLABE_RECORDER_DAILY_BYTES", atLeast: 0) {
            configuration.recorder.dailyBytes = bytes
        }
        if let isOn = reader.word("ASTROLABE_REPLAY", "on", or: "off") {
            configuration.replaySettings.isEnabled = isOn
        }
        if let masking = reader.replayMasking("ASTROLABE_REPLAY_MASKING") {
            configuration.replaySettings.masking = masking
        }
        if let text = reader.text("ASTROLABE_REPLAY_UNMASKED") {
            let names = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            configuration.replaySettings.unmasked = Set(names.filter { !$0.isEmpty })
        }
    }
}
