import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// The two encodings of OTLP over HTTP. A response uses the encoding of its request.
enum OTLPEncoding: Sendable, Hashable {
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

/// The few fields of protobuf that answers consist of.
struct AnswerFields {
    private(set) var bytes: [UInt8] = []

    /// A varint field; nothing for 0, as proto3 has it.
    mutating func add(_ field: UInt8, _ value: Int) {
        guard value != 0 else { return }
        bytes.append(field << 3)
        appendVarint(UInt64(bitPattern: Int64(value)))
    }

    mutating func add(_ field: UInt8, _ text: String) {
        guard !text.isEmpty else { return }
        add(field, Array(text.utf8))
    }

    mutating func add(_ field: UInt8, _ content: [UInt8]) {
        bytes.append(field << 3 | 2)
        appendVarint(UInt64(content.count))
        bytes.append(contentsOf: content)
    }

    private mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
