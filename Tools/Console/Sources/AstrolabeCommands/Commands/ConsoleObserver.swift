import ArgumentParser
import Astrolabe
import AstrolabeBridges
import AstrolabeRecording
import Foundation
import TelemetryConsole

/// Sends the console's own metrics and spans, with the SDK.
struct ConsoleObserver {
    private let telemetry: Telemetry
    let instruments: ConsoleInstruments

    /// - Parameter port: The port that the console listens on.
    /// - Returns: `nil` without the option `--telemetry`.
    init?(_ options: ConsoleOptions, port: Int) throws {
        guard let target = options.telemetry else { return nil }
        let address: String
        if target == "self" {
            guard port > 0 else {
                throw ValidationError("--telemetry self: expected a fixed --port, found 0")
            }
            let isSecure = options.tlsCertificate != nil
            address = "\(isSecure ? "https" : "http")://localhost:\(port)"
        } else {
            try ConsoleAddress.check(target, option: "--telemetry", example: "http://127.0.0.1:4318, or self,")
            address = target
        }
        guard let url = URL(string: address) else { return nil }
        var configuration = TelemetryConfiguration(serviceName: "astrolabe-console")
        configuration.isServer = true
        configuration.transport = CommandShell.current.capabilities.makeTransport()
        configuration.endpoint = OTLPEndpoint(url: url, headers: ConsoleKey.headers)
        configuration.sampler = ParentBasedSampler(root: AlwaysOnSampler())
        configuration.storageDirectory = options.folder.appendingPathComponent("console-telemetry")
        telemetry = Telemetry.start(configuration)
        let bridge = TelemetryBridge(telemetry, instruments: ConsoleInstruments.units.mapValues { .init(unit: $0) })
        instruments = ConsoleInstruments(metrics: bridge.metricsFactory, tracer: bridge.tracer)
    }

    /// Sends what waits, for some seconds at most.
    func shutdown() async { await telemetry.shutdown() }
}
