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
    /// `OTEL_CONFIG_FILE` names a file for ``load(declarative:environment:overrides:)``. It takes the place of the
    /// other variables of OpenTelemetry, which are then ignored.
    ///
    /// - Throws: `ConfigurationError` for a file that cannot be read; it names the file, key and what was expected.
    public static func load(
        json: URL? = nil, environment: [String: String] = ProcessInfo.processInfo.environment,
        overrides: (inout TelemetryConfiguration) -> Void = { _ in },
    ) throws(ConfigurationError) -> TelemetryConfiguration {
        try load(json, propertyList: nil, environment, overrides)
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
        return try load(json, propertyList: propertyList, environment, overrides)
    }

    /// Loads a configuration from a file of OpenTelemetry's declarative configuration, schema 1.0 or 1.1, in JSON.
    ///
    ///     let configuration = try TelemetryConfiguration.load(declarative: URL(fileURLWithPath: "/etc/otel.json"))
    ///
    /// The variables of OpenTelemetry are ignored, except where the file refers to them, as in `${NAME:-default}`.
    /// Variables that begin with `ASTROLABE_` are followed. Keys of the schema that the SDK cannot follow are reported
    /// to `onDiagnostic` with their line.
    ///
    /// - Parameter declarative: A file of at most 1 MiB.
    /// - Throws: `ConfigurationError` for an unknown key or a wrong value. It names the file, the line, the column, the
    ///   key, and what was expected.
    public static func load(
        declarative: URL, environment: [String: String] = ProcessInfo.processInfo.environment,
        overrides: (inout TelemetryConfiguration) -> Void = { _ in },
    ) throws(ConfigurationError) -> TelemetryConfiguration {
        var environment = environment
        environment["OTEL_CONFIG_FILE"] = declarative.path
        return try load(nil, propertyList: nil, environment, overrides)
    }

    private static func load(
        _ json: URL?, propertyList: URL?, _ environment: [String: String],
        _ overrides: (inout TelemetryConfiguration) -> Void,
    ) throws(ConfigurationError) -> TelemetryConfiguration {
        // The weakest first.
        var files: [(layer: ConfigurationLayer, url: URL)] = []
        if let json { files.append((try JSONConfiguration.read(json), json)) }
        if let propertyList { files.append((try PropertyListConfiguration.read(propertyList), propertyList)) }
        var configuration = TelemetryConfiguration()
        for file in files { file.layer.apply(to: &configuration) }
        var notes: [String] = []
        let variables: ConfigurationLayer
        if let path = environment["OTEL_CONFIG_FILE"], !path.isEmpty {
            var file = try DeclarativeConfiguration.read(URL(fileURLWithPath: path), environment: environment)
            try file.apply(to: &configuration)
            variables = EnvironmentConfiguration.read(environment.filter { !$0.key.hasPrefix("OTEL_") })
            notes = file.notes + file.ignoredVariables(environment)
        } else {
            variables = EnvironmentConfiguration.read(environment)
        }
        variables.apply(to: &configuration)
        overrides(&configuration)
        for note in notes { configuration.onDiagnostic(note) }
        for file in files {
            for key in file.layer.unknownKeys {
                configuration.onDiagnostic("\(file.url.lastPathComponent): unknown key \"\(key)\". It is ignored.")
            }
        }
        for warning in variables.warnings { configuration.onDiagnostic(warning) }
        return configuration
    }
}
