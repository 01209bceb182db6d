import Foundation

/// Measures DuckDB and ClickHouse over the same spans: `Scripts/query-engines` reads them from tab-separated files.
struct OtherEngines {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private let command: [String]

    /// - Parameter command: A Python interpreter and the script, with a space between them.
    init(_ command: String?) {
        self.command = (command ?? "").split(separator: " ").map(String.init)
    }

    /// Returns the times of DuckDB and ClickHouse in milliseconds by question, and their bytes for each span as
    /// `bytes`; `nil` without a command.
    ///
    /// - Parameter step: The length of a step in seconds.
    func measure(
        _ spans: GeneratedSpans, in folder: URL, step: Int64, progress: (String) -> Void,
    ) async throws -> [String: [Double]]? {
        guard let program = command.first else {
            progress("DuckDB and ClickHouse are not measured: ASTROLABE_ENGINES names no program.")
            return nil
        }
        progress("writing the spans for DuckDB and ClickHouse ...")
        let rows = folder.appendingPathComponent("rows")
        try await spans.writeRows(to: rows)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = command.dropFirst() + [rows.path, String(step)]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let result = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try FileManager.default.removeItem(at: rows)
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(command.joined(separator: " ")) ended with \(process.terminationStatus)")
        }
        return try JSONDecoder().decode([String: [Double]].self, from: result)
    }
}
