import DurabilityKit
import Foundation
import TelemetryModel

/// Names of functions, by the system's tool.
enum Symbols {
    /// The names of a thread's frames, the innermost first.
    static func functions(of thread: AttributeValue, in record: LogRecordData) throws -> [String] {
        let images = record["astrolabe.images"]?.list ?? []
        var names: [String] = []
        for (index, frame) in (thread["frames"]?.list ?? []).prefix(40).enumerated() {
            guard let image = frame["image"]?.intValue, let offset = frame["offset"]?.intValue else { continue }
            guard images[Int(image)]["is_app"]?.boolValue == true else { continue }
            names.append(try name(of: index == 0 ? offset : offset - 1))
        }
        return names
    }

    private static func name(of offset: Int64) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let executable = try BuiltProducts.executable(named: "HealthFixture").path
        process.arguments = ["addr2line", "-f", "-e", executable, "0x" + String(offset, radix: 16)]
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).replacingOccurrences(of: "\n", with: " ")
    }
}
