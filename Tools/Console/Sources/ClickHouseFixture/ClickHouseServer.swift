package import ClickHouse
import ConsoleTransports
package import Foundation

/// ClickHouse as a child process: the engine behind `Scripts/clickhouse`.
///
/// `./astrolabe test` installs the engine and names the command in the environment variable `ASTROLABE_CLICKHOUSE`.
package final class ClickHouseServer: Sendable {
    /// The interpreter and the script, or `nil` if the engine is not installed.
    package static let command: [String]? = {
        let command = ProcessInfo.processInfo.environment["ASTROLABE_CLICKHOUSE"]?.split(separator: " ")
        return command.flatMap { $0.isEmpty ? nil : $0.map(String.init) }
    }()

    package static let isMissing: String =
        "ASTROLABE_CLICKHOUSE names no ClickHouse; ./astrolabe test installs it, if chdb can be installed here"

    package struct StartError: Error {
        let detail: String
    }

    package let port: Int
    private let process: Process
    /// The server ends when this end of its standard input is closed, so also when this process is killed.
    private let input: Pipe
    private let exited: Task<Void, Never>

    /// Starts a server and waits until it listens.
    ///
    /// - Parameters:
    ///   - folder: Where it keeps its data.
    ///   - port: 0 for any free port.
    package init(folder: URL, port: Int = 0, password: String = "") async throws {
        guard let command = Self.command else { throw StartError(detail: Self.isMissing) }
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments =
            command.dropFirst() + ["--port", "\(port)", "--folder", folder.path, "--while-stdin-is-open"]
        process.environment = ProcessInfo.processInfo.environment.merging(["CLICKHOUSE_PASSWORD": password]) { $1 }
        process.standardInput = input
        process.standardOutput = output
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in end.finish() }
        try process.run()
        let line = await Self.firstLine(of: output.fileHandleForReading)
        guard let port = line.split(separator: " ").lazy.compactMap({ URL(string: String($0))?.port }).first else {
            throw StartError(detail: "ClickHouse did not say where it listens: \(line)")
        }
        self.port = port
        self.process = process
        self.input = input
        exited = Task { for await _ in ends {} }
    }

    private static func firstLine(of handle: FileHandle) async -> String {
        await withCheckedContinuation { continuation in
            Thread {
                var text = Data()
                while !text.contains(UInt8(ascii: "\n")) {
                    let part = handle.availableData
                    if part.isEmpty { break }
                    text.append(part)
                }
                let line = String(decoding: text, as: UTF8.self)
                continuation.resume(returning: line.trimmingCharacters(in: .whitespacesAndNewlines))
            }.start()
        }
    }

    /// A client of the server and of a database in it, which need not exist.
    package func client(
        database: String = "otel", user: String = "default", password: String = "",
    ) throws -> ClickHouseClient {
        let address = try ClickHouseAddress("clickhouse://\(user)@127.0.0.1:\(port)/\(database)")
        var configuration = ClickHouseConfiguration(
            address: address, password: password, transport: ClickHouseHTTP())
        // The records of tests are of any time from 1970 on.
        configuration.retentionDays = 25_000
        configuration.timeout = .seconds(300)
        return ClickHouseClient(configuration)
    }

    /// Kills the server with `SIGKILL` and waits until it has ended.
    package func kill() async {
        Foundation.kill(process.processIdentifier, SIGKILL)
        await exited.value
    }
}
