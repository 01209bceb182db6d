import AstrolabeAppHealth
import AstrolabeDelivery
import AstrolabeTelemetryModel
import Foundation

/// `honeycomb.plist`: `HONEYCOMB_API_KEY` and `SERVICE_NAME`. Optional are `SERVICE_VERSION`, `OTLP_ENDPOINT` (default
/// Honeycomb's), `VIEW_TRACING` (`off`, `compact` or `full`), `REPLAY` (true or false), `REPLAY_MASKING` (`all` or
/// `inputs`), `REPLAY_UNMASKED` (an array of identifiers), and `DEBUG`. `CONSENT` is `pending`, `granted` or `denied`.
/// `UPLOADS_ON_CELLULAR` and `RECORDER` are true or false.
/// `API_ENDPOINT` is for the app, which reads it.
enum PropertyListConfiguration {
    private static let honeycomb = URL(string: "https://api.honeycomb.io")

    /// Sets what the file says, and returns a line for each key that it does not know.
    static func follow(
        _ url: URL, _ configuration: inout TelemetryConfiguration,
    ) throws(ConfigurationError) -> [String] {
        let reader = try ConfigurationFile.read(
            url, expected: "a property list with HONEYCOMB_API_KEY and SERVICE_NAME",
        ) { data in
            try PropertyListSerialization.propertyList(from: data, format: nil)
        }
        set(reader, &configuration)
        return try ConfigurationFile.unknownKeys(reader, url)
    }

    static func set(_ reader: ConfigurationReader, _ configuration: inout TelemetryConfiguration) {
        let key = reader.requiredText("HONEYCOMB_API_KEY")
        if let name = reader.requiredText("SERVICE_NAME") { configuration.serviceName = name }
        if let version = reader.text("SERVICE_VERSION") { configuration.serviceVersion = version }
        if let url = reader.url("OTLP_ENDPOINT") ?? honeycomb { configuration.moveEndpoint(to: url) }
        if let key { configuration.adjustEndpoint { $0.setHeader("x-honeycomb-team", to: key) } }
        if let consent = reader.consent("CONSENT") { configuration.consent = consent }
        if let isAllowed = reader.bool("UPLOADS_ON_CELLULAR") { configuration.policy.uploadsOnCellular = isAllowed }
        if let mode = reader.viewTracing("VIEW_TRACING") { configuration.viewTracing = mode }
        if let parts = reader.health("HEALTH") { configuration.health.keep(parts) }
        if let isOn = reader.bool("RECORDER") { configuration.recorder.isEnabled = isOn }
        if let isOn = reader.bool("REPLAY") { configuration.replaySettings.isEnabled = isOn }
        if let masking = reader.replayMasking("REPLAY_MASKING") { configuration.replaySettings.masking = masking }
        if let names = reader.list("REPLAY_UNMASKED") { configuration.replaySettings.unmasked = Set(names) }
        if reader.bool("DEBUG") == true { configuration.onDiagnostic = DiagnosticLog.write }
        // The app reads it.
        reader.skip("API_ENDPOINT")
    }
}

/// A JSON file, of which every part may be absent:
///
///     {
///       "version": "1.0.0",
///       "application": { "name": "my-app", "applicationVersion": "1.0.0" },
///       "exporter": { "endpoint": "http://localhost:4318", "headers": {}, "timeout": 10, "compression": "gzip" },
///       "rum": { "region": "us-west-2", "appMonitorId": "…" },
///       "telemetry": {
///         "isSwiftUIViewInstrumentationEnabled": true, "viewTracing": "compact", "health": "all",
///         "consent": "pending", "uploadsOnCellular": false,
///         "recorder": { "isEnabled": true, "dailyBytes": 2097152 },
///         "replay": { "isEnabled": true, "masking": "all", "unmasked": ["catalogue"] }
///       }
///     }
///
/// `isSwiftUIViewInstrumentationEnabled` is the stronger of the two where it is false.
enum JSONConfiguration {
    /// Sets what the file says, and returns a line for each key that it does not know.
    static func follow(
        _ url: URL, _ configuration: inout TelemetryConfiguration,
    ) throws(ConfigurationError) -> [String] {
        let reader = try ConfigurationFile.read(url, expected: "a JSON object") { data in
            try JSONSerialization.jsonObject(with: data)
        }
        set(reader, &configuration)
        return try ConfigurationFile.unknownKeys(reader, url)
    }

    static func set(_ reader: ConfigurationReader, _ configuration: inout TelemetryConfiguration) {
        if let version = reader.text("version"), !version.hasPrefix("1.") {
            reader.report("version", "expected a version 1 of the format, found \(version.prefix(16))")
        }
        let application = reader.section("application")
        if let name = application.text("name") { configuration.serviceName = name }
        if let version = application.text("applicationVersion") { configuration.serviceVersion = version }
        let exporter = reader.section("exporter")
        if let url = exporter.url("endpoint") { configuration.moveEndpoint(to: url) }
        let headers = exporter.texts("headers")
        let timeout = exporter.number("timeout")
        let isCompressed = exporter.word("compression", "gzip", or: "none")
        configuration.adjustEndpoint { endpoint in
            for (name, value) in headers { endpoint.setHeader(name, to: value) }
            if let timeout { endpoint.timeout = .seconds(min(timeout, 1e9)) }
            endpoint.isCompressed = isCompressed ?? endpoint.isCompressed
        }
        let rum = reader.section("rum")
        if let region = rum.text("region") { configuration.resourceAttributes["cloud.region"] = .string(region) }
        if let monitor = rum.text("appMonitorId") {
            configuration.resourceAttributes["aws.rum.appmonitor.id"] = .string(monitor)
        }
        telemetry(reader.section("telemetry"), &configuration)
    }

    private static func telemetry(_ reader: ConfigurationReader, _ configuration: inout TelemetryConfiguration) {
        if let consent = reader.consent("consent") { configuration.consent = consent }
        if let isAllowed = reader.bool("uploadsOnCellular") { configuration.policy.uploadsOnCellular = isAllowed }
        if let mode = reader.viewTracing("viewTracing") { configuration.viewTracing = mode }
        if let parts = reader.health("health") { configuration.health.keep(parts) }
        if reader.bool("isSwiftUIViewInstrumentationEnabled") == false { configuration.viewTracing = .off }
        let recorder = reader.section("recorder")
        if let isOn = recorder.bool("isEnabled") { configuration.recorder.isEnabled = isOn }
        if let bytes = recorder.number("dailyBytes") { configuration.recorder.dailyBytes = Int(min(bytes, 1e12)) }
        let replay = reader.section("replay")
        if let isOn = replay.bool("isEnabled") { configuration.replaySettings.isEnabled = isOn }
        if let masking = replay.replayMasking("masking") { configuration.replaySettings.masking = masking }
        if let names = replay.list("unmasked") { configuration.replaySettings.unmasked = Set(names) }
    }
}

/// A configuration file of either format.
private enum ConfigurationFile {
    /// Bytes that a configuration may have; a larger file is some other file.
    private static let sizeLimit = 1_048_576

    static func read(
        _ url: URL, expected: String, parse: (Data) throws -> Any,
    ) throws(ConfigurationError) -> ConfigurationReader {
        let name = url.lastPathComponent
        let data: Data
        do { data = try Data(contentsOf: url) } catch {
            throw ConfigurationError(source: name, problem: "no readable file at \(url.path). Expected \(expected).")
        }
        guard data.count <= sizeLimit else {
            throw ConfigurationError(source: name, problem: "expected at most \(sizeLimit) bytes, found \(data.count)")
        }
        let parsed: Any
        do { parsed = try parse(data) } catch {
            throw ConfigurationError(source: name, problem: "expected \(expected), found something else")
        }
        guard let entries = parsed as? [String: Any] else {
            throw ConfigurationError(source: name, problem: "expected \(expected) with keys at its top")
        }
        return ConfigurationReader(source: name, entries: entries)
    }

    /// A line for each key that was not asked for.
    ///
    /// - Throws: The first value that could not be read.
    static func unknownKeys(_ reader: ConfigurationReader, _ url: URL) throws(ConfigurationError) -> [String] {
        if let error = reader.errors.first { throw error }
        return reader.unknownKeys.map { "\(url.lastPathComponent): unknown key \"\($0)\". It is ignored." }
    }
}
