public import Astrolabe
import AstrolabeRecording
public import OpenTelemetryApi

/// Makes tracers that record through the SDK.
///
/// The attributes and the schema URL are the instrumentation scope's.
public final class AstrolabeTracerProvider: TracerProvider, Sendable {
    private let telemetry: Telemetry

    /// Creates a provider. `Telemetry.registerWithOpenTelemetry` registers one.
    public init(_ telemetry: Telemetry) {
        self.telemetry = telemetry
    }

    public func get(
        instrumentationName: String, instrumentationVersion: String?, schemaUrl: String?,
        attributes: [String: OpenTelemetryApi.AttributeValue]?,
    ) -> any OpenTelemetryApi.Tracer {
        AstrolabeTracer(
            telemetry.tracer(
                instrumentationName, version: instrumentationVersion ?? "", schemaURL: schemaUrl ?? "",
                attributes: Attributes(attributes ?? [:])))
    }
}

final class AstrolabeTracer: OpenTelemetryApi.Tracer, Sendable {
    private let tracer: AstrolabeRecording.Tracer

    init(_ tracer: AstrolabeRecording.Tracer) {
        self.tracer = tracer
    }

    func spanBuilder(spanName: String) -> any OpenTelemetryApi.SpanBuilder {
        AstrolabeSpanBuilder(tracer, name: spanName)
    }
}
