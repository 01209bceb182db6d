import ArgumentParser
import Foundation
import TelemetryConsole

/// The command that sends files of the Collector's file exporter to a running console.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Send files of telemetry to a running console.",
        discussion: """
            The OpenTelemetry Collector's file exporter writes such files: one OTLP request in JSON per line.

            With --signal, a file has protobuf messages, each after its length in four bytes.

            Records that the console has already are not stored twice, so an import can be repeated. The exit status \
            is 1 if a line or a record was rejected.
            """)

    @Argument(help: "The files.")
    var files: [String]

    @Option(help: "The signal of files with protobuf messages: traces, logs, metrics or profiles.")
    var signal: Signal?

    @OptionGroup var address: ConsoleAddress

    func run() async throws {
        guard let url = URL(string: address.console) else { return }
        try await UntilStopped.run(isSupervised: false) {
            try await UserFacingErrors.run {
                var isComplete = true
                for file in files {
                    let report = try await FileImport(path: file, signal: signal, sender: ImportSender(console: url))
                        .run()
                    isComplete = isComplete && report.isComplete
                }
                guard isComplete else { throw ExitCode.failure }
            }
        }
    }
}

extension Signal: ExpressibleByArgument {}
