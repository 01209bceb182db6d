public import Astrolabe
import OpenTelemetryApi

extension Telemetry {
    /// Makes this the backend of `OpenTelemetryApi`: its tracers, loggers and meters record here from now on.
    ///
    ///     let telemetry = Telemetry.start(configuration)
    ///     telemetry.registerWithOpenTelemetry()
    ///
    /// Call it once, before other code asks `OpenTelemetry.instance` for a tracer, a logger or a meter. It registers
    /// the context manager and the W3C propagators too. Spans of both APIs nest in one another.
    public func registerWithOpenTelemetry() {
        OpenTelemetry.registerTracerProvider(tracerProvider: AstrolabeTracerProvider(self))
        OpenTelemetry.registerLoggerProvider(loggerProvider: AstrolabeLoggerProvider(self))
        OpenTelemetry.registerMeterProvider(meterProvider: AstrolabeMeterProvider(self))
        OpenTelemetry.registerContextManager(contextManager: AstrolabeContextManager(self))
        OpenTelemetry.registerPropagators(
            textPropagators: [AstrolabeTraceContextPropagator()], baggagePropagator: AstrolabeBaggagePropagator(), )
    }
}
