#if os(macOS) || os(Linux)
import Foundation

/// The scripts of `Scripts/otlp-conformance` and `Scripts/page-conformance`, which use what others have written.
package enum ConformanceScript {
    /// Python with `Scripts/requirements.txt`; `./astrolabe test` installs it.
    package static let python = ProcessInfo.processInfo.environment["ASTROLABE_PYTHON"]

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The script of axe-core, from a package that `Scripts/requirements.txt` names.
    package static var axe: String {
        get async throws { try await run("axe.py", in: "page-conformance") }
    }

    /// Runs a script, and returns the line that it prints.
    package static func run(
        _ script: String, _ arguments: [String] = [], in folder: String = "otlp-conformance", python: String? = python,
    ) async throws -> String {
        guard let python else { throw Failure(description: "expected the path of Python in ASTROLABE_PYTHON") }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-B", Repository.file("Scripts/\(folder)/\(script)").path] + arguments
        let output = Pipe()
        process.standardOutput = output
        let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { exit.yield($0.terminationStatus) }
        try process.run()
        // A program whose output is not read does not end.
        let text = Task.detached { output.fileHandleForReading.readDataToEndOfFile() }
        let status = await exits.first { _ in true }
        guard status == 0 else { throw Failure(description: "\(script) ended with status \(status ?? -1)") }
        return String(decoding: await text.value, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
#endif
