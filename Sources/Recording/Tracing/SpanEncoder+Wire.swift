import AstrolabeOTLP
import AstrolabeTelemetryModel

/// The fields of `opentelemetry.proto.trace.v1.Span` that a span writes once.
extension SpanEncoder {
    /// Writes what is known at the start: ids, flags, kind, start time, trace state.
    static func writeHead(
        of context: SpanContext, parent: SpanID, parentIsRemote: Bool, kind: SpanKind, startTimeUnixNano: UInt64,
        into fields: inout FieldBuffer,
    ) {
        let state = context.traceState.header
        let size = 18 + 10 + (parent.isValid ? 10 : 0) + 2 + 9 + 6 + (state.isEmpty ? 0 : WireSize.field(state))
        fields.append(size) { writer in
            writer.header(0x0A, size: 16)
            writer.bigEndian64(context.traceID.high)
            writer.bigEndian64(context.traceID.low)
            writer.header(0x12, size: 8)
            writer.bigEndian64(context.spanID.value)
            if !state.isEmpty { writer.field(0x1A, state) }
            if parent.isValid {
                writer.header(0x22, size: 8)
                writer.bigEndian64(parent.value)
            }
            writer.byte(0x30)
            writer.byte(UInt8(kind.rawValue))
            writer.byte(0x39)
            writer.fixed64(startTimeUnixNano)
            writer.byte(0x85)
            writer.byte(0x01)
            writer.fixed32(SpanFlags.encode(context.flags, otherIsRemote: parentIsRemote))
        }
    }

    /// Writes what is known at the end: name, end time, dropped counts, status. Name and status are cut where the
    /// record would grow past `recordSize`.
    static func writeTail(
        name: String, status: SpanStatus, endTimeUnixNano: UInt64, droppedAttributes: UInt32, droppedEvents: UInt32,
        droppedLinks: UInt32, recordSize: Int, into fields: inout FieldBuffer,
    ) {
        let fixedSize = 9 + count(droppedAttributes) + count(droppedEvents) + count(droppedLinks)
        // Tags and lengths of the name, of the status and of its description.
        let framesSize = 24
        let room = max(recordSize - fields.count - fixedSize - framesSize, 0)
        let name = name.truncated(toUTF8: room)
        let status = status.truncated(toUTF8: room - name.utf8.count)
        let statusSize = status.wireSize
        let size = WireSize.field(name) + fixedSize + (statusSize == 0 ? 0 : 1 + WireSize.delimited(statusSize))
        fields.append(size) { writer in
            writer.field(0x2A, name)
            writer.byte(0x41)
            writer.fixed64(endTimeUnixNano)
            writer.count(0x50, droppedAttributes)
            writer.count(0x60, droppedEvents)
            writer.count(0x70, droppedLinks)
            if statusSize > 0 {
                writer.header(0x7A, size: statusSize)
                status.write(to: &writer)
            }
        }
    }

    private static func count(_ value: UInt32) -> Int {
        value == 0 ? 0 : 1 + WireSize.varint(UInt64(value))
    }
}

/// The `flags` of spans and links: W3C flags in the low byte; bits 8 and 9 tell whether the other end is remote.
enum SpanFlags {
    static func encode(_ flags: TraceFlags, otherIsRemote: Bool) -> UInt32 {
        UInt32(flags.rawValue) | 0x100 | (otherIsRemote ? 0x200 : 0)
    }
}

extension WireWriter {
    /// A counter field, left out where it is 0, as proto3 does.
    mutating func count(_ tag: UInt8, _ value: UInt32) {
        guard value > 0 else { return }
        byte(tag)
        varint(UInt64(value))
    }
}

/// `opentelemetry.proto.trace.v1.Status`: message 2, code 3 (1 ok, 2 error).
extension SpanStatus {
    func truncated(toUTF8 limit: Int) -> SpanStatus {
        if case .error(let description) = self { .error(description.truncated(toUTF8: limit)) } else { self }
    }

    var wireSize: Int {
        switch self {
        case .unset: 0
        case .ok: 2
        case .error(let description): 2 + (description.isEmpty ? 0 : WireSize.field(description))
        }
    }

    func write(to writer: inout WireWriter) {
        switch self {
        case .unset: break
        case .ok:
            writer.byte(0x18)
            writer.byte(1)
        case .error(let description):
            if !description.isEmpty { writer.field(0x12, description) }
            writer.byte(0x18)
            writer.byte(2)
        }
    }
}

/// `opentelemetry.proto.trace.v1.Span.Event`: time 1, name 2, attributes 3, dropped 4.
extension SpanEvent {
    var wireSize: Int {
        9 + WireSize.field(name) + attributes.wireSize
            + (droppedAttributesCount == 0 ? 0 : 1 + WireSize.varint(UInt64(droppedAttributesCount)))
    }

    func write(to writer: inout WireWriter) {
        writer.byte(0x09)
        writer.fixed64(timeUnixNano)
        writer.field(0x12, name)
        attributes.write(tag: 0x1A, to: &writer)
        writer.count(0x20, droppedAttributesCount)
    }
}

/// `opentelemetry.proto.trace.v1.Span.Link`: trace id 1, span id 2, state 3, attributes 4, dropped 5, flags 6.
extension SpanLink {
    var wireSize: Int {
        let state = context.traceState.header
        return 18 + 10 + (state.isEmpty ? 0 : WireSize.field(state)) + attributes.wireSize
            + (droppedAttributesCount == 0 ? 0 : 1 + WireSize.varint(UInt64(droppedAttributesCount))) + 5
    }

    func write(to writer: inout WireWriter) {
        writer.header(0x0A, size: 16)
        writer.bigEndian64(context.traceID.high)
        writer.bigEndian64(context.traceID.low)
        writer.header(0x12, size: 8)
        writer.bigEndian64(context.spanID.value)
        if !context.traceState.isEmpty { writer.field(0x1A, context.traceState.header) }
        attributes.write(tag: 0x22, to: &writer)
        writer.count(0x28, droppedAttributesCount)
        writer.byte(0x35)
        writer.fixed32(SpanFlags.encode(context.flags, otherIsRemote: context.isRemote))
    }
}
