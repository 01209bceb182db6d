package import AstrolabeRecording
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
    /// The file that `OTEL_CONFIG_FILE` names is read by the product `AstrolabeDeclarative` only. Without it the
    /// variable is an error, because the file would take the place of the others.
    ///
    /// - Throws: `ConfigurationError` for a file that cannot be read; it names the file, key and what was expected.
    public static func load(
        json: URL? = nil, environment: [String: String] = ProcessInfo.processInfo.environment,
        overrides: (inout TelemetryConfiguration) -> Void = { _ in },
    ) throws(ConfigurationError) -> TelemetryConfiguration {
        try load(json, propertyList: nil, environment, [:], overrides)
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
        return try load(json, propertyList: propertyList, environment, [:], overrides)
    }

    /// Loads a configuration from the environment alone, with more names for `OTEL_PROPAGATORS`.
    package static func load(
        environment: [String: String], propagators: [String: any TextMapPropagator],
        overrides: (inout TelemetryConfiguration) -> Void,
    ) throws(ConfigurationError) -> TelemetryConfiguration {
        try load(nil, propertyList: nil, environment, propagators, overrides)
    }

    private static func load(
        _ json: URL?, propertyList: URL?, _ environment: [String: String],
        _ propagators: [String: any TextMapPropagator], _ overrides: (inout TelemetryConfiguration) -> Void,
    ) throws(ConfigurationError) -> TelemetryConfiguration {
        if let path = environment["OTEL_CONFIG_FILE"], !path.isEmpty {
            throw ConfigurationError(
                source: "environment", key: "OTEL_CONFIG_FILE",
                problem: "expected no file, because this product reads none. Add the product AstrolabeDeclarative, "
                    + "and call load(declarativeIn:).",
            )
        }
        // The weakest first.
        var configuration = TelemetryConfiguration()
        var lines: [String] = []
        if let json { lines += try JSONConfiguration.follow(json, &configuration) }
        if let propertyList { lines += try PropertyListConfiguration.follow(propertyList, &configuration) }
        lines += configuration.follow(environment, propagators: propagators)
        overrides(&configuration)
        for line in lines { configuration.onDiagnostic(line) }
        return configuration
    }

    /// Sets what the variables say. Returns a line for each that cannot be read or is not used.
    package mutating func follow(
        _ environment: [String: String], propagators: [String: any TextMapPropagator] = [:],
    ) -> [String] {
        hasReadEnvironment = true
        return EnvironmentConfiguration.warnings(
            EnvironmentConfiguration.follow(environment, &self, propagators: propagators))
    }
}
