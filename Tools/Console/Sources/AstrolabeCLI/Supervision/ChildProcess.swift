import Foundation

/// Another run of this executable, which ends when this process does, however that ends.
final class ChildProcess: Sendable {
    let name: String
    /// What the child says, in its order; ends with the child.
    let messages: AsyncStream<ChildMessage>

    private let process: Process
    private let input: Pipe
    private let exits: AsyncStream<Int32>

    /// - Parameters:
    ///   - name: For messages to people: "console".
    ///   - arguments: The subcommand and its options; `--supervised` is added.
    init(_ name: String, arguments: [String]) throws {
        self.name = name
        process = Process()
        input = Pipe()
        let output = Pipe()
        process.executableURL = try Self.executable()
        process.arguments = arguments + ["--supervised"]
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

    /// The port that the child listens on; throws where it ended before it did.
    func readyPort() async throws -> Int {
        for await message in messages {
            if case .ready(let port) = message { return port }
        }
        try Task.checkCancellation()
        throw DemoFailure("the \(name) ended before it was ready; its reason is above")
    }

    /// Lets the child shut down, for at most `seconds`, and then kills it; waits for its end even in a cancelled task.
    func stop(within seconds: Double = 5) async {
        try? input.fileHandleForWriting.close()
        let pid = process.processIdentifier
        let killer = Task {
            try await Task.sleep(for: .seconds(seconds))
            kill(pid, SIGKILL)
        }
        await Task { for await _ in exits {} }.value
        killer.cancel()
    }

    /// This very program, wherever it was started from.
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

/// Why the demo could not do what it was asked to, in one line for a person.
struct DemoFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
