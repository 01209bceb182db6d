public import Astrolabe
import OpenTelemetryApi

#if canImport(Darwin)
import AstrolabeRecording
#endif

extension Telemetry {
    /// Makes this the backend of `OpenTelemetryApi`: its tracers, loggers and meters record here from now on.
    ///
    ///     let telemetry = Telemetry.start(configuration)
    ///     telemetry.registerWithOpenTelemetry()
    ///
    /// Call it once, before other code asks `OpenTelemetry.instance` for a tracer, a logger or a meter. It registers
    /// the context manager and the W3C propagators too. Spans of both APIs nest in one another.
    ///
    /// On Apple platforms, what is made current reaches tasks and dispatch queues by `os_activity`, as with the API's
    /// own context manager. The process cannot go back.
    public func registerWithOpenTelemetry() {
        #if canImport(Darwin)
        Activities.install(.system)
        #endif
        OpenTelemetry.registerTracerProvider(tracerProvider: AstrolabeTracerProvider(self))
        OpenTelemetry.registerLoggerProvider(loggerProvider: AstrolabeLoggerProvider(self))
        OpenTelemetry.registerMeterProvider(meterProvider: AstrolabeMeterProvider(self))
        OpenTelemetry.registerContextManager(contextManager: AstrolabeContextManager(self))
        OpenTelemetry.registerPropagators(
            textPropagators: [AstrolabeTraceContextPropagator()], baggagePropagator: AstrolabeBaggagePropagator())
    }
}
