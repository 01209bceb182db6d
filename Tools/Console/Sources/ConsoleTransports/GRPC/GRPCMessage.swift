import NIOCore
import TelemetryConsole

/// The message of a call.
struct GRPCMessage: Sendable {
    let body: ByteBuffer
    let compression: BodyCompression
}

/// Collects the one message of a unary call: a byte that is 1 if the message is compressed, its length in four bytes,
/// and the message.
struct GRPCMessageReader {
    /// The maximum length of a message in bytes, compressed or not.
    let limit: Int
    /// The compression of the message, if its first byte says that it is compressed.
    let compression: BodyCompression

    private var isCompressed = false
    private var length: Int?
    private var collected = ByteBuffer()

    private static let prefixLength = 5

    init(limit: Int, compression: BodyCompression = .identity) {
        self.limit = limit
        self.compression = compression
    }

    mutating func receive(_ part: ByteBuffer) throws(IngestFailure) {
        collected.writeImmutableBuffer(part)
        if length == nil, collected.readableBytes >= Self.prefixLength { try readPrefix() }
        if let length, collected.readableBytes > length {
            throw .malformed("expected one message, found more bytes after it")
        }
    }

    private mutating func readPrefix() throws(IngestFailure) {
        let flag = collected.readInteger(as: UInt8.self)
        let length = Int(collected.readInteger(as: UInt32.self) ?? 0)
        guard flag == 0 || flag == 1 else { throw .malformed("expected a message that starts with the byte 0 or 1") }
        isCompressed = flag == 1
        guard compression != .identity || !isCompressed else {
            throw .malformed(
                "the message is compressed; expected the metadata grpc-encoding with one of \(BodyCompression.names)")
        }
        guard length <= limit else { throw .tooLarge(limit: limit) }
        self.length = length
    }

    /// Returns the message at the end of the request.
    func end() throws(IngestFailure) -> GRPCMessage {
        guard length != nil || collected.readableBytes > 0 else { throw .noMessage }
        guard let length, collected.readableBytes == length else {
            throw .malformed("the request ended before its message was complete")
        }
        return GRPCMessage(body: collected, compression: isCompressed ? compression : .identity)
    }
}
