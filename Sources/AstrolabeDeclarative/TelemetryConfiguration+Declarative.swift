public import Astrolabe
import AstrolabeExtras
public import Foundation

extension TelemetryConfiguration {
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
        var file = try DeclarativeConfiguration.read(declarative, environment: environment)
        var configuration = TelemetryConfiguration()
        try file.apply(to: &configuration)
        let warnings = configuration.follow(environment.filter { !$0.key.hasPrefix("OTEL_") })
        overrides(&configuration)
        for line in file.notes + file.ignoredVariables(environment) + warnings { configuration.onDiagnostic(line) }
        return configuration
    }

    /// Loads a configuration from the file that `OTEL_CONFIG_FILE` names, as
    /// ``load(declarative:environment:overrides:)`` does. Without this variable, the others are read, as by
    /// `load(environment:overrides:)`, and `OTEL_PROPAGATORS` may also name `b3` and `b3multi`.
    ///
    ///     let configuration = try TelemetryConfiguration.load(declarativeIn: ProcessInfo.processInfo.environment)
    ///
    /// - Throws: `ConfigurationError` for a file that cannot be read.
    public static func load(
        declarativeIn environment: [String: String], overrides: (inout TelemetryConfiguration) -> Void = { _ in },
    ) throws(ConfigurationError) -> TelemetryConfiguration {
        guard let path = environment["OTEL_CONFIG_FILE"], !path.isEmpty else {
            return try load(environment: environment, propagators: B3Propagator.byName, overrides: overrides)
        }
        return try load(declarative: URL(fileURLWithPath: path), environment: environment, overrides: overrides)
    }
}
