/// The response to an export request. All three signals share its shape.
package enum ExportResponse {
    /// The number of records that the server rejected, and its reason.
    ///
    /// `(0, "")` for a full success and for a body that is not OTLP: the status has already said that the records were
    /// accepted.
    package static func rejection(in body: [UInt8]) -> (count: Int, reason: String) {
        body.withUnsafeBytes { bytes in
            var result = (count: 0, reason: "")
            var response = WireReader(bytes)
            while let field = response.next() {
                guard case (ExportResponseField.partialSuccess, .bytes(let partial)) = field else { continue }
                guard read(partial, into: &result) else { return (0, "") }
            }
            return response.isIntact ? result : (0, "")
        }
    }

    /// The longest reason that is kept, in bytes.
    private static let reasonLimit = 1_024

    private static func read(_ bytes: UnsafeRawBufferPointer, into result: inout (count: Int, reason: String)) -> Bool {
        var partial = WireReader(bytes)
        while let field = partial.next() {
            switch field {
            case (PartialSuccessField.rejectedRecords, .varint(let count)):
                result.count = Int(clamping: Int64(bitPattern: count))
            case (PartialSuccessField.errorMessage, .bytes(let text)):
                result.reason = String(decoding: text.prefix(reasonLimit), as: UTF8.self)
            default: continue
            }
        }
        return partial.isIntact
    }
}
