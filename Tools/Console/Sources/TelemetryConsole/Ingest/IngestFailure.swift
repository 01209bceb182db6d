import ConsoleStore
import HTTPTypes
import Hummingbird

/// Why an OTLP request was refused, and whether to send it again.
///
/// OTLP's senders retry after 429, 502, 503 and 504 alone, so what may succeed later is a 503 and what never will is
/// not.
enum IngestFailure: Error {
    case unsupportedType(String?)
    case unsupportedEncoding(String?)
    case tooLarge(limit: Int)
    case tooLargeInflated(limit: Int)
    case malformed(String)
    case tooManyRequests(limit: Int)
    case store(StoreError)

    private var status: HTTPResponse.Status {
        switch self {
        case .unsupportedType, .unsupportedEncoding: .unsupportedMediaType
        case .tooLarge, .tooLargeInflated: .contentTooLarge
        case .malformed: .badRequest
        case .tooManyRequests, .store: .serviceUnavailable
        }
    }

    /// gRPC's code for the same: 3 invalid argument, 8 resource exhausted, 14 unavailable.
    private var code: Int {
        switch self {
        case .unsupportedType, .unsupportedEncoding, .malformed: 3
        case .tooLarge, .tooLargeInflated: 8
        case .tooManyRequests, .store: 14
        }
    }

    var message: String {
        switch self {
        case .unsupportedType(let type):
            "expected Content-Type application/x-protobuf or application/json, got \(type ?? "none")"
        case .unsupportedEncoding(let encoding):
            "expected Content-Encoding gzip or none, got \(encoding ?? "none")"
        case .tooLarge(let limit):
            "the body is larger than \(limit) bytes; send fewer records at a time"
        case .tooLargeInflated(let limit):
            "the body is larger than \(limit) bytes once inflated; send fewer records at a time"
        case .malformed(let reason): reason
        case .tooManyRequests(let limit): "the console reads \(limit) requests already; send again in a second"
        case .store(let error): error.description
        }
    }

    /// Seconds to wait before the request is sent again; `nil` where that is no use.
    private var retryAfter: Int? {
        switch self {
        case .tooManyRequests, .store(.queueFull): 1
        case .store: 10
        default: nil
        }
    }

    /// A `google.rpc.Status` with code and message.
    func response(in encoding: OTLPEncoding) -> Response {
        let body: [UInt8]
        switch encoding {
        case .protobuf:
            var fields = AnswerFields()
            fields.add(1, code)
            fields.add(2, message)
            body = fields.bytes
        case .json:
            var text = JSONText()
            text.object { text in
                text.member("code", code)
                text.member("message", message)
            }
            body = text.bytes
        }
        var response = encoding.response(body, status: status)
        if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        if case .unsupportedEncoding = self { response.headers[.acceptEncoding] = "gzip" }
        return response
    }
}
