import AstrolabeTelemetryModel

extension TraceID {
    /// Reads the 16 bytes of an id; none at all, or zeros, are ``invalid``.
    @inline(__always)
    init(protobuf payload: ProtobufReader) throws(OTLPDecodingError) {
        let bytes = payload.bytes
        switch bytes.count {
        case 16:
            self.init(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
            )
        case 0: self = .invalid
        case let count: throw OTLPDecodingError(at: payload.position, "expected a trace id of 16 bytes, got \(count)")
        }
    }
}

extension SpanID {
    /// Reads the 8 bytes of an id; none at all, or zeros, are ``invalid``.
    @inline(__always)
    init(protobuf payload: ProtobufReader) throws(OTLPDecodingError) {
        let bytes = payload.bytes
        switch bytes.count {
        case 8: self.init(UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
        case 0: self = .invalid
        case let count: throw OTLPDecodingError(at: payload.position, "expected a span id of 8 bytes, got \(count)")
        }
    }
}
