import AstrolabeTestSupport
import Foundation

/// `astrolabe console`, or another command with a console, as a process of its own.
final class RunningConsole: Sendable {
    let port: Int
    private let process: Process
    private let exits: AsyncStream<Int32>

    /// Starts a console and waits until it listens.
    convenience init(database: String, _ options: [String]) async throws {
        try await self.init(["console", "--port", "0", "--grpc-port", "0", "--database", database] + options)
    }

    /// Starts a command and waits until it prints its address.
    init(_ arguments: [String]) async throws {
        let (process, output) = (Process(), Pipe())
        process.executableURL = try BuiltProducts.executable(named: "astrolabe")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            exit.yield(process.terminationReason == .exit ? process.terminationStatus : -1)
            exit.finish()
        }
        try process.run()
        var text = ""
        while !text.contains("http://") || !text.hasSuffix("\n") {
            let part = output.fileHandleForReading.availableData
            if part.isEmpty { break }
            text += String(decoding: part, as: UTF8.self)
        }
        let digits = text.split(separator: "http://127.0.0.1:").dropFirst().first?.prefix { $0.isNumber }
        guard let port = digits.flatMap({ Int($0) }) else {
            process.terminate()
            throw CocoaError(.fileReadUnknown, userInfo: [NSDebugDescriptionErrorKey: text])
        }
        self.port = port
        self.process = process
        self.exits = exits
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Sends `SIGTERM`.
    func terminate() { process.terminate() }

    /// Waits until the process has ended, and returns its status, or -1 after a signal.
    func status() async -> Int32 { await exits.first { _ in true } ?? -1 }
}
