import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation

/// Names of functions, by the system's tool.
enum Symbols {
    /// The names of a thread's frames, the innermost first.
    static func functions(of thread: AttributeValue, in record: LogRecordData) throws -> [String] {
        let images = record["astrolabe.images"]?.list ?? []
        var offsets: [Int64] = []
        for (index, frame) in (thread["frames"]?.list ?? []).prefix(40).enumerated() {
            guard let image = frame["image"]?.intValue, let offset = frame["offset"]?.intValue else { continue }
            guard images[Int(image)]["is_app"]?.boolValue == true else { continue }
            offsets.append(index == 0 ? offset : offset - 1)
        }
        return try names(of: offsets)
    }

    private static func names(of offsets: [Int64]) throws -> [String] {
        guard !offsets.isEmpty else { return [] }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let executable = try BuiltProducts.executable(named: "HealthFixture").path
        process.arguments = ["addr2line", "-f", "-e", executable] + offsets.map { "0x" + String($0, radix: 16) }
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        // A line with the function, and one with the place.
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        return stride(from: 0, to: lines.count - 1, by: 2).map { lines[$0] + " " + lines[$0 + 1] }
    }
}
