public import AstrolabeRecording
public import AstrolabeTelemetryModel

/// Instrumentation scopes: who records.
extension Telemetry {
    /// A tracer for one library or part of the app.
    ///
    /// - Parameters:
    ///   - schemaURL: The schema that its records follow, such as `https://opentelemetry.io/schemas/1.44.0`; empty if
    ///     it follows none. At most 256 bytes.
    ///   - attributes: Attributes of the instrumentation scope. Tracers, loggers and meters that differ in them or in
    ///     the schema are different scopes.
    public func tracer(
        _ name: String, version: String = "", schemaURL: String = "", attributes: Attributes = [:],
    ) -> Tracer {
        Tracer(core: core, scope: scope(name, version, schemaURL, attributes))
    }

    /// A logger of log lines and events for one library or part of the app.
    ///
    /// - Parameters:
    ///   - schemaURL: The schema that its records follow, such as `https://opentelemetry.io/schemas/1.44.0`; empty if
    ///     it follows none. At most 256 bytes.
    ///   - attributes: Attributes of the instrumentation scope. Tracers, loggers and meters that differ in them or in
    ///     the schema are different scopes.
    public func logger(
        _ name: String, version: String = "", schemaURL: String = "", attributes: Attributes = [:],
    ) -> EventLogger {
        EventLogger(
            core: core, scope: scope(name, version, schemaURL, attributes), isOfApp: true,
            minimumSeverity: minimumSeverity)
    }

    /// A meter for one library or part of the app.
    ///
    /// - Parameters:
    ///   - schemaURL: The schema that its records follow, such as `https://opentelemetry.io/schemas/1.44.0`; empty if
    ///     it follows none. At most 256 bytes.
    ///   - attributes: Attributes of the instrumentation scope. Tracers, loggers and meters that differ in them or in
    ///     the schema are different scopes.
    public func meter(
        _ name: String, version: String = "", schemaURL: String = "", attributes: Attributes = [:],
    ) -> Meter {
        Meter(registry: registry, scope: scope(name, version, schemaURL, attributes))
    }

    private func scope(
        _ name: String, _ version: String, _ schemaURL: String, _ attributes: Attributes,
    ) -> InstrumentationScope {
        InstrumentationScope(name: name, version: version, schemaURL: schemaURL, attributes: attributes)
    }
}
