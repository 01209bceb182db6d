public import Foundation

extension TelemetryConfiguration {
    /// Loads a configuration from environment variables, a JSON file, and code. The stronger one wins, key by key:
    ///
    /// 1. `overrides`, what the app sets in code;
    /// 2. OpenTelemetry's environment variables (`OTEL_SERVICE_NAME`, `OTEL_EXPORTER_OTLP_ENDPOINT`, ...);
    /// 3. the JSON file, if there is one.
    ///
    /// Unknown keys of a file, and variables that cannot be read or are not used, are reported to `onDiagnostic` and
    /// otherwise ignored.
    ///
    /// - Throws: `ConfigurationError` for a file that cannot be read; it names the file, key and what was expected.
    public static func load(
        json: URL? = nil, environment: [String: String] = ProcessInfo.processInfo.environment,
        overrides: (inout TelemetryConfiguration) -> Void = { _ in },
    ) throws(ConfigurationError) -> TelemetryConfiguration {
        var files: [(ConfigurationLayer, URL)] = []
        if let json { files.append((try JSONConfiguration.read(json), json)) }
        return try load(files: files, environment, overrides)
    }

    /// Loads a configuration from a property list, and from the sources of ``load(json:environment:overrides:)``. The
    /// property list is stronger than the JSON file and weaker than the environment.
    ///
    ///     let configuration = try TelemetryConfiguration.load(
    ///         propertyList: Bundle.main.url(forResource: "honeycomb", withExtension: "plist"))
    ///
    /// - Parameter propertyList: A file with `HONEYCOMB_API_KEY` and `SERVICE_NAME`. It must exist; `nil`, which a
    ///   bundle returns for a file that it lacks, is an error.
    /// - Throws: `ConfigurationError`, which names the file, the key, and what was expected.
    public static func load(
        propertyList: URL?, json: URL? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        overrides: (inout TelemetryConfiguration) -> Void = { _ in },
    ) throws(ConfigurationError) -> TelemetryConfiguration {
        guard let propertyList else {
            throw ConfigurationError(
                source: "honeycomb.plist",
                problem: "the file is not in the app's bundle. Expected a property list with HONEYCOMB_API_KEY and "
                    + "SERVICE_NAME. Add the file to the app's target.",
            )
        }
        var files: [(ConfigurationLayer, URL)] = []
        if let json { files.append((try JSONConfiguration.read(json), json)) }
        files.append((try PropertyListConfiguration.read(propertyList), propertyList))
        return try load(files: files, environment, overrides)
    }

    /// - Parameter files: The weakest first.
    private static func load(
        files: [(layer: ConfigurationLayer, url: URL)], _ environment: [String: String],
        _ overrides: (inout TelemetryConfiguration) -> Void,
    ) throws(ConfigurationError) -> TelemetryConfiguration {
        var configuration = TelemetryConfiguration()
        for file in files { file.layer.apply(to: &configuration) }
        let variables = EnvironmentConfiguration.read(environment)
        variables.apply(to: &configuration)
        overrides(&configuration)
        for file in files {
            for key in file.layer.unknownKeys {
                configuration.onDiagnostic("\(file.url.lastPathComponent): unknown key \"\(key)\". It is ignored.")
            }
        }
        for warning in variables.warnings { configuration.onDiagnostic(warning) }
        return configuration
    }
}
