public import Astrolabe
import CoreMetrics
public import Logging
import Recording
import Tracing

/// Makes the SDK the backend of swift-distributed-tracing, swift-log and swift-metrics.
///
///     let telemetry = Telemetry.start(configuration)
///     TelemetryBridge(telemetry).bootstrap()
///     // from here on Hummingbird, your libraries and your own code record through the SDK
///
/// Spans of both worlds nest in one another: inside `withSpan` of either, the current span is the parent of the next.
public struct TelemetryBridge: Sendable {
    /// For `InstrumentationSystem.bootstrap`.
    public let tracer: BridgedTracer
    /// For `MetricsSystem.bootstrap`.
    public let metricsFactory: BridgedMetricsFactory

    private let telemetry: Telemetry

    public init(_ telemetry: Telemetry) {
        self.telemetry = telemetry
        tracer = BridgedTracer(telemetry.tracer("swift-distributed-tracing"))
        metricsFactory = BridgedMetricsFactory(telemetry.meter("swift-metrics"))
        ContextBridge.install(BridgedContext.innermost)
    }

    /// A handler for one logger, for `LoggingSystem.bootstrap`.
    ///
    /// - Parameter mirror: Also writes lines of this level and above to standard error; default none.
    public func logHandler(label: String, mirror: Logging.Logger.Level? = nil) -> BridgedLogHandler {
        BridgedLogHandler(telemetry.eventLogger(label), label: label, mirror: mirror)
    }

    /// Installs all three, once in a process and before anything logs.
    ///
    /// - Parameter mirror: Also writes log lines of this level and above to standard error; default `warning`.
    public func bootstrap(mirror: Logging.Logger.Level? = .warning) {
        InstrumentationSystem.bootstrap(tracer)
        MetricsSystem.bootstrap(metricsFactory)
        LoggingSystem.bootstrap { label in logHandler(label: label, mirror: mirror) }
    }
}
