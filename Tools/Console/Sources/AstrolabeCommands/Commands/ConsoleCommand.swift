import ArgumentParser
import AstrolabePlatform
import ClickHouse
import ConsoleModel
import Foundation
import Logging
import ServerSupport
import TelemetryConsole

/// The command that runs the local console: receives OTLP and shows it by session.
struct ConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console", abstract: "Receive OTLP over HTTP and gRPC, and show it in the browser.",
        discussion: "SIGHUP reads the certificate and the keys again. SIGTERM and SIGINT stop the console.")

    @OptionGroup var options: ConsoleOptions

    @Option(
        help: """
            A JSON file with settings by the names of the options. \(ConsoleSetting.variablePrefix)PORT and the like \
            take precedence over the file, and options over both.
            """)
    var config: String?

    @Flag(help: "Print each setting with its value and where it comes from, and exit.")
    var printConfig = false

    func run() async throws {
        let settings = try resolvedSettings()
        if printConfig { return settings.lines.forEach(say) }
        try await listen(settings.options)
    }

    private func resolvedSettings() throws -> ConsoleSettings {
        do {
            return try ConsoleSettings(
                arguments: Array(CommandShell.current.arguments.dropFirst()), file: config,
                environment: CommandShell.current.environment())
        } catch let error as ConsoleSettings.Failure {
            throw ValidationError(error.description)
        }
    }

    private func listen(_ options: ConsoleOptions) async throws {
        ProcessMemory.limit()
        var settings = try options.configuration(
            port: options.port ?? ConsoleOptions.defaultPort,
            grpcPort: options.grpcPort ?? ConsoleOptions.defaultGRPCPort)
        let observer = try ConsoleObserver(options, port: settings.port)
        if let observer { settings.instruments = observer.instruments }
        let running = Locked<ConsoleServer?>(nil)
        let reload: @Sendable () -> Void = { if let console = running.withLock({ $0 }) { Self.reload(console) } }
        try await UntilStopped.run(isSupervised: false, onHangup: reload) { [settings] in
            try await UserFacingErrors.run {
                let console = try await ConsoleServer(settings)
                running.withLock { $0 = console }
                try await console.run { ports in
                    let grpc = ports.grpc.map { "\nOTLP/gRPC: \(settings.address(port: $0))" } ?? ""
                    say("Console and OTLP/HTTP: \(settings.address(port: ports.http))/ (press Ctrl-C to stop)\(grpc)")
                    if let note = ConsoleFiles.note(keysPath: settings.keysPath) { sayError("astrolabe: \(note)") }
                }
            }
        }
        await observer?.shutdown()
    }

    private static func reload(_ console: ConsoleServer) {
        do throws(ConsoleError) {
            try console.reload()
            say("Read the certificate and the keys again.")
        } catch {
            sayError("astrolabe: \(error). The console goes on with the certificate that it has.")
        }
    }
}

/// The options that the `console` and `demo` commands share.
struct ConsoleOptions: ParsableArguments {
    @Option(help: "The address to listen on; 0.0.0.0 accepts connections from other devices and requires keys.")
    var host = "127.0.0.1"

    @Option(help: "The port for OTLP over HTTP and for the pages; 0 selects a free port. (default: 4318)")
    var port: Int?

    @Option(
        name: .customLong("grpc-port"),
        help: "The port for OTLP over gRPC; 0 selects a free port. (default: 4317)")
    var grpcPort: Int?

    @Option(help: "The SQLite file that stores the received telemetry.")
    var database = ConsoleFiles.defaultDatabase

    @Option(
        help: """
            A ClickHouse database that stores the telemetry in place of the file, such as \
            clickhouse://user@host:8123/otel. The password is read from CLICKHOUSE_PASSWORD.
            """)
    var store: String?

    @Option(help: "The folder of your boards. (default: boards, next to the database)")
    var boards: String?

    @Option(
        name: .customLong("public-name"),
        help: "A name by which a proxy on this machine makes the console public; requires keys. May be repeated.")
    var publicNames: [String] = []

    @Option(
        name: .customLong("cors-origin"),
        help: "The origin of web pages that may send OTLP, such as https://shop.example.com. May be repeated.")
    var corsOrigins: [String] = []

    @Option(help: "A PEM file with the certificate of the console and those that lead to its root, for HTTPS.")
    var tlsCertificate: String?

    @Option(help: "A PEM file with the private key of the certificate.")
    var tlsKey: String?

    @OptionGroup var forwarding: ForwardingOptions

    @OptionGroup var recorder: RecorderOptions

    @Option(
        name: .customLong("webhook-host"),
        help: """
            A host that alerts may be posted to, such as hooks.example.com or 127.0.0.1:9000. May be repeated. \
            (default: the addresses in environment variables, and none of this machine that is in a board)
            """)
    var webhookHosts: [String] = []

    @Option(
        help: """
            Where the console sends metrics and spans about itself: the address of an OTLP/HTTP server, or "self". \
            ASTROLABE_KEY is the key, if the server requires one.
            """)
    var telemetry: String?

    @Option(help: "The number of days to keep records.")
    var retentionDays = 7

    @Option(help: "The size of the database in GiB above which the oldest records are removed.")
    var retentionSize = 1.0

    @Option(help: "The connections that may stay open, for HTTP and for gRPC each; half of them from one address.")
    var connections = 512

    @Option(help: "The seconds for which the console still listens after SIGTERM, while /readyz returns 503.")
    var drainSeconds = 0

    @Option(help: "The seconds that requests have to finish when the console has stopped listening.")
    var shutdownSeconds = 5

    @Option(
        name: .customLong("conversion"),
        help: "The name of an event or span that makes a session converted; may be given several times.")
    var conversions = ConversionEvents().conversions

    @Option(
        name: .customLong("checkout"),
        help: "The name of an event, span or screen after which a session without conversion is abandoned.")
    var checkouts = ConversionEvents().checkouts

    @Option(
        name: .customLong("conversion-amount"),
        help: "The attribute of a conversion that has its amount; of several, the first that is a number counts.")
    var conversionAmounts = ConversionEvents().amounts

    /// The default port of OTLP/HTTP, so that exporters find the console without configuration.
    static let defaultPort = 4318
    /// The default port of OTLP/gRPC.
    static let defaultGRPCPort = 4317

    func validate() throws {
        // The keys are in SQL of the store.
        if let key = conversionAmounts.first(where: { $0.contains("\"") || $0.contains("'") }) {
            throw ValidationError("--conversion-amount: expected a key without quotes, found \(key)")
        }
        for (option, port) in [("--port", port), ("--grpc-port", grpcPort)] {
            guard let port, !(0...65_535).contains(port) else { continue }
            throw ValidationError("\(option): expected 0 to 65535, found \(port)")
        }
        for name in publicNames where name.isEmpty || name.contains(where: { ":/ ".contains($0) }) {
            throw ValidationError("--public-name: expected a host name such as console.example.com, found \(name)")
        }
        for origin in corsOrigins where !CrossOriginPages.isOrigin(origin.lowercased()) {
            throw ValidationError(
                "--cors-origin: expected an origin as browsers send it, such as https://shop.example.com or "
                    + "http://localhost:3000, found \(origin)")
        }
        for name in webhookHosts where name.wholeMatch(of: /[A-Za-z0-9.-]+(:[0-9]{1,5})?/) == nil {
            throw ValidationError("--webhook-host: expected a host or HOST:PORT, found \(name)")
        }
        guard (1...3_650).contains(retentionDays) else {
            throw ValidationError("--retention-days: expected 1 to 3650, found \(retentionDays)")
        }
        guard (0.01...10_000).contains(retentionSize) else {
            throw ValidationError("--retention-size: expected 0.01 to 10000 GiB, found \(retentionSize)")
        }
        guard (2...100_000).contains(connections) else {
            throw ValidationError("--connections: expected 2 to 100000, found \(connections)")
        }
        for (option, seconds) in [("--drain-seconds", drainSeconds), ("--shutdown-seconds", shutdownSeconds)] {
            guard !(0...3_600).contains(seconds) else { continue }
            throw ValidationError("\(option): expected 0 to 3600, found \(seconds)")
        }
    }

    /// The folder of the database and of the console's other files.
    var folder: URL { URL(fileURLWithPath: database).deletingLastPathComponent() }

    private func clickHouse() throws -> ClickHouseConfiguration? {
        guard let store else { return nil }
        do {
            let password = CommandShell.current.environment()[ClickHouseAddress.passwordVariable] ?? ""
            guard let transport = CommandShell.current.capabilities.clickHouse else {
                throw ConsoleError.notBuilt("a client of ClickHouse")
            }
            var configuration = ClickHouseConfiguration(
                address: try ClickHouseAddress(store), password: password, transport: transport)
            configuration.retentionDays = retentionDays
            return configuration
        } catch {
            throw ValidationError("--store: \(error)")
        }
    }

    func configuration(port: Int, grpcPort: Int?) throws -> ConsoleConfiguration {
        // Each may come from another source.
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("expected --tls-certificate and --tls-key, or neither")
        }
        let file = URL(fileURLWithPath: database)
        try OwnerFiles.createFolder(file.deletingLastPathComponent())
        var configuration = ConsoleConfiguration(databasePath: file.path)
        configuration.capabilities = CommandShell.current.capabilities
        configuration.host = host
        if let boards { configuration.boardsFolder = URL(fileURLWithPath: boards, isDirectory: true) }
        configuration.port = port
        configuration.publicNames = publicNames.map { $0.lowercased() }
        configuration.corsOrigins = corsOrigins.map { $0.lowercased() }
        if let tlsCertificate, let tlsKey {
            configuration.tls = ConsoleCertificate(certificatePath: tlsCertificate, keyPath: tlsKey)
        }
        configuration.grpcPort = grpcPort
        configuration.limits.connections = ConnectionLimits(total: connections)
        configuration.drainTime = .seconds(drainSeconds)
        configuration.shutdownTime = .seconds(shutdownSeconds)
        configuration.store.retention.age = .seconds(retentionDays * 86_400)
        configuration.store.retention.bytes = Int(retentionSize * Double(1 << 30))
        configuration.store.milestones.conversions = conversions
        configuration.store.milestones.checkouts = checkouts
        configuration.store.milestones.amounts = conversionAmounts
        configuration.clickHouse = try clickHouse()
        configuration.forwarding = try forwarding.configuration(folder: folder)
        configuration.recorderServer = try recorder.configuration()
        configuration.webhookHosts = Set(webhookHosts.map { $0.lowercased() })
        configuration.logger.logLevel = .warning
        return configuration
    }
}
