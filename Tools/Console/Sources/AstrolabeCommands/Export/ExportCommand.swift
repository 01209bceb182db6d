import ArgumentParser
import AstrolabePlatform
import AstrolabeTelemetryModel
import ConsoleModel
import ConsoleStore
import Foundation
import TelemetryConsole
import TelemetryQuery

/// The command that writes the records of a console's database to a file that `astrolabe import` reads.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the records of a console to a file of OTLP.",
        discussion: """
            Each line of the file is one OTLP request in JSON, as the OpenTelemetry Collector's file exporter writes it.

            With --signal, the file has the records of one signal as protobuf messages, each after its length in four \
            bytes.

            The database is only read, so a console may write to it meanwhile. Of several conditions, all must hold. \
            astrolabe import reads the file with the same --signal.
            """)

    @Argument(help: "The file to write. It must not exist.")
    var file: String

    @Option(help: "The signal of a file with protobuf messages: traces, logs or metrics.")
    var signal: Signal?

    @OptionGroup var files: ConsoleFiles

    @Option(help: "The time at which the records start, such as \"last 24h\", or \"from 2026-11-24 to 2026-11-25\".")
    var time: String?

    @Option(help: "The value of service.name.")
    var service: String?

    @Option(help: "The id of a session. Records of its traces without a session of their own are included.")
    var session: String?

    @Option(help: "The id of a trace, in 32 hexadecimal digits.")
    var trace: String?

    func validate() throws {
        if signal == .profiles {
            throw ValidationError(
                "--signal: expected traces, logs or metrics, found profiles; the console has profiles as logs")
        }
        _ = try filter(now: 0)
    }

    func run() async throws {
        try await UntilStopped.run(isSupervised: false) {
            try await UserFacingErrors.run {
                let export = try StoreExport(
                    path: files.databaseFile.path,
                    filter: try filter(now: Int64(clamping: SystemTime.wall)),
                )
                let records = try FileExport(export: export, signal: signal, path: file).run()
                say("\(file): exported \(records) records")
            }
        }
    }

    private func filter(now: Int64) throws -> ExportFilter {
        var filter = ExportFilter()
        filter.service = service
        filter.session = session
        if let trace {
            guard let id = TraceID(hex: trace.lowercased()) else {
                throw ValidationError("--trace: expected 32 hexadecimal digits, found \(trace.debugDescription)")
            }
            filter.trace = id
        }
        guard let time else { return filter }
        do {
            switch try TimeRange(text: time) {
            // The present moment belongs to it.
            case .last(let nanoseconds): filter.times = now - nanoseconds..<now + 1
            case .between(let from, let to): filter.times = from..<to
            }
        } catch {
            throw ValidationError("--time: \(error)")
        }
        return filter
    }
}
