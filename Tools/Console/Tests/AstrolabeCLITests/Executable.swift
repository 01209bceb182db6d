import AstrolabePlatform
import AstrolabeTestSupport
import Foundation

/// The `astrolabe` executable, started as from a shell in an empty folder.
enum Executable {
    /// Runs the built executable until it exits, and returns its status and all of its output.
    ///
    /// - Parameters:
    ///   - program: `astrolabe`, or `astrolabe-local`, which the front door runs for most commands.
    ///   - isRecording: Whether the program records telemetry about itself.
    static func run(
        _ arguments: [String], program: String = "astrolabe", isRecording: Bool = true,
    ) async throws -> (status: Int32, output: String) {
        let folder = TemporaryDirectory()
        try PrivateFiles.makeDirectory(folder.path)
        let process = Process()
        process.executableURL = try BuiltProducts.executable(named: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path, isDirectory: true)
        var environment = ProcessInfo.processInfo.environment.filter { key, _ in
            !key.hasPrefix("OTEL_") && key != "ASTROLABE_KEY"
        }
        environment["XDG_STATE_HOME"] = folder.path
        if !isRecording { environment["OTEL_SDK_DISABLED"] = "true" }
        process.environment = environment
        let log = folder.path + "/output"
        guard FileManager.default.createFile(atPath: log, contents: nil) else { throw CocoaError(.fileWriteUnknown) }
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        process.standardOutput = handle
        process.standardError = handle
        process.standardInput = FileHandle.nullDevice
        let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { exit.yield($0.terminationStatus) }
        try process.run()
        let status = await exits.first { _ in true } ?? -1
        return (status, String(decoding: try Data(contentsOf: URL(fileURLWithPath: log)), as: UTF8.self))
    }
}
