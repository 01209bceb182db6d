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

    /// The facts about an instrument that swift-metrics does not carry.
    public struct Instrument: Hashable, Sendable {
        /// The UCUM unit of a counter, meter or recorder, such as `{order}`. Timers are in seconds.
        public var unit: String
        /// True for a meter whose values add up over its dimensions, as those of `http.server.active_requests` do.
        /// Other meters are gauges.
        public var isUpDownCounter: Bool

        /// Creates the facts; by default no unit, and meters are gauges.
        public init(unit: String = "", isUpDownCounter: Bool = false) {
            self.unit = unit
            self.isUpDownCounter = isUpDownCounter
        }
    }

    /// Creates the bridge, with the facts about metrics that swift-metrics does not carry.
    ///
    ///     TelemetryBridge(telemetry, instruments: ["shop.orders": .init(unit: "{order}")])
    ///
    /// - Parameters:
    ///   - instruments: Instruments by their labels.
    ///   - integerDimensions: The dimensions whose values become integers if they are in decimal digits. swift-metrics
    ///     has only text, but an attribute has one type on spans, logs and metrics.
    public init(
        _ telemetry: Telemetry, instruments: [String: Instrument] = [:],
        integerDimensions: Set<String> = ["http.response.status_code"],
    ) {
        self.telemetry = telemetry
        tracer = BridgedTracer(telemetry.tracer("swift-distributed-tracing"), propagator: telemetry.propagator)
        metricsFactory = BridgedMetricsFactory(
            telemetry.meter("swift-metrics"), instruments: instruments, integerDimensions: integerDimensions)
        ContextBridge.install { BridgedContext.current }
    }

    /// A handler for one logger, for `LoggingSystem.bootstrap`; its level is `info` until it is changed.
    ///
    /// - Parameters:
    ///   - version: The version of the records' scope; default none.
    ///   - mirror: Also writes lines of this level and above to standard error; default none.
    ///   - metadataProvider: Adds metadata of the moment to every line; the span needs none.
    public func logHandler(
        label: String, version: String = "", mirror: Logging.Logger.Level? = nil,
        metadataProvider: Logging.Logger.MetadataProvider? = nil,
    ) -> BridgedLogHandler {
        let mirror = mirror.map { BridgedLogHandler.Mirror(level: $0, write: BridgedLogHandler.Mirror.standardError) }
        var handler = BridgedLogHandler(telemetry.logger(label, version: version), label: label, mirror: mirror)
        handler.metadataProvider = metadataProvider
        return handler
    }

    /// Installs all three, once in a process and before anything logs.
    ///
    /// - Parameters:
    ///   - logLevel: Log lines below it are not recorded; default `info`. Each logger may change its own.
    ///   - logVersions: The versions of loggers' scopes by their labels.
    ///   - mirror: Also writes log lines of this level and above to standard error; default `warning`.
    ///   - metadataProvider: Adds metadata of the moment to every log line.
    public func bootstrap(
        logLevel: Logging.Logger.Level = .info, logVersions: [String: String] = [:],
        mirror: Logging.Logger.Level? = .warning, metadataProvider: Logging.Logger.MetadataProvider? = nil,
    ) {
        InstrumentationSystem.bootstrap(tracer)
        MetricsSystem.bootstrap(metricsFactory)
        LoggingSystem.bootstrap(
            { label, provider in
                let version = logVersions[label] ?? ""
                var handler = logHandler(label: label, version: version, mirror: mirror, metadataProvider: provider)
                handler.logLevel = logLevel
                return handler
            }, metadataProvider: metadataProvider)
    }
}
