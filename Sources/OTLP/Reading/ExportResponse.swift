/// The answer to an export request: all three signals share its shape.
///
///     ExportTraceServiceResponse { partial_success 1: { rejected_spans 1, error_message 2 } }
package enum ExportResponse {
    /// How many records the server refused, and why; `(0, "")` for a full success and for an answer that is no OTLP,
    /// since the status has already said that the records were taken.
    package static func rejection(in body: [UInt8]) -> (count: Int, reason: String) {
        body.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return (0, "") }
            return (try? read(ProtobufReader(base, 0..<bytes.count))) ?? (0, "")
        }
    }

    private static func read(_ message: ProtobufReader) throws(OTLPDecodingError) -> (count: Int, reason: String) {
        var response = message
        var result = (count: 0, reason: "")
        while let field = try response.nextField() {
            guard field.number == 1 else {
                try response.skip(field)
                continue
            }
            var partial = try response.payload(field)
            while let field = try partial.nextField() {
                switch field.number {
                case 1: result.count = Int(clamping: Int64(bitPattern: try partial.varint(field)))
                case 2: result.reason = String(decoding: try partial.payload(field).bytes.prefix(1_024), as: UTF8.self)
                default: try partial.skip(field)
                }
            }
        }
        return result
    }
}
