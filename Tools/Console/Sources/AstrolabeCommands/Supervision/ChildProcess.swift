import Foundation

/// A child process that runs this executable and ends when this process ends, even if it crashes.
final class ChildProcess: Sendable {
    let name: String
    /// The child's messages in order. The stream ends when the child does.
    let messages: AsyncStream<ChildMessage>

    private let process: Process
    private let input: Pipe
    private let exits: AsyncStream<Int32>

    /// - Parameters:
    ///   - name: The name to use in error messages, such as "backend".
    ///   - arguments: The subcommand and its options. `--supervised` is appended.
    ///   - environment: Variables in addition to those of this process.
    init(_ name: String, arguments: [String], environment: [String: String] = [:]) throws {
        self.name = name
        process = Process()
        input = Pipe()
        let output = Pipe()
        process.executableURL = try Self.executable()
        process.arguments = arguments + ["--supervised"]
        if !environment.isEmpty {
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        }
        process.standardInput = input
        process.standardOutput = output
        messages = Self.lines(of: output.fileHandleForReading)
        let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
        self.exits = exits
        process.terminationHandler = { process in
            exit.yield(process.terminationStatus)
            exit.finish()
        }
        try process.run()
    }

    /// Waits for the child to listen and returns its port.
    ///
    /// - Throws: `DemoFailure` if the child ends first.
    func readyPort() async throws -> Int {
        for await message in messages {
            if case .ready(let port) = message { return port }
        }
        try Task.checkCancellation()
        throw DemoFailure("the \(name) exited before it was ready; see the error above")
    }

    /// Asks the child to shut down and waits for its end, even in a cancelled task.
    ///
    /// - Parameter timeout: The time in seconds after which the child is killed.
    func stop(timeout: Double = 5) async {
        try? input.fileHandleForWriting.close()
        let pid = process.processIdentifier
        let killer = Task {
            try await Task.sleep(for: .seconds(timeout))
            kill(pid, SIGKILL)
        }
        await Task { for await _ in exits {} }.value
        killer.cancel()
    }

    /// The URL of the running executable.
    static func executable() throws -> URL {
        #if os(Linux)
        return URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        #else
        guard let url = Bundle.main.executableURL else { throw DemoFailure("cannot find the astrolabe executable") }
        return url
        #endif
    }

    private static func lines(of handle: FileHandle) -> AsyncStream<ChildMessage> {
        let (stream, continuation) = AsyncStream.makeStream(of: ChildMessage.self)
        let thread = Thread {
            var pending = Data()
            while true {
                let data = handle.availableData
                if data.isEmpty { break }
                pending.append(data)
                while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = pending[pending.startIndex..<end]
                    if let message = try? JSONDecoder().decode(ChildMessage.self, from: Data(line)) {
                        continuation.yield(message)
                    }
                    pending.removeSubrange(pending.startIndex...end)
                }
            }
            continuation.finish()
        }
        thread.start()
        return stream
    }
}

/// An error of a command, with a one-line description for the user.
struct DemoFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
