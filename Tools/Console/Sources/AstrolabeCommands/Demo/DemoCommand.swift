import ArgumentParser
import ConsoleAccess
import ConsoleModel
import Foundation
import ServerSupport
import ShopHistory
import Symbolication
import TelemetryConsole

/// The command that runs the console, the shop's backend, the phone and a shopper together.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Run the simulated phone, the shop's backend and the console.")

    @OptionGroup var console: ConsoleOptions

    @OptionGroup var app: AppOptions

    @Option(help: "The backend's port; 0 selects a free port.")
    var shopPort = 0

    @Flag(help: "Make one trip, check that its telemetry arrives, and exit; the status is not 0 if it does not.")
    var once = false

    @Flag(help: "With --once: unplug the console during the trip, and check that no telemetry is lost.")
    var unplugged = false

    @Option(help: "The seed that selects what is bought. (default: random)")
    var seed: UInt64?

    @Option(
        defaultAsFlag: HistorySettings.defaultSessions,
        help: "First fill the console with this many synthetic sessions of the last two days.")
    var history: Int?

    @OptionGroup var historyOptions: HistoryOptions

    func validate() throws {
        if let history { try HistoryOptions.check(history, name: "--history") }
        guard (0...65_535).contains(shopPort) else {
            throw ValidationError("--shop-port: expected 0 to 65535, found \(shopPort)")
        }
        if console.tlsCertificate != nil {
            throw ValidationError("--tls-certificate: the programs of the demo send over HTTP; use astrolabe console")
        }
        if app.app != nil, once || history != nil {
            throw ValidationError("--once and --history are about the shop; expected --app without them")
        }
        if app.device != nil, once { throw ValidationError("--once runs no phone; expected --device without it") }
        if app.app == nil, app.backend != nil { throw ValidationError("--backend requires --app") }
        if unplugged, !once {
            throw ValidationError("--unplugged requires --once. Without --once, type u to unplug the console.")
        }
    }

    func run() async throws {
        try await UntilStopped.run(isSupervised: false) {
            try await UserFacingErrors.run {
                let own = try await app.executable()
                let receivesGRPC = CommandShell.current.capabilities.grpc != nil
                var ports = (
                    console: console.port ?? ConsoleOptions.defaultPort,
                    grpc: console.grpcPort ?? (receivesGRPC ? ConsoleOptions.defaultGRPCPort : nil),
                )
                while true {
                    do {
                        return try await start(own, consolePort: ports.console, grpcPort: ports.grpc)
                    } catch ListeningError.addressInUse(_, let port) where port == ports.console && console.port == nil
                    {
                        say("Port \(port) is in use; the console uses a free port instead.")
                        ports.console = 0
                    } catch ListeningError.addressInUse(_, let port) where port == ports.grpc && console.grpcPort == nil
                    {
                        say("Port \(port) is in use; the console uses a free port for OTLP/gRPC instead.")
                        ports.grpc = 0
                    }
                }
            }
        }
    }

    /// Runs the demo. The console stops last, so that the final telemetry of the backend and the shopper arrives.
    ///
    /// - Parameter own: The app of `--app`; `nil` for the shop.
    private func start(_ own: URL?, consolePort: Int, grpcPort: Int?) async throws {
        let key = KeyText(.ingest)
        let folder = console.folder.appendingPathComponent(own.map { "phone-\($0.lastPathComponent)" } ?? "phone")
        let phone =
            once
            ? nil
            : try DemoPhone(
                executable: try own ?? AppExecutable.find(), folder: folder, key: key,
                helloTimeout: .seconds(app.helloTimeout), device: app.device)
        var configuration = try console.configuration(port: consolePort, grpcPort: grpcPort)
        configuration.ownKey = key
        // Names that the user gives go before those of the shop.
        if own == nil, configuration.store.milestones == ConversionEvents() { configuration.store.milestones = .shop }
        let recorder = ShopRecorder()
        if own == nil, configuration.recorderServer == nil { configuration.recorderServer = recorder.server }
        let headers = ConsoleKey.headers(key.text)
        let plug = ConsoleSwitch(configuration, sites: phone.map { [$0.site] } ?? [])
        try await plug.plugIn()
        if let phone {
            // Each new build copies tens of megabytes, which nothing needs before the first crash.
            Task.detached { phone.keepSymbols(in: SymbolStore(folder: configuration.symbolsFolder)) }
        }
        let outcome: Result<Void, any Error>
        do {
            let address = await plug.address
            if let history, let url = URL(string: address) {
                try await historyOptions.send(history, to: url, headers: headers)
            }
            if own != nil, let phone {
                try await AppStage(plug: plug, phone: phone, backend: try await app.startBackend()).run()
                return try await plug.unplug()
            }
            // The backend and the shopper inherit the environment; the phone gets it from its own configuration.
            setenv("OTEL_EXPORTER_OTLP_HEADERS", DemoPhone.exporterHeaders(key), 1)
            let stage = DemoStage(
                plug: plug, phone: phone, consoleURL: address, shopPort: shopPort, recorder: recorder, seed: seed)
            try await stage.run(once ? (unplugged ? .onceUnplugged : .once) : .untilStopped)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        try await plug.unplug()
        try outcome.get()
    }
}
