public import Astrolabe
import AstrolabeRecording
import CoreMetrics
public import Logging
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
    private let logVersions: [String: String]

    /// Creates the bridge, with what swift-metrics and swift-log have no words for.
    ///
    ///     TelemetryBridge(telemetry, units: ["shop.orders": "{order}"], logVersions: ["shop": "1.0.0"])
    ///
    /// - Parameters:
    ///   - units: The UCUM units of counters, meters and recorders by their labels. Timers are in seconds.
    ///   - upDownCounters: The labels of meters whose values add up over their dimensions, such as
    ///     `http.server.active_requests`. Other meters are gauges.
    ///   - logVersions: The versions of loggers' scopes by their labels.
    public init(
        _ telemetry: Telemetry, units: [String: String] = [:], upDownCounters: Set<String> = [],
        logVersions: [String: String] = [:],
    ) {
        self.telemetry = telemetry
        self.logVersions = logVersions
        tracer = BridgedTracer(telemetry.tracer("swift-distributed-tracing"), propagator: telemetry.propagator)
        metricsFactory = BridgedMetricsFactory(
            telemetry.meter("swift-metrics"), units: units, upDownCounters: upDownCounters, )
        ContextBridge.install { BridgedContext.current }
    }

    /// A handler for one logger, for `LoggingSystem.bootstrap`; its level is `info` until it is changed.
    ///
    /// - Parameters:
    ///   - mirror: Also writes lines of this level and above to standard error; default none.
    ///   - metadataProvider: Adds metadata of the moment to every line; the span needs none.
    public func logHandler(
        label: String, mirror: Logging.Logger.Level? = nil, metadataProvider: Logging.Logger.MetadataProvider? = nil,
    ) -> BridgedLogHandler {
        let mirror = mirror.map { BridgedLogHandler.Mirror(level: $0, write: BridgedLogHandler.Mirror.standardError) }
        let events = telemetry.logger(label, version: logVersions[label] ?? "")
        var handler = BridgedLogHandler(events, label: label, mirror: mirror)
        handler.metadataProvider = metadataProvider
        return handler
    }

    /// Installs all three, once in a process and before anything logs.
    ///
    /// - Parameters:
    ///   - logLevel: Log lines below it are not recorded; default `info`. Each logger may change its own.
    ///   - mirror: Also writes log lines of this level and above to standard error; default `warning`.
    ///   - metadataProvider: Adds metadata of the moment to every log line.
    public func bootstrap(
        logLevel: Logging.Logger.Level = .info, mirror: Logging.Logger.Level? = .warning,
        metadataProvider: Logging.Logger.MetadataProvider? = nil,
    ) {
        InstrumentationSystem.bootstrap(tracer)
        MetricsSystem.bootstrap(metricsFactory)
        LoggingSystem.bootstrap(
            { label, provider in
                var handler = logHandler(label: label, mirror: mirror, metadataProvider: provider)
                handler.logLevel = logLevel
                return handler
            }, metadataProvider: metadataProvider, )
    }
}
