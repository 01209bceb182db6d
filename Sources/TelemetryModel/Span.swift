/// The side of a call that a span describes. Raw values are OTLP's.
public enum SpanKind: Int32, Sendable, CaseIterable {
    /// Work inside the app.
    case `internal` = 1
    /// The handling of a request from a client.
    case server = 2
    /// A request to a server.
    case client = 3
    /// The sending of a message.
    case producer = 4
    /// The processing of a message.
    case consumer = 5
}

/// The outcome of the operation that a span describes. Raw values are OTLP's.
public enum SpanStatus: Hashable, Sendable {
    /// The status was not set.
    case unset
    /// The app marked the operation as successful.
    case ok
    /// Failed, with a description for developers; it may be empty.
    case error(String)

    /// True for an error.
    package var isError: Bool {
        if case .error = self { true } else { false }
    }
}

/// Something that happened at one moment within a span.
public struct SpanEvent: Hashable, Sendable {
    /// The name of the event.
    public var name: String
    /// When it happened, in nanoseconds since 1970, as OTLP has it. `time` is the same as a `Date`.
    public var timeUnixNano: UInt64
    /// The attributes of the event.
    public var attributes: Attributes
    /// The number of attributes that were left out because of a limit.
    public var droppedAttributesCount: UInt32

    /// Creates an event.
    public init(name: String, timeUnixNano: UInt64, attributes: Attributes = [:], droppedAttributesCount: UInt32 = 0) {
        self.name = name
        self.timeUnixNano = timeUnixNano
        self.attributes = attributes
        self.droppedAttributesCount = droppedAttributesCount
    }
}

/// A span of this or another trace that this one has to do with.
public struct SpanLink: Hashable, Sendable {
    /// The span that is linked.
    public var context: SpanContext
    /// OTLP's flags: W3C's trace flags, whether it is known that the linked span is remote (bit 8), and whether it is
    /// (bit 9).
    public var flags: UInt32
    /// The attributes of the link.
    public var attributes: Attributes
    /// The number of attributes that were left out because of a limit.
    public var droppedAttributesCount: UInt32

    /// Creates a link.
    public init(
        context: SpanContext, flags: UInt32? = nil, attributes: Attributes = [:], droppedAttributesCount: UInt32 = 0,
    ) {
        self.context = context
        self.flags = flags ?? UInt32(context.flags.rawValue) | (context.isRemote ? 0x300 : 0)
        self.attributes = attributes
        self.droppedAttributesCount = droppedAttributesCount
    }
}

/// A finished span as a reader of OTLP sees it. The SDK itself never builds one: it writes bytes.
public struct SpanData: Hashable, Sendable {
    public var context: SpanContext
    /// OTLP's flags: W3C's trace flags, whether it is known that the parent is remote (bit 8), and whether it is
    /// (bit 9).
    public var flags: UInt32
    /// `.invalid` for a root.
    public var parentSpanID: SpanID
    public var name: String
    /// `nil` where the sender left it unspecified or used a number that OTLP does not define.
    public var kind: SpanKind?
    public var startTimeUnixNano: UInt64
    public var endTimeUnixNano: UInt64
    public var attributes: Attributes
    public var droppedAttributesCount: UInt32
    public var events: [SpanEvent]
    public var droppedEventsCount: UInt32
    public var links: [SpanLink]
    public var droppedLinksCount: UInt32
    public var status: SpanStatus
    /// The message of a status that is not an error, which OTLP can carry and the API cannot set; empty if there is
    /// none.
    package var statusNote = ""

    public init(
        context: SpanContext, flags: UInt32? = nil, parentSpanID: SpanID = .invalid, name: String,
        kind: SpanKind? = .internal,
        startTimeUnixNano: UInt64, endTimeUnixNano: UInt64, attributes: Attributes = [:],
        droppedAttributesCount: UInt32 = 0, events: [SpanEvent] = [], droppedEventsCount: UInt32 = 0,
        links: [SpanLink] = [], droppedLinksCount: UInt32 = 0, status: SpanStatus = .unset,
    ) {
        self.context = context
        self.flags = flags ?? UInt32(context.flags.rawValue)
        self.parentSpanID = parentSpanID
        self.name = name
        self.kind = kind
        self.startTimeUnixNano = startTimeUnixNano
        self.endTimeUnixNano = endTimeUnixNano
        self.attributes = attributes
        self.droppedAttributesCount = droppedAttributesCount
        self.events = events
        self.droppedEventsCount = droppedEventsCount
        self.links = links
        self.droppedLinksCount = droppedLinksCount
        self.status = status
    }

    /// Nanoseconds from start to end; 0 where the clock went backwards.
    public var durationNano: UInt64 {
        endTimeUnixNano > startTimeUnixNano ? endTimeUnixNano - startTimeUnixNano : 0
    }
}
