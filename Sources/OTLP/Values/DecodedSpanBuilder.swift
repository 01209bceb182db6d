import AstrolabeTelemetryModel

/// A span as its fields are read, in either encoding; what a span must have is checked at the end.
struct DecodedSpanBuilder {
    var traceID = TraceID.invalid
    var spanID = SpanID.invalid
    var traceState = TraceState()
    var flags: UInt32 = 0
    var parentSpanID = SpanID.invalid
    var name = ""
    var kind: Int32 = 0
    var startTimeUnixNano: UInt64 = 0
    var endTimeUnixNano: UInt64 = 0
    var attributes = AttributesBuilder()
    var droppedAttributesCount: UInt32 = 0
    var events: [SpanEvent] = []
    var droppedEventsCount: UInt32 = 0
    var links: [SpanLink] = []
    var droppedLinksCount: UInt32 = 0
    var status = StatusBuilder()

    /// - Parameter offset: Where the span begins in the request.
    @inline(__always)
    consuming func finish(at offset: Int, _ budget: inout MemoryBudget) throws(OTLPDecodingError) -> SpanData {
        guard traceID.isValid else {
            throw OTLPDecodingError(at: offset, "expected a span with a trace id that is not all zeros")
        }
        guard spanID.isValid else {
            throw OTLPDecodingError(at: offset, "expected a span with a span id that is not all zeros")
        }
        let context = SpanContext(
            traceID: traceID, spanID: spanID, flags: TraceFlags(otlp: flags), traceState: traceState,
        )
        let note = status.note
        var span = SpanData(
            context: context, flags: flags, parentSpanID: parentSpanID, name: name, kind: SpanKind(rawValue: kind),
            startTimeUnixNano: startTimeUnixNano, endTimeUnixNano: endTimeUnixNano,
            attributes: attributes.finish(&budget), droppedAttributesCount: droppedAttributesCount, events: events,
            droppedEventsCount: droppedEventsCount, links: links, droppedLinksCount: droppedLinksCount,
            status: status.finish(),
        )
        span.statusNote = note
        return span
    }
}

struct StatusBuilder {
    var code: Int32 = 0
    var message = ""

    /// The message of a status that is not an error.
    var note: String { code == 2 ? "" : message }

    /// The API has a message for an error alone: see ``SpanData/statusNote``. An unknown code is "unset".
    consuming func finish() -> SpanStatus {
        switch code {
        case 1: .ok
        case 2: .error(message)
        default: .unset
        }
    }
}

struct SpanEventBuilder {
    var name = ""
    var timeUnixNano: UInt64 = 0
    var attributes = AttributesBuilder()
    var droppedAttributesCount: UInt32 = 0

    consuming func finish(_ budget: inout MemoryBudget) -> SpanEvent {
        SpanEvent(
            name: name, timeUnixNano: timeUnixNano, attributes: attributes.finish(&budget),
            droppedAttributesCount: droppedAttributesCount,
        )
    }
}

/// A link as its fields are read. The API lets a link have no ids, as long as it says something, so they may be
/// missing here.
struct SpanLinkBuilder {
    var traceID = TraceID.invalid
    var spanID = SpanID.invalid
    var traceState = TraceState()
    var flags: UInt32 = 0
    var attributes = AttributesBuilder()
    var droppedAttributesCount: UInt32 = 0

    consuming func finish(_ budget: inout MemoryBudget) -> SpanLink {
        // Bit 8: it is known whether the linked span is remote. Bit 9: it is.
        let context = SpanContext(
            traceID: traceID, spanID: spanID, flags: TraceFlags(otlp: flags), traceState: traceState,
            isRemote: flags & 0x300 == 0x300,
        )
        return SpanLink(
            context: context, flags: flags, attributes: attributes.finish(&budget),
            droppedAttributesCount: droppedAttributesCount,
        )
    }
}

extension TraceFlags {
    /// W3C's flags are the low byte of OTLP's `fixed32`.
    init(otlp bits: UInt32) {
        self.init(rawValue: UInt8(truncatingIfNeeded: bits))
    }
}

/// The last `tracestate` read: the spans of one request mostly carry the same, and checking it takes longer than
/// reading the rest of the span.
struct TraceStateCache {
    private var header = ""
    private var state = TraceState()

    /// The list, or an empty one where it breaks W3C's rules: the trace goes on without it.
    mutating func state(_ text: String) -> TraceState {
        if text != header {
            header = text
            state = TraceState(header: text) ?? TraceState()
        }
        return state
    }
}
