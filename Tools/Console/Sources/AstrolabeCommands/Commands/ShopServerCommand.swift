import ArgumentParser
import Astrolabe
import AstrolabeBridges
import AstrolabeRecording
import Foundation
import ShopServer
import TelemetryConsole

/// The command that runs the shop's backend, instrumented with the same SDK as the app.
struct ShopServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shop-server", abstract: "Serve the Astronomy Shop's /api.",
        discussion: """
            Sends telemetry to OTEL_EXPORTER_OTLP_ENDPOINT (default: http://localhost:4318).

            With ASTROLABE_RECORDER=on it keeps what it does in traces that are not sampled, and sends it if something \
            fails. With a key in \(RecorderKeySource.variable), a console that has the same key can ask for it.
            """)

    @Option(help: "The address to listen on; 0.0.0.0 accepts connections from other devices.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 selects a free port.")
    var port = 8080

    @Option(help: "The SQLite file for carts and orders. (default: in memory)")
    var database: String?

    @Flag(help: .hidden)
    var supervised = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port: expected 0 to 65535, found \(port)") }
    }

    func run() async throws {
        let telemetry = Telemetry.start(
            try TelemetryConfiguration.load { configuration in
                if configuration.serviceName == TelemetryConfiguration().serviceName {
                    configuration.serviceName = ShopBackend.name
                }
                configuration.serviceVersion = configuration.serviceVersion ?? "1.0.0"
                configuration.flushInterval = .seconds(1)
                configuration.isServer = true
                configuration.transport = CommandShell.current.capabilities.makeTransport()
                configuration.sampler = configuration.sampler ?? ParentBasedSampler(root: AlwaysOnSampler())
            })
        let version = telemetry.resource.attributes[AttributeKey.serviceVersion]?.stringValue ?? ""
        let instruments = ShopMetrics.instruments.mapValues { instrument in
            TelemetryBridge.Instrument(unit: instrument.unit, isUpDownCounter: instrument.isUpDownCounter)
        }
        TelemetryBridge(telemetry, instruments: instruments).bootstrap(logVersions: [ShopBackend.name: version])
        try await UntilStopped.run(isSupervised: supervised) {
            try await UserFacingErrors.run {
                try await serve(telemetry)
            }
        }
        await telemetry.shutdown()
    }

    private func serve(_ telemetry: Telemetry) async throws {
        var configuration = ShopBackend.Configuration()
        configuration.promotion = try promotion(telemetry)
        configuration.host = host
        configuration.port = port
        configuration.databasePath = database
        let shop = try ShopBackend(configuration: configuration)
        try await shop.run { port in
            if supervised {
                ChildMessage.ready(port: port).print()
            } else {
                say("Shop API: http://\(host):\(port)/api/products (press Ctrl-C to stop)")
            }
        }
    }

    private func promotion(_ telemetry: Telemetry) throws -> ShopBackend.Promotion? {
        guard let key = try RecorderKeySource.key(), let handler = RecorderPromotion(telemetry, key: key) else {
            return nil
        }
        return ShopBackend.Promotion(
            path: RecorderPromotion.path, maximumBodyBytes: RecorderPromotion.maximumBodyBytes,
        ) { authorization, body in
            let answer = handler.respond(authorization: authorization, body: body)
            return (answer.status, answer.body)
        }
    }
}
