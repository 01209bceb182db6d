/// Why bytes are not an OTLP request: where, in which field, and what was expected.
///
///     resource_spans[0].scope_spans[0].spans[3].trace_id, byte 118: expected 16 bytes, got 4
///
/// The reason names lengths, types and numbers of the encoding, never the text of a value, so that it may be logged.
public struct OTLPDecodingError: Error, Hashable, Sendable {
    /// The position at which reading stopped, in bytes from the start of the decompressed request.
    public let offset: Int
    /// The field, from the outermost message inwards, in the names of the encoding that was read: `snake_case` for
    /// protobuf, `lowerCamelCase` for JSON. Empty for the request itself.
    public private(set) var path: String
    /// The expected input and the input that came.
    public let reason: String

    @inline(never)
    init(at offset: Int, _ reason: String) {
        self.offset = offset
        self.path = ""
        self.reason = reason
    }

    /// The same error seen from one message or array further out.
    func within(_ step: String) -> OTLPDecodingError {
        var outer = self
        outer.path = path.isEmpty || path.hasPrefix("[") ? step + path : step + "." + path
        return outer
    }
}

extension OTLPDecodingError: CustomStringConvertible {
    public var description: String {
        "\(path.isEmpty ? "request" : path), byte \(offset): \(reason)"
    }
}
