package import AstrolabeWire
package import ConsoleAccess
package import ConsoleModel
import HTTPTypes
import Hummingbird

/// The reason to reject an OTLP request, and whether the sender should retry.
///
/// OTLP/HTTP senders retry only after 429, 502, 503 and 504. So the status is 503 if a retry may succeed. Senders over
/// gRPC retry after UNAVAILABLE and DEADLINE_EXCEEDED, and after RESOURCE_EXHAUSTED only if it has a `RetryInfo`.
package enum IngestFailure: Error {
    case unsupportedType(String?)
    case unsupportedEncoding(String?)
    case tooLarge(limit: Int)
    case tooLargeInflated(limit: Int)
    case malformed(String)
    /// The request did not arrive before the sender's deadline, or too slowly.
    case late
    case tooManyRequests(limit: Int)
    case memorySpent
    /// Too many heavy requests wait already, or this one has waited too long.
    case tooMuchWork
    case store(StoreError)
    case access(AccessRefusal)
    /// The request is stored, but could not be kept for the upstream. A retry stores no record twice.
    case forwarding(String)

    private var status: HTTPResponse.Status {
        switch self {
        case .unsupportedType, .unsupportedEncoding: .unsupportedMediaType
        case .tooLarge, .tooLargeInflated: .contentTooLarge
        case .malformed: .badRequest
        case .late: .requestTimeout
        case .tooManyRequests, .memorySpent, .tooMuchWork, .store, .forwarding: .serviceUnavailable
        case .access(let refusal): HTTPResponse.Status(code: refusal.status)
        }
    }

    /// The gRPC status code: 3 invalid argument, 4 deadline exceeded, 7 permission denied, 8 resource exhausted,
    /// 14 unavailable, 16 unauthenticated.
    package var code: Int {
        switch self {
        case .unsupportedType, .unsupportedEncoding, .malformed: 3
        case .late: 4
        case .tooLarge, .tooLargeInflated: 8
        case .tooManyRequests, .memorySpent, .tooMuchWork, .store, .forwarding, .access(.keysUnreadable): 14
        case .access(.noKey), .access(.unknownKey), .access(.revokedKey), .access(.expiredKey): 16
        case .access(.wrongUse), .access(.wrongService): 7
        case .access(.tooManyAttempts), .access(.tooManyRequests): 8
        }
    }

    package var message: String {
        switch self {
        case .unsupportedType(let type):
            "expected Content-Type application/x-protobuf or application/json, found \(type ?? "none")"
        case .unsupportedEncoding(let encoding):
            "expected Content-Encoding \(BodyCompression.names) or none, found \(encoding ?? "none")"
        case .tooLarge(let limit):
            "the body is larger than \(limit) bytes; send fewer records per request"
        case .tooLargeInflated(let limit):
            "the decompressed body is larger than \(limit) bytes; send fewer records per request"
        case .malformed(let reason): reason
        case .late: "the request did not arrive in time"
        case .tooManyRequests(let limit): "the console is handling \(limit) requests already; retry in 1 s"
        case .memorySpent: "other requests use the console's memory for requests already; retry in 2 s"
        case .tooMuchWork: "other large requests wait already; retry in 5 s, or send fewer records per request"
        case .store(let error): error.description
        case .access(let refusal): refusal.message
        case .forwarding(let reason): "the request could not be queued for the upstream: \(reason)"
        }
    }

    /// The seconds to wait before a retry; `nil` if a retry cannot succeed.
    package var retryAfter: Int? {
        switch self {
        case .tooManyRequests, .store(.queueFull): 1
        case .memorySpent: 2
        case .tooMuchWork: 5
        case .store, .forwarding: 10
        case .access(let refusal): refusal.retryAfter
        default: nil
        }
    }

    /// A `google.rpc.Status`.
    package var rpcStatus: WireMessage {
        var status = WireMessage()
        status.varint(RPCStatusField.code, UInt64(code))
        status.text(RPCStatusField.message, message)
        return status
    }

    /// Creates a response with a `google.rpc.Status`.
    func response(in encoding: OTLPEncoding) -> Response {
        let body: [UInt8]
        switch encoding {
        case .protobuf: body = rpcStatus.bytes
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
        if status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        if case .unsupportedEncoding = self { response.headers[.acceptEncoding] = BodyCompression.names }
        return response
    }
}
