#if os(macOS) || os(Linux)
import Foundation

/// An OTLP request with every field of the protobuf definition, which `Scripts/otlp-conformance/fields.py` makes.
package struct EveryField: Decodable, Sendable {
    private let protobuf: String
    /// Pairs of a field's path and its value.
    package let fields: [[String]]

    private static let python = ProcessInfo.processInfo.environment["ASTROLABE_PYTHON"]

    /// True with a Python that has `Scripts/requirements.txt`; `./astrolabe test` installs it.
    package static var isAvailable: Bool { python != nil }

    private static let made = Result { try make() }

    /// The requests by the name of their signal, such as `traces`. A process makes them once.
    package static func requests() throws -> [String: EveryField] { try made.get() }

    private static func make() throws -> [String: EveryField] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python ?? "/usr/bin/python3")
        process.arguments = ["-B", Repository.file("Scripts/otlp-conformance/fields.py").path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode([String: EveryField].self, from: text)
    }

    /// The request in protobuf.
    package var body: [UInt8] {
        stride(from: 0, to: protobuf.count, by: 2).compactMap { index in
            let start = protobuf.index(protobuf.startIndex, offsetBy: index)
            return UInt8(protobuf[start...].prefix(2), radix: 16)
        }
    }

    /// The fields that the console keeps.
    package var keptFields: [[String]] { fields.filter { !Self.isLeftOut($0[0]) } }

    /// Returns true if the console does not keep a field.
    private static func isLeftOut(_ path: String) -> Bool {
        // The one flag says that the point has no value.
        path.hasSuffix("data_points.flags")
            // In development: https://opentelemetry.io/docs/specs/otel/entities/data-model
            || path.contains(".entity_refs.")
            // Only profiles have a table of strings that an index could refer to.
            || path.hasSuffix("_strindex")
    }
}
#endif
