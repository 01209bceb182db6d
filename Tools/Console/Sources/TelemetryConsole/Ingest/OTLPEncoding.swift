import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// The two encodings of OTLP over HTTP. A response uses the encoding of its request.
package enum OTLPEncoding: Sendable, Hashable {
    case protobuf
    case json

    /// Parses a media type and ignores its parameters; `nil` if it is neither encoding.
    init?(contentType: String?) {
        let type = (contentType ?? "").prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        switch type {
        case "application/x-protobuf": self = .protobuf
        case "application/json": self = .json
        default: return nil
        }
    }

    var contentType: String {
        switch self {
        case .protobuf: "application/x-protobuf"
        case .json: "application/json"
        }
    }

    func response(_ body: [UInt8], status: HTTPResponse.Status) -> Response {
        Response(
            status: status, headers: [.contentType: contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)),
        )
    }
}
