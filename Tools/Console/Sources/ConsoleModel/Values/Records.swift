package import AstrolabeTelemetryModel

/// A stored span.
package struct SpanRecord: Sendable, Hashable {
    package let seq: Int64
    package let traceID: TraceID
    package let spanID: SpanID
    /// The id of the parent; `.invalid` for a root.
    package let parentSpanID: SpanID
    package let origin: Int64
    package let kind: SpanKind?
    package let category: RecordCategory
    package let status: StatusCode
    package let startUnixNano: UInt64
    package let durationNano: UInt64
    package let name: String
    /// The attributes as JSON written by `JSONText`; empty if there are none.
    package let attributesText: String
    /// JSON with `message`, `events`, `links`, `state` and dropped counts, if the span has them; otherwise empty.
    package let detailsText: String
    /// OTLP's flags: W3C's trace flags, whether it is known that the parent is remote (bit 8), and whether it is
    /// (bit 9).
    package let flags: UInt32
    package let scope: Int64
    /// True if the span is an error, and none of its children is.
    package let isFailure: Bool

    package init(
        seq: Int64, traceID: TraceID, spanID: SpanID, parentSpanID: SpanID, origin: Int64, kind: SpanKind?,
        category: RecordCategory, status: StatusCode, startUnixNano: UInt64, durationNano: UInt64, name: String,
        attributesText: String, detailsText: String, flags: UInt32, scope: Int64, isFailure: Bool,
    ) {
        self.seq = seq
        self.traceID = traceID
        self.spanID = spanID
        self.parentSpanID = parentSpanID
        self.origin = origin
        self.kind = kind
        self.category = category
        self.status = status
        self.startUnixNano = startUnixNano
        self.durationNano = durationNano
        self.name = name
        self.attributesText = attributesText
        self.detailsText = detailsText
        self.flags = flags
        self.scope = scope
        self.isFailure = isFailure
    }

    package enum StatusCode: UInt8, Sendable {
        case unset = 0
        case ok = 1
        case error = 2
    }

    package var isError: Bool { status == .error }
    package var endUnixNano: UInt64 { startUnixNano.clampedSum(durationNano) }
    package var attributes: Attributes { JSONText.attributes(in: attributesText) ?? [:] }
}

/// A stored event, crash or log record.
package struct EventRecord: Sendable, Hashable {
    package let seq: Int64
    /// The trace id; `.invalid` if the record has no trace.
    package let traceID: TraceID
    package let spanID: SpanID
    package let origin: Int64
    package let category: RecordCategory
    package let severity: Int
    package let timeUnixNano: UInt64
    /// The event's name; empty for a log record.
    package let name: String
    /// The body as JSON, or empty.
    package let bodyText: String
    package let attributesText: String
    /// When the sender saw the record, or when it arrived without any time; 0 if unknown.
    package let observedUnixNano: UInt64
    /// The time of the record in the sender's words, 0 for none; `nil` if it is `timeUnixNano`.
    package let sentUnixNano: UInt64?
    package let flags: UInt32
    /// The severity in the sender's words; empty if there are none.
    package let severityText: String
    package let droppedAttributes: Int
    package let scope: Int64

    package init(
        seq: Int64, traceID: TraceID, spanID: SpanID, origin: Int64, category: RecordCategory, severity: Int,
        timeUnixNano: UInt64, name: String, bodyText: String, attributesText: String, observedUnixNano: UInt64,
        sentUnixNano: UInt64?, flags: UInt32, severityText: String, droppedAttributes: Int, scope: Int64,
    ) {
        self.seq = seq
        self.traceID = traceID
        self.spanID = spanID
        self.origin = origin
        self.category = category
        self.severity = severity
        self.timeUnixNano = timeUnixNano
        self.name = name
        self.bodyText = bodyText
        self.attributesText = attributesText
        self.observedUnixNano = observedUnixNano
        self.sentUnixNano = sentUnixNano
        self.flags = flags
        self.severityText = severityText
        self.droppedAttributes = droppedAttributes
        self.scope = scope
    }

    /// True if the severity is ERROR or higher, or the record is a crash.
    package var isError: Bool { severity >= 17 || category == .crash }
    package var attributes: Attributes { JSONText.attributes(in: attributesText) ?? [:] }
}

/// A span or an event on a timeline.
package enum TimelineItem: Sendable, Hashable {
    case span(SpanRecord)
    case event(EventRecord)

    package var timeUnixNano: UInt64 {
        switch self {
        case .span(let span): span.startUnixNano
        case .event(let event): event.timeUnixNano
        }
    }

    package var seq: Int64 {
        switch self {
        case .span(let span): span.seq
        case .event(let event): event.seq
        }
    }
}
