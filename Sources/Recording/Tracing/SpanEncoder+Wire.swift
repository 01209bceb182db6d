import AstrolabeTelemetryModel
import AstrolabeWire

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
            writer.header(SpanField.traceID, size: 16)
            writer.bigEndian64(context.traceID.high)
            writer.bigEndian64(context.traceID.low)
            writer.header(SpanField.spanID, size: 8)
            writer.bigEndian64(context.spanID.value)
            if !state.isEmpty { writer.field(SpanField.traceState, state) }
            if parent.isValid {
                writer.header(SpanField.parentSpanID, size: 8)
                writer.bigEndian64(parent.value)
            }
            writer.varint(SpanField.kind, UInt64(kind.rawValue))
            writer.fixed64(SpanField.startTime, startTimeUnixNano)
            writer.fixed32(SpanField.flags, SpanFlags.encode(context.flags, otherIsRemote: parentIsRemote))
        }
    }

    /// Writes what is known at the end: a name that is not written yet, end time, dropped counts, status. Name and
    /// status are cut where the record would grow past `recordSize`.
    static func writeTail(
        name: String?, status: SpanStatus, endTimeUnixNano: UInt64, droppedAttributes: UInt32, droppedEvents: UInt32,
        droppedLinks: UInt32, recordSize: Int, into fields: inout FieldBuffer,
    ) {
        let fixedSize =
            9 + WireSize.count(droppedAttributes) + WireSize.count(droppedEvents) + WireSize.count(droppedLinks)
        // Tags and lengths of the name, of the status and of its description.
        let framesSize = 24
        let room = max(recordSize - fields.count - fixedSize - framesSize, 0)
        let name = name?.truncated(toUTF8: room)
        let status = status.truncated(toUTF8: room - (name?.utf8.count ?? 0))
        let statusSize = status.wireSize
        let size =
            (name.map { WireSize.field($0) } ?? 0) + fixedSize
            + (statusSize == 0 ? 0 : WireSize.field(size: statusSize))
        fields.append(size) { writer in
            if let name { writer.field(SpanField.name, name) }
            writer.fixed64(SpanField.endTime, endTimeUnixNano)
            writer.count(SpanField.droppedAttributesCount, droppedAttributes)
            writer.count(SpanField.droppedEventsCount, droppedEvents)
            writer.count(SpanField.droppedLinksCount, droppedLinks)
            if statusSize > 0 {
                writer.header(SpanField.status, size: statusSize)
                status.write(to: &writer)
            }
        }
    }
}

/// The `flags` of spans and links: W3C flags in the low byte; bits 8 and 9 tell whether the other end is remote.
enum SpanFlags {
    static func encode(_ flags: TraceFlags, otherIsRemote: Bool) -> UInt32 {
        UInt32(flags.rawValue) | 0x100 | (otherIsRemote ? 0x200 : 0)
    }

    static func isOtherRemote(_ flags: UInt32) -> Bool { flags & 0x200 != 0 }
}

/// Writes `opentelemetry.proto.trace.v1.Status`, whose codes are 1 for ok and 2 for an error.
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
        case .ok: writer.varint(StatusField.code, 1)
        case .error(let description):
            if !description.isEmpty { writer.field(StatusField.message, description) }
            writer.varint(StatusField.code, 2)
        }
    }
}

/// Writes `opentelemetry.proto.trace.v1.Span.Event`.
extension SpanEvent {
    var wireSize: Int {
        9 + WireSize.field(name) + attributes.wireSize + WireSize.count(droppedAttributesCount)
    }

    func write(to writer: inout WireWriter) {
        writer.fixed64(SpanEventField.time, timeUnixNano)
        writer.field(SpanEventField.name, name)
        attributes.write(as: SpanEventField.attributes, to: &writer)
        writer.count(SpanEventField.droppedAttributesCount, droppedAttributesCount)
    }
}

/// Writes `opentelemetry.proto.trace.v1.Span.Link`.
extension SpanLink {
    var wireSize: Int {
        let state = context.traceState.header
        return 18 + 10 + (state.isEmpty ? 0 : WireSize.field(state)) + attributes.wireSize
            + WireSize.count(droppedAttributesCount) + 5
    }

    func write(to writer: inout WireWriter) {
        writer.header(SpanLinkField.traceID, size: 16)
        writer.bigEndian64(context.traceID.high)
        writer.bigEndian64(context.traceID.low)
        writer.header(SpanLinkField.spanID, size: 8)
        writer.bigEndian64(context.spanID.value)
        if !context.traceState.isEmpty { writer.field(SpanLinkField.traceState, context.traceState.header) }
        attributes.write(as: SpanLinkField.attributes, to: &writer)
        writer.count(SpanLinkField.droppedAttributesCount, droppedAttributesCount)
        writer.fixed32(SpanLinkField.flags, SpanFlags.encode(context.flags, otherIsRemote: context.isRemote))
    }
}
