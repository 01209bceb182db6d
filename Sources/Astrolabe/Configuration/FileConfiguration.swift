import AstrolabeTelemetryModel
import Foundation

/// `honeycomb.plist`: `HONEYCOMB_API_KEY` and `SERVICE_NAME`, and optionally `SERVICE_VERSION`, `API_ENDPOINT` (the
/// app's backend), `OTLP_ENDPOINT` (default Honeycomb's), `VIEW_TRACING` (`off`, `compact` or `full`), `REPLAY` (true
/// or false), `REPLAY_MASKING` (`all` or `inputs`), `REPLAY_UNMASKED` (an array of identifiers) and `DEBUG`.
enum PropertyListConfiguration {
    private static let honeycomb = URL(string: "https://api.honeycomb.io")

    static func read(_ url: URL) throws(ConfigurationError) -> ConfigurationLayer {
        let values = try ConfigurationFile.read(url, expected: "a property list") { data in
            try PropertyListSerialization.propertyList(from: data, format: nil)
        }
        var layer = ConfigurationLayer()
        layer.headers["x-honeycomb-team"] = try values.requiredString("HONEYCOMB_API_KEY")
        layer.serviceName = try values.requiredString("SERVICE_NAME")
        layer.serviceVersion = try values.string("SERVICE_VERSION")
        layer.apiEndpoint = try values.url("API_ENDPOINT")
        layer.endpoint = try values.url("OTLP_ENDPOINT") ?? honeycomb
        layer.viewTracing = try values.viewTracing("VIEW_TRACING")
        layer.health = try values.health("HEALTH")
        layer.isReplayEnabled = try values.bool("REPLAY")
        layer.replayMasking = try values.replayMasking("REPLAY_MASKING")
        layer.replayUnmasked = try values.list("REPLAY_UNMASKED")
        layer.isDebug = try values.bool("DEBUG")
        return layer
    }
}

/// A JSON file, of which every part may be absent:
///
///     {
///       "version": "1.0.0",
///       "application": { "name": "ios-otel-demo", "applicationVersion": "1.0.0" },
///       "exporter": { "endpoint": "http://localhost:4318", "headers": {}, "timeout": 10, "compression": "gzip" },
///       "rum": { "region": "us-west-2", "appMonitorId": "…" },
///       "telemetry": {
///         "isSwiftUIViewInstrumentationEnabled": true, "viewTracing": "compact", "health": "all",
///         "replay": { "isEnabled": true, "masking": "all", "unmasked": ["catalogue"] }
///       }
///     }
///
/// `isSwiftUIViewInstrumentationEnabled` is the stronger of the two where it is false.
enum JSONConfiguration {
    static func read(_ url: URL) throws(ConfigurationError) -> ConfigurationLayer {
        let values = try ConfigurationFile.read(url, expected: "a JSON object") { data in
            try JSONSerialization.jsonObject(with: data)
        }
        if let version = try values.string("version"), !version.hasPrefix("1.") {
            throw values.error("version", "expected a version 1 of the format, found \(version.prefix(16))")
        }
        var layer = ConfigurationLayer()
        let application = try values.section("application")
        layer.serviceName = try application.string("name")
        layer.serviceVersion = try application.string("applicationVersion")
        let exporter = try values.section("exporter")
        layer.endpoint = try exporter.url("endpoint")
        layer.headers = try exporter.strings("headers")
        layer.timeout = try exporter.number("timeout")
        switch try exporter.string("compression") {
        case nil: break
        case "gzip": layer.isCompressed = true
        case "none": layer.isCompressed = false
        case .some: throw exporter.error("compression", "expected gzip or none")
        }
        let rum = try values.section("rum")
        if let region = try rum.string("region") { layer.resourceAttributes["cloud.region"] = .string(region) }
        if let monitor = try rum.string("appMonitorId") {
            layer.resourceAttributes["aws.rum.appmonitor.id"] = .string(monitor)
        }
        let telemetry = try values.section("telemetry")
        layer.viewTracing = try telemetry.viewTracing("viewTracing")
        layer.health = try telemetry.health("health")
        let replay = try telemetry.section("replay")
        layer.isReplayEnabled = try replay.bool("isEnabled")
        layer.replayMasking = try replay.replayMasking("masking")
        layer.replayUnmasked = try replay.list("unmasked")
        if try telemetry.bool("isSwiftUIViewInstrumentationEnabled") == false { layer.viewTracing = .off }
        return layer
    }
}

/// A configuration file of either format.
private enum ConfigurationFile {
    /// Bytes that a configuration may have; a larger file is some other file.
    private static let sizeLimit = 1_048_576

    static func read(
        _ url: URL, expected: String, parse: (Data) throws -> Any,
    ) throws(ConfigurationError) -> ConfigurationValues {
        let name = url.lastPathComponent
        let data: Data
        do { data = try Data(contentsOf: url) } catch {
            throw ConfigurationError(source: name, problem: "expected a file that can be read, found none")
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
        return ConfigurationValues(source: name, entries: entries)
    }
}
