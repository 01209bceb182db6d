import Foundation

/// An OTLP request with every field of the protobuf definition, which `Scripts/otlp-conformance/fields.py` writes.
package struct EveryField: Decodable, Sendable {
    private let protobuf: String
    /// Pairs of a field's path and its value.
    package let fields: [[String]]

    /// Reads the requests by the name of their signal, such as `traces`.
    package static func requests() throws -> [String: EveryField] {
        let file = Repository.file("Scripts/otlp-conformance/every-field.json")
        return try JSONDecoder().decode([String: EveryField].self, from: Data(contentsOf: file))
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
