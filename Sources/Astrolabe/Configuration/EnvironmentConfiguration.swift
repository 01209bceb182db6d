import AstrolabeRecording
import AstrolabeTelemetryModel
import Foundation

/// The environment variables of the OpenTelemetry specification, and our own, which begin with `ASTROLABE_`; an empty
/// value counts as absent, as the specification asks. One that cannot be read is reported and ignored.
enum EnvironmentConfiguration {
    static func read(_ environment: [String: String]) -> ConfigurationLayer {
        let set = environment.filter { name, value in
            (name.hasPrefix("OTEL_") || name.hasPrefix("ASTROLABE_")) && !value.isEmpty
        }
        let values = ConfigurationValues(source: "environment", entries: set)
        var layer = ConfigurationLayer()
        var warnings = UnusedVariables.warnings(set)
        func read<Value>(_ body: () throws(ConfigurationError) -> Value?) -> Value? {
            Self.read(&warnings, body)
        }
        layer.serviceName = read { () throws(ConfigurationError) in try values.string("OTEL_SERVICE_NAME") }
        layer.endpoint = read { () throws(ConfigurationError) in try values.url("OTEL_EXPORTER_OTLP_ENDPOINT") }
        layer.timeout = read { () throws(ConfigurationError) in
            try integer("OTEL_EXPORTER_OTLP_TIMEOUT", values, unit: " of milliseconds", atLeast: 0)
        }.map { .milliseconds($0) }
        layer.metricInterval = read { () throws(ConfigurationError) in
            try integer("OTEL_METRIC_EXPORT_INTERVAL", values, unit: " of milliseconds")
        }.map { .milliseconds($0) }
        layer.histogramAggregation = read { () throws(ConfigurationError) in try histogramAggregation(values) }
        layer.exemplars = read { () throws(ConfigurationError) in try exemplars(values) }
        layer.exceptionSignal = read { () throws(ConfigurationError) in try exceptionSignal(values) }
        layer.metricTemporality = read { () throws(ConfigurationError) in try temporality(values) }
        limits(values, &layer, &warnings)
        signals(values, &layer, &warnings)
        layer.disabledSignals = disabledSignals(values, &warnings)
        for (name, value) in read({ () throws(ConfigurationError) in
            try pairs("OTEL_EXPORTER_OTLP_HEADERS", values)
        }) ?? [] {
            layer.headers[name.lowercased()] = value
        }
        for (name, value) in read({ () throws(ConfigurationError) in
            try pairs("OTEL_RESOURCE_ATTRIBUTES", values, isNameEncoded: true)
        })
            ?? []
        {
            layer.resourceAttributes[name] = .string(value)
        }
        if let version = layer.resourceAttributes["service.version"]?.stringValue { layer.serviceVersion = version }
        if layer.serviceName == nil { layer.serviceName = layer.resourceAttributes["service.name"]?.stringValue }
        layer.isCompressed = read { () throws(ConfigurationError) in
            try choice("OTEL_EXPORTER_OTLP_COMPRESSION", values, yes: "gzip", no: "none")
        }
        layer.isDisabled = set["OTEL_SDK_DISABLED"].map { $0.lowercased() == "true" }
        layer.propagator = read { () throws(ConfigurationError) in try propagator(values) }
        layer.sampler = read { () throws(ConfigurationError) in try sampler(values) }
        layer.consent = read { () throws(ConfigurationError) in try values.consent("ASTROLABE_CONSENT") }
        layer.uploadsOnCellular = read { () throws(ConfigurationError) in
            try choice("ASTROLABE_UPLOADS_ON_CELLULAR", values, yes: "on", no: "off")
        }
        layer.viewTracing = read { () throws(ConfigurationError) in try values.viewTracing("ASTROLABE_VIEW_TRACING") }
        layer.health = read { () throws(ConfigurationError) in try values.health("ASTROLABE_HEALTH") }
        let delay = scheduleDelay(values, &warnings)
        layer.flushInterval =
            read { () throws(ConfigurationError) in try seconds("ASTROLABE_FLUSH_INTERVAL", values) } ?? delay
        layer.isReplayEnabled = read { () throws(ConfigurationError) in
            try choice("ASTROLABE_REPLAY", values, yes: "on", no: "off")
        }
        layer.replayMasking = read { () throws(ConfigurationError) in
            try values.replayMasking("ASTROLABE_REPLAY_MASKING")
        }
        layer.replayUnmasked = set["ASTROLABE_REPLAY_UNMASKED"].map { text in
            text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
        layer.warnings = warnings
        return layer
    }

    private static func seconds(_ key: String, _ values: ConfigurationValues) throws(ConfigurationError) -> Duration? {
        guard let text = try values.string(key) else { return nil }
        guard let seconds = Double(text), seconds > 0, seconds.isFinite else {
            throw values.error(key, "expected a number of seconds above 0")
        }
        return .seconds(min(seconds, 1e9))
    }

    static func choice(
        _ key: String, _ values: ConfigurationValues, yes: String, no: String,
    ) throws(ConfigurationError) -> Bool? {
        switch try values.string(key)?.lowercased() {
        case nil: nil
        case yes: true
        case no: false
        case .some: throw values.error(key, "expected \(yes) or \(no)")
        }
    }

    private static func histogramAggregation(
        _ values: ConfigurationValues
    ) throws(ConfigurationError) -> HistogramAggregation? {
        let key = "OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION"
        guard let text = try values.string(key) else { return nil }
        guard let aggregation = HistogramAggregation(rawValue: text.lowercased()) else {
            throw values.error(
                key, "expected explicit_bucket_histogram or base2_exponential_bucket_histogram", )
        }
        return aggregation
    }

    private static func exemplars(_ values: ConfigurationValues) throws(ConfigurationError) -> ExemplarFilter? {
        guard let text = try values.string("OTEL_METRICS_EXEMPLAR_FILTER") else { return nil }
        guard let filter = ExemplarFilter(rawValue: text.lowercased()) else {
            throw values.error("OTEL_METRICS_EXEMPLAR_FILTER", "expected always_off, always_on or trace_based")
        }
        return filter
    }

    private static func sampler(_ values: ConfigurationValues) throws(ConfigurationError) -> (any Sampler)? {
        guard let name = try values.string("OTEL_TRACES_SAMPLER") else { return nil }
        let ratio = try values.string("OTEL_TRACES_SAMPLER_ARG")
        let isParentBased = name.hasPrefix("parentbased_")
        let root: any Sampler
        switch isParentBased ? String(name.dropFirst("parentbased_".count)) : name {
        case "always_on": root = AlwaysOnSampler()
        case "always_off": root = AlwaysOffSampler()
        case "traceidratio":
            guard let share = Double(ratio ?? "1"), (0...1).contains(share) else {
                throw values.error("OTEL_TRACES_SAMPLER_ARG", "expected a number from 0 to 1")
            }
            root = RatioSampler(share)
        default:
            throw values.error(
                "OTEL_TRACES_SAMPLER",
                "expected always_on, always_off or traceidratio, or one with parentbased_ before it",
            )
        }
        return isParentBased ? ParentBasedSampler(root: root) : root
    }

    private static func propagator(
        _ values: ConfigurationValues
    ) throws(ConfigurationError) -> (any TextMapPropagator)? {
        guard let text = try values.string("OTEL_PROPAGATORS") else { return nil }
        let names = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let propagator = CompositePropagator(named: names) else {
            throw values.error("OTEL_PROPAGATORS", "expected a list of tracecontext, baggage, b3 and b3multi, or none")
        }
        return propagator
    }

    static func integer(
        _ key: String, _ values: ConfigurationValues, unit: String = "", atLeast least: Int = 1,
    ) throws(ConfigurationError) -> Int? {
        guard let text = try values.string(key) else { return nil }
        guard let number = Int(text), number >= least else {
            throw values.error(key, "expected a whole number\(unit)\(least == 0 ? ", 0 or more" : " above 0")")
        }
        return number
    }

    /// `name=value,name=value` with percent-encoding, the form of W3C Baggage.
    static func pairs(
        _ key: String, _ values: ConfigurationValues, isNameEncoded: Bool = false,
    ) throws(ConfigurationError) -> [(String, String)] {
        guard let text = try values.string(key) else { return [] }
        var pairs: [(String, String)] = []
        for part in text.split(separator: ",") where !part.allSatisfy(\.isWhitespace) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, let value = sides[1].removingPercentEncoding else {
                throw values.error(key, "expected name=value pairs with commas between them")
            }
            let encoded = sides[0].trimmingCharacters(in: .whitespaces)
            let name = isNameEncoded ? encoded.removingPercentEncoding ?? "" : encoded
            guard !name.isEmpty else { throw values.error(key, "expected a name before =") }
            pairs.append((name, value.trimmingCharacters(in: .whitespaces)))
        }
        return pairs
    }
}
