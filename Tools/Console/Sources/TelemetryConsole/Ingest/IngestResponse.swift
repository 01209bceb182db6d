import AstrolabeWire
import ConsoleModel
import Hummingbird

/// `ExportTraceServiceResponse` and its two siblings: empty, or a partial success.
package struct IngestResponse: Sendable, Hashable {
    let signal: Signal
    let rejected: Int
    let message: String

    func response(in encoding: OTLPEncoding) -> Response {
        switch encoding {
        case .protobuf: encoding.response(protobuf, status: .ok)
        case .json: encoding.response(json.bytes, status: .ok)
        }
    }

    package var protobuf: [UInt8] {
        guard rejected > 0 else { return [] }
        var partial = WireMessage()
        partial.varint(PartialSuccessField.rejectedRecords, UInt64(rejected))
        partial.text(PartialSuccessField.errorMessage, message)
        var response = WireMessage()
        response.bytes(ExportResponseField.partialSuccess, partial.bytes)
        return response.bytes
    }

    /// Protobuf's JSON mapping writes 64-bit integers as strings.
    private var json: JSONText {
        var text = JSONText()
        text.object { text in
            guard rejected > 0 else { return }
            text.member("partialSuccess") { text in
                text.object { text in
                    switch signal {
                    case .traces: text.member("rejectedSpans", String(rejected))
                    case .logs: text.member("rejectedLogRecords", String(rejected))
                    case .profiles: text.member("rejectedProfiles", String(rejected))
                    case .metrics: text.member("rejectedDataPoints", String(rejected))
                    }
                    text.member("errorMessage", message)
                }
            }
        }
        return text
    }
}
