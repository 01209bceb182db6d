public import Foundation

extension TelemetryConfiguration {
    /// Gathers a configuration from all sources. The stronger one wins, key by key:
    ///
    /// 1. `overrides`, what the app says in code;
    /// 2. OpenTelemetry's environment variables (`OTEL_SERVICE_NAME`, `OTEL_EXPORTER_OTLP_ENDPOINT`, ...);
    /// 3. `honeycomb.plist`;
    /// 4. a JSON file.
    ///
    ///     let configuration = try TelemetryConfiguration.load(
    ///         propertyList: Bundle.main.url(forResource: "honeycomb", withExtension: "plist"))
    ///
    /// A file that is named must exist. Keys that nobody knows are ignored, so that files may be shared.
    ///
    /// - Throws: `ConfigurationError`, which names the file, the key and what was expected.
    public static func load(
        propertyList: URL? = nil, json: URL? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        overrides: (inout TelemetryConfiguration) -> Void = { _ in },
    ) throws(ConfigurationError) -> TelemetryConfiguration {
        var configuration = TelemetryConfiguration()
        if let json { try JSONConfiguration.read(json).apply(to: &configuration) }
        if let propertyList { try PropertyListConfiguration.read(propertyList).apply(to: &configuration) }
        try EnvironmentConfiguration.read(environment).apply(to: &configuration)
        overrides(&configuration)
        return configuration
    }
}
