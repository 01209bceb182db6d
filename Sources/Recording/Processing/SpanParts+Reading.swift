import AstrolabeTelemetryModel
import AstrolabeWire

/// Reads parts of what `SpanEncoder` wrote.
extension SpanEvent {
    init?(wire bytes: UnsafeRawBufferPointer) {
        self.init(name: "", timeUnixNano: 0)
        var reader = WireReader(bytes)
        while let field = reader.next() {
            switch field {
            case (SpanEventField.time, .fixed64(let time)): timeUnixNano = time
            case (SpanEventField.name, let value): name = value.text ?? ""
            case (SpanEventField.droppedAttributesCount, .varint(let count)):
                droppedAttributesCount = UInt32(truncatingIfNeeded: count)
            default: break
            }
        }
        guard reader.isIntact else { return nil }
        attributes = Attributes(wire: bytes, field: SpanEventField.attributes)
    }
}

extension SpanLink {
    init?(wire bytes: UnsafeRawBufferPointer) {
        var (trace, span, state, flags, dropped) = (
            TraceID.invalid, SpanID.invalid, TraceState(), UInt32(0), UInt32(0),
        )
        var reader = WireReader(bytes)
        while let field = reader.next() {
            switch field {
            case (SpanLinkField.traceID, let value): trace = value.traceID ?? trace
            case (SpanLinkField.spanID, let value): span = value.spanID ?? span
            case (SpanLinkField.traceState, let value):
                state = value.text.flatMap(TraceState.init(header:)) ?? TraceState()
            case (SpanLinkField.flags, .fixed32(let bits)): flags = bits
            case (SpanLinkField.droppedAttributesCount, .varint(let count)):
                dropped = UInt32(truncatingIfNeeded: count)
            default: break
            }
        }
        guard reader.isIntact else { return nil }
        let context = SpanContext(
            traceID: trace, spanID: span, flags: TraceFlags(rawValue: UInt8(truncatingIfNeeded: flags)),
            traceState: state, isRemote: SpanFlags.isOtherRemote(flags))
        self.init(
            context: context, flags: flags, attributes: Attributes(wire: bytes, field: SpanLinkField.attributes),
            droppedAttributesCount: dropped)
    }
}

extension SpanStatus {
    init?(wire bytes: UnsafeRawBufferPointer) {
        var (code, message) = (UInt64(0), "")
        var reader = WireReader(bytes)
        while let field = reader.next() {
            switch field {
            case (StatusField.code, .varint(let number)): code = number
            case (StatusField.message, let value): message = value.text ?? ""
            default: break
            }
        }
        guard reader.isIntact else { return nil }
        self = code == 2 ? .error(message) : (code == 1 ? .ok : .unset)
    }
}

/// Reads single fields of a message that these bytes are.
extension [UInt8] {
    /// Returns the result of `value` for the first field of this number; `nil` if there is none.
    func value<Value>(_ field: UInt32, _ value: (WireReader.Value) -> Value?) -> Value? {
        withUnsafeBytes { bytes in
            var reader = WireReader(bytes)
            while let next = reader.next() {
                if next.field == field { return value(next.value) }
            }
            return nil
        }
    }

    /// A trace's id; invalid if there is none.
    func traceID(_ field: UInt32) -> TraceID {
        value(field) { $0.traceID } ?? .invalid
    }

    /// A span's id; invalid if there is none.
    func spanID(_ field: UInt32) -> SpanID {
        value(field) { $0.spanID } ?? .invalid
    }

    /// A time in nanoseconds since 1970; 0 if there is none.
    func time(_ field: UInt32) -> UInt64 {
        value(field) { value in if case .fixed64(let time) = value { time } else { nil } } ?? 0
    }
}

extension WireReader.Value {
    /// The bytes of a submessage.
    var message: UnsafeRawBufferPointer? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    /// A text.
    var text: String? { message.map { String(decoding: $0, as: UTF8.self) } }
}
