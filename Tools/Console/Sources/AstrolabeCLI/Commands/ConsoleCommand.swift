import ArgumentParser
import ConsoleStore
import Foundation
import Logging
import TelemetryConsole

/// The local console: takes OTLP, and shows it by session.
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
                    say("The console is at http://\(settings.host):\(port)/ and takes OTLP there (Ctrl-C stops it).")
                }
            }
        }
    }
}

/// What the console and the demo ask alike.
struct ConsoleOptions: ParsableArguments {
    @Option(help: "The console's address; 0.0.0.0 lets other devices in.")
    var host = "127.0.0.1"

    @Option(help: "The console's port, for OTLP and for the pages; 0 takes a free one. (default: 4318)")
    var port: Int?

    @Option(help: "The SQLite file that keeps what was received.")
    var database = ".astrolabe/console.sqlite"

    @Option(help: "Days after which records are removed.")
    var retentionDays = 7

    /// OTLP/HTTP's own, so that exporters find the console unconfigured.
    static let defaultPort = 4318

    func validate() throws {
        if let port, !(0...65_535).contains(port) {
            throw ValidationError("--port: expected 0 to 65535, found \(port)")
        }
        guard (1...3_650).contains(retentionDays) else {
            throw ValidationError("--retention-days: expected 1 to 3650, found \(retentionDays)")
        }
    }

    /// Where the database is, and what else is kept.
    var folder: URL { URL(fileURLWithPath: database).deletingLastPathComponent() }

    func configuration(port: Int) throws -> ConsoleConfiguration {
        let file = URL(fileURLWithPath: database)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true, )
        var configuration = ConsoleConfiguration(databasePath: file.path)
        configuration.host = host
        configuration.port = port
        configuration.store.retention.age = .seconds(retentionDays * 86_400)
        configuration.logger.logLevel = .warning
        return configuration
    }
}
