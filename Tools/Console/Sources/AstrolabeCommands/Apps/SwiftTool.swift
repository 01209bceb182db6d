import Foundation

/// Runs SwiftPM. Its messages go to standard error as they are.
enum SwiftTool {
    /// - Returns: The exit status.
    static func run(_ arguments: [String]) async throws -> Int32 {
        try await start(["swift"] + arguments, output: FileHandle.standardError)
    }

    /// Runs a script of the repository.
    ///
    /// - Returns: The exit status.
    static func run(_ script: URL, _ arguments: [String]) async throws -> Int32 {
        try await start([script.path] + arguments, output: FileHandle.standardError)
    }

    /// Returns what SwiftPM writes to standard output.
    ///
    /// - Throws: `DemoFailure` if it fails.
    static func output(_ arguments: [String]) async throws -> Data {
        let pipe = Pipe()
        let reading = Task.detached { try pipe.fileHandleForReading.readToEnd() ?? Data() }
        guard try await start(["swift"] + arguments, output: pipe) == 0 else {
            throw DemoFailure("swift \(arguments.joined(separator: " ")) failed; see the errors above")
        }
        return try await reading.value
    }

    /// - Parameter arguments: The program and its arguments.
    private static func start(_ arguments: [String], output: Any) async throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        // The repository's own builds use it, too, so that both share one build. See Scripts/lib/build.sh.
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["SWIFT_DETERMINISTIC_HASHING": "1"], uniquingKeysWith: { own, _ in own })
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            exit.yield(process.terminationReason == .exit ? process.terminationStatus : -1)
            exit.finish()
        }
        try process.run()
        if let pipe = output as? Pipe { try pipe.fileHandleForWriting.close() }
        return await withTaskCancellationHandler {
            await exits.first { _ in true } ?? -1
        } onCancel: {
            process.terminate()
        }
    }
}
