import AstrolabeTelemetryModel
import Foundation

/// `honeycomb.plist`: `HONEYCOMB_API_KEY` and `SERVICE_NAME`. Optional are `SERVICE_VERSION`, `OTLP_ENDPOINT` (default
/// Honeycomb's), `VIEW_TRACING` (`off`, `compact` or `full`), `REPLAY` (true or false), `REPLAY_MASKING` (`all` or
/// `inputs`), `REPLAY_UNMASKED` (an array of identifiers), and `DEBUG`. `CONSENT` is `pending`, `granted` or `denied`.
/// `UPLOADS_ON_CELLULAR` is true or false.
/// `API_ENDPOINT` is for the app, which reads it.
enum PropertyListConfiguration {
    private static let honeycomb = URL(string: "https://api.honeycomb.io")

    static func read(_ url: URL) throws(ConfigurationError) -> ConfigurationLayer {
        let values = try ConfigurationFile.read(
            url, expected: "a property list with HONEYCOMB_API_KEY and SERVICE_NAME",
        ) { data in
            try PropertyListSerialization.propertyList(from: data, format: nil)
        }
        var layer = ConfigurationLayer()
        layer.headers["x-honeycomb-team"] = try values.requiredString("HONEYCOMB_API_KEY")
        layer.serviceName = try values.requiredString("SERVICE_NAME")
        layer.serviceVersion = try values.string("SERVICE_VERSION")
        layer.endpoint = try values.url("OTLP_ENDPOINT") ?? honeycomb
        layer.consent = try values.consent("CONSENT")
        layer.uploadsOnCellular = try values.bool("UPLOADS_ON_CELLULAR")
        layer.viewTracing = try values.viewTracing("VIEW_TRACING")
        layer.health = try values.health("HEALTH")
        layer.isReplayEnabled = try values.bool("REPLAY")
        layer.replayMasking = try values.replayMasking("REPLAY_MASKING")
        layer.replayUnmasked = try values.list("REPLAY_UNMASKED")
        layer.isDebug = try values.bool("DEBUG")
        layer.unknownKeys = values.keys(except: [
            "HONEYCOMB_API_KEY", "SERVICE_NAME", "SERVICE_VERSION", "OTLP_ENDPOINT", "VIEW_TRACING", "HEALTH", "REPLAY",
            "REPLAY_MASKING", "REPLAY_UNMASKED", "DEBUG", "API_ENDPOINT", "CONSENT",
            "UPLOADS_ON_CELLULAR",
        ])
        return layer
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
        layer.timeout = try exporter.number("timeout").map { .seconds(min($0, 1e9)) }
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
        layer.consent = try telemetry.consent("consent")
        layer.uploadsOnCellular = try telemetry.bool("uploadsOnCellular")
        layer.viewTracing = try telemetry.viewTracing("viewTracing")
        layer.health = try telemetry.health("health")
        let replay = try telemetry.section("replay")
        layer.isReplayEnabled = try replay.bool("isEnabled")
        layer.replayMasking = try replay.replayMasking("masking")
        layer.replayUnmasked = try replay.list("unmasked")
        if try telemetry.bool("isSwiftUIViewInstrumentationEnabled") == false { layer.viewTracing = .off }
        layer.unknownKeys =
            values.keys(except: ["version", "application", "exporter", "rum", "telemetry"])
            + application.keys(except: ["name", "applicationVersion"])
            + exporter.keys(except: ["endpoint", "headers", "timeout", "compression"])
            + rum.keys(except: ["region", "appMonitorId"])
            + telemetry.keys(except: [
                "isSwiftUIViewInstrumentationEnabled", "viewTracing", "health", "consent", "uploadsOnCellular",
                "replay",
            ])
            + replay.keys(except: ["isEnabled", "masking", "unmasked"])
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
        return ConfigurationValues(source: name, entries: entries)
    }
}
