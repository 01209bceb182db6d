import AstrolabeTestSupport
import Foundation

/// `astrolabe console`, or another command with a console, as a process of its own.
final class RunningConsole: Sendable {
    let port: Int
    private let process: Process
    private let exits: AsyncStream<Int32>
    private let output: FileHandle

    /// Starts a console and waits until it listens.
    ///
    /// - Parameter joinsErrors: Whether ``hangUp()`` returns what is written to standard error, too.
    convenience init(database: String, _ options: [String], joinsErrors: Bool = false) async throws {
        try await self.init(
            ["console", "--port", "0", "--grpc-port", "0", "--database", database] + options, joinsErrors: joinsErrors,
        )
    }

    /// Starts a command and waits until it prints its address.
    init(_ arguments: [String], joinsErrors: Bool = false) async throws {
        let (process, output) = (Process(), Pipe())
        process.executableURL = try BuiltProducts.executable(named: "astrolabe")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        if joinsErrors { process.standardError = output }
        let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            exit.yield(process.terminationReason == .exit ? process.terminationStatus : -1)
            exit.finish()
        }
        try process.run()
        var text = ""
        while !text.contains(Self.address) || !text.hasSuffix("\n") {
            let part = output.fileHandleForReading.availableData
            if part.isEmpty { break }
            text += String(decoding: part, as: UTF8.self)
        }
        guard let port = text.firstMatch(of: Self.address).flatMap({ Int($0.output.1) }) else {
            process.terminate()
            throw CocoaError(.fileReadUnknown, userInfo: [NSDebugDescriptionErrorKey: text])
        }
        self.port = port
        self.process = process
        self.exits = exits
        self.output = output.fileHandleForReading
    }

    private static var address: Regex<(Substring, Substring)> { /https?:\/\/127\.0\.0\.1:([0-9]+)/ }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Sends `SIGTERM`.
    func terminate() { process.terminate() }

    /// Sends `SIGHUP`, and returns what the process writes next.
    func hangUp() -> String {
        kill(process.processIdentifier, SIGHUP)
        return String(decoding: output.availableData, as: UTF8.self)
    }

    /// Waits until the process has ended, and returns its status, or -1 after a signal.
    func status() async -> Int32 { await exits.first { _ in true } ?? -1 }
}
