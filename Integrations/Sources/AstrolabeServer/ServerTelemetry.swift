public import Astrolabe
public import AstrolabeBridges
public import Logging
public import ServiceLifecycle

/// The SDK of a server as a service.
///
///     let telemetry = ServerTelemetry.bootstrap(TelemetryConfiguration(serviceName: "shop"))
///     let group = ServiceGroup(
///         services: [telemetry, server], gracefulShutdownSignals: [.sigterm, .sigint], logger: Logger(label: "shop"))
///     try await group.run()
///
/// It records through swift-log, swift-metrics and swift-distributed-tracing, with the bounds of
/// `TelemetryConfiguration.isServer`, sends with a ``ServerTransport``, and measures the process. As the first service
/// of a group it ends last: a group shuts its services down in reverse order.
public struct ServerTelemetry: Service {
    /// The running SDK.
    public let telemetry: Telemetry
    /// Connects the three packages to the SDK.
    public let bridge: TelemetryBridge
    /// The time that the end may take to send what waits. Default 5 s. Records that remain are sent by the next start.
    public var shutdownTimeout: Duration = .seconds(5)

    /// Starts the SDK and installs the bridges. Call it once in a process, and before anything logs.
    ///
    /// - Parameters:
    ///   - configuration: `isServer` is set. A transport that is not the default stays.
    ///   - instruments: The facts about metrics that swift-metrics does not carry, by their labels.
    ///   - logLevel: Log lines below it are not recorded; default `info`.
    ///   - mirror: Also writes log lines of this level and above to standard error; default `warning`.
    public static func bootstrap(
        _ configuration: TelemetryConfiguration, instruments: [String: TelemetryBridge.Instrument] = [:],
        logLevel: Logging.Logger.Level = .info, mirror: Logging.Logger.Level? = .warning,
    ) -> ServerTelemetry {
        let server = ServerTelemetry(configuration, instruments: instruments)
        server.bridge.bootstrap(logLevel: logLevel, mirror: mirror)
        return server
    }

    /// Starts the SDK. Nothing is installed: for a server that has other backends for the three packages.
    public init(_ configuration: TelemetryConfiguration, instruments: [String: TelemetryBridge.Instrument] = [:]) {
        var configuration = configuration
        configuration.isServer = true
        if configuration.transport is URLSessionTransport { configuration.transport = ServerTransport() }
        telemetry = Telemetry.start(configuration)
        bridge = TelemetryBridge(telemetry, instruments: instruments)
        ProcessMonitor.observe(telemetry.meter("astrolabe.server"))
    }

    /// Waits for the graceful shutdown or for cancellation, and then sends what waits.
    public func run() async {
        try? await gracefulShutdown()
        // In a task of its own, because this one may be cancelled.
        _ = await Task { await telemetry.shutdown(timeout: shutdownTimeout) }.value
    }
}
