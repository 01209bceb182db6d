import ArgumentParser
import ConsoleStore
import Foundation
import Logging
import ServerSupport
import TelemetryConsole

/// The command that runs the local console: receives OTLP and shows it by session.
struct ConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console", abstract: "Receive OTLP over HTTP and show it in the browser.", )

    @OptionGroup var options: ConsoleOptions

    func run() async throws {
        let settings = try options.configuration(port: options.port ?? ConsoleOptions.defaultPort)
        try await UntilStopped.run(isSupervised: false) {
            try await UserFacingErrors.run {
                let console = try await ConsoleServer(settings)
                try await console.run { port in
                    say("Console and OTLP endpoint: http://\(settings.host):\(port)/ (press Ctrl-C to stop)")
                }
            }
        }
    }
}

/// The options that the `console` and `demo` commands share.
struct ConsoleOptions: ParsableArguments {
    @Option(help: "The address to listen on; 0.0.0.0 accepts connections from other devices.")
    var host = "127.0.0.1"

    @Option(help: "The port for OTLP and for the pages; 0 selects a free port. (default: 4318)")
    var port: Int?

    @Option(help: "The SQLite file that stores the received telemetry.")
    var database = ".astrolabe/console.sqlite"

    @Option(help: "The folder of your boards. (default: boards, next to the database)")
    var boards: String?

    @Option(help: "The number of days to keep records.")
    var retentionDays = 7

    @Option(help: "The size of the database in GiB above which the oldest records are removed.")
    var retentionSize = 1.0

    @Option(
        name: .customLong("conversion"),
        help: "The name of an event or span that makes a session converted; may be given several times.", )
    var conversions = Milestones().conversions

    @Option(
        name: .customLong("checkout"),
        help: "The name of an event, span or screen after which a session without conversion is abandoned.", )
    var checkouts = Milestones().checkouts

    /// The default port of OTLP/HTTP, so that exporters find the console without configuration.
    static let defaultPort = 4318

    func validate() throws {
        if let port, !(0...65_535).contains(port) {
            throw ValidationError("--port: expected 0 to 65535, found \(port)")
        }
        guard (1...3_650).contains(retentionDays) else {
            throw ValidationError("--retention-days: expected 1 to 3650, found \(retentionDays)")
        }
        guard (0.01...10_000).contains(retentionSize) else {
            throw ValidationError("--retention-size: expected 0.01 to 10000 GiB, found \(retentionSize)")
        }
    }

    /// The folder of the database and of the console's other files.
    var folder: URL { URL(fileURLWithPath: database).deletingLastPathComponent() }

    func configuration(port: Int) throws -> ConsoleConfiguration {
        let file = URL(fileURLWithPath: database)
        try PrivateFiles.createFolder(file.deletingLastPathComponent())
        var configuration = ConsoleConfiguration(databasePath: file.path)
        configuration.host = host
        if let boards { configuration.boardsFolder = URL(fileURLWithPath: boards, isDirectory: true) }
        configuration.port = port
        configuration.store.retention.age = .seconds(retentionDays * 86_400)
        configuration.store.retention.bytes = Int(retentionSize * Double(1 << 30))
        configuration.store.milestones.conversions = conversions
        configuration.store.milestones.checkouts = checkouts
        configuration.logger.logLevel = .warning
        return configuration
    }
}
