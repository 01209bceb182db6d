package import AstrolabeTelemetryModel

/// A span as it is stored.
package struct SpanRecord: Sendable, Hashable {
    package let seq: Int64
    package let traceID: TraceID
    package let spanID: SpanID
    /// `.invalid` for a root.
    package let parentSpanID: SpanID
    package let origin: Int64
    package let kind: SpanKind?
    package let category: RecordCategory
    package let status: StatusCode
    package let startUnixNano: UInt64
    package let durationNano: UInt64
    package let name: String
    /// JSON as `JSONText` writes it; empty where there are no attributes.
    package let attributesText: String
    /// JSON with `message`, `events`, `links`, `state` and dropped counts, as far as the span has them; or empty.
    package let detailsText: String

    package enum StatusCode: UInt8, Sendable {
        case unset = 0
        case ok = 1
        case error = 2
    }

    package var isError: Bool { status == .error }
    package var endUnixNano: UInt64 { startUnixNano + durationNano }
    package var attributes: Attributes { JSONText.attributes(in: attributesText) ?? [:] }
}

/// An event, a crash or a log line as it is stored.
package struct EventRecord: Sendable, Hashable {
    package let seq: Int64
    /// `.invalid` where it belongs to no trace.
    package let traceID: TraceID
    package let spanID: SpanID
    package let origin: Int64
    package let category: RecordCategory
    package let severity: Int
    package let timeUnixNano: UInt64
    /// The event's name; empty for a log line.
    package let name: String
    /// JSON, or empty.
    package let bodyText: String
    package let attributesText: String

    /// True from severity ERROR up.
    package var isError: Bool { severity >= 17 || category == .crash }
    package var attributes: Attributes { JSONText.attributes(in: attributesText) ?? [:] }
}

/// A span or an event, in the order of time.
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
