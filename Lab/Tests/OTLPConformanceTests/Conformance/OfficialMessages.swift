import AstrolabeTestSupport
import Foundation
import Testing

/// The official OTLP messages, as the Python package `opentelemetry-proto` has them.
enum OfficialMessages {
    /// A Python with `Scripts/requirements.txt`; `./astrolabe test` sets the variable.
    static var python: String? { ProcessInfo.processInfo.environment["ASTROLABE_PYTHON"] }

    static let skipReason: Comment = """
        ASTROLABE_PYTHON names no Python with Scripts/requirements.txt installed; ./astrolabe test makes one.
        """

    /// Runs a script of `Scripts/otlp-conformance` and returns what it prints.
    static func run(_ script: String, _ arguments: [String]) throws -> Data {
        let tools = Repository.file("Scripts/otlp-conformance")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(python))
        process.arguments = ["-B", tools.appendingPathComponent(script).path] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(script) failed; it says why above")
        return printed
    }

    /// Describes request files, in order.
    static func describe(_ signal: String, _ files: [URL]) throws -> [Canonical] {
        let printed = try run("describe.py", [signal] + files.map(\.path))
        return try printed.split(separator: UInt8(ascii: "\n")).map { line in
            try #require(Canonical(json: JSONSerialization.jsonObject(with: Data(line))))
        }
    }

    /// Runs `body` with a folder that is removed afterwards.
    static func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("otlp-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }
}
