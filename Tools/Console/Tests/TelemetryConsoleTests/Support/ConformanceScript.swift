import AstrolabeTestSupport
import Foundation
import Testing

/// The scripts of `Scripts/otlp-conformance` and `Scripts/page-conformance`, which use what others have written.
enum ConformanceScript {
    /// Python with `Scripts/requirements.txt`; `./astrolabe test` installs it.
    static let python = ProcessInfo.processInfo.environment["ASTROLABE_PYTHON"]

    static let needsPython = ConditionTrait.enabled(
        if: python != nil,
        "ASTROLABE_PYTHON names no Python with Scripts/requirements.txt installed; ./astrolabe test makes one", )

    /// Runs a script, and returns the line that it prints.
    static func run(
        _ script: String, _ arguments: [String] = [], in folder: String = "otlp-conformance", python: String? = python,
    ) async throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(python))
        process.arguments = ["-B", Repository.file("Scripts/\(folder)/\(script)").path] + arguments
        let output = Pipe()
        process.standardOutput = output
        let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { exit.yield($0.terminationStatus) }
        try process.run()
        // A program whose output is not read does not end.
        let text = Task.detached { output.fileHandleForReading.readDataToEndOfFile() }
        #expect(await exits.first { _ in true } == 0)
        return String(decoding: await text.value, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
