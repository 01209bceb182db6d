/// The severity of an event. Raw values are OTLP's severity numbers, the first of each group of four.
public enum Severity: Int32, Sendable, CaseIterable, Comparable {
    /// Fine-grained detail.
    case trace = 1
    /// Information for debugging.
    case debug = 5
    /// An expected event.
    case info = 9
    /// Something unexpected that is not an error.
    case warn = 13
    /// Something that went wrong.
    case error = 17
    /// An error that ends the app.
    case fatal = 21

    public static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }

    /// The short name that OTLP's `severity_text` carries: "INFO", "ERROR" and so on.
    package var text: String {
        switch self {
        case .trace: "TRACE"
        case .debug: "DEBUG"
        case .info: "INFO"
        case .warn: "WARN"
        case .error: "ERROR"
        case .fatal: "FATAL"
        }
    }
}

/// A log record or, where it has an event name, an event, as a reader of OTLP sees it.
public struct LogRecordData: Hashable, Sendable {
    /// When it happened; 0 where unknown.
    public var timeUnixNano: UInt64
    /// When the SDK saw it.
    public var observedTimeUnixNano: UInt64
    /// OTLP's severity number, 1 to 24; 0 where unspecified.
    public var severityNumber: Int32
    public var severityText: String
    /// Empty for a plain log record.
    public var eventName: String
    public var body: AttributeValue
    public var attributes: Attributes
    public var droppedAttributesCount: UInt32
    public var flags: TraceFlags
    /// Bits 8 to 31 of OTLP's flags, to which OTLP gives no meaning yet.
    package var reservedFlags: UInt32 = 0
    /// `.invalid` where the record belongs to no trace.
    public var traceID: TraceID
    /// `.invalid` where the record belongs to no span.
    public var spanID: SpanID

    public init(
        timeUnixNano: UInt64, observedTimeUnixNano: UInt64 = 0, severityNumber: Int32 = 0, severityText: String = "",
        eventName: String = "", body: AttributeValue = .empty, attributes: Attributes = [:],
        droppedAttributesCount: UInt32 = 0, flags: TraceFlags = [], traceID: TraceID = .invalid,
        spanID: SpanID = .invalid,
    ) {
        self.timeUnixNano = timeUnixNano
        self.observedTimeUnixNano = observedTimeUnixNano
        self.severityNumber = severityNumber
        self.severityText = severityText
        self.eventName = eventName
        self.body = body
        self.attributes = attributes
        self.droppedAttributesCount = droppedAttributesCount
        self.flags = flags
        self.traceID = traceID
        self.spanID = spanID
    }
}
