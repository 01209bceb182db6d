public import AstrolabeTelemetryModel

/// A record as `TelemetryConfiguration.beforeSend` sees it, before it is stored.
///
///     configuration.beforeSend.append { record in
///         record.updateAttributes { $0["demo.card.holder"] = nil }
///         return record.name != "heartbeat"
///     }
public enum OutgoingRecord: Sendable {
    /// A span that has ended.
    case span(FinishedSpan)
    /// A log record, or an event.
    case log(LogRecord)

    /// The name of the span or event; empty for a log record without an event name.
    public var name: String {
        get {
            switch self {
            case .span(let span): span.name
            case .log(let record): record.name
            }
        }
        set {
            switch self {
            case .span(var span):
                span.name = newValue
                self = .span(span)
            case .log(var record):
                record.name = newValue
                self = .log(record)
            }
        }
    }

    /// The record's own attributes. Those of a span's events and links are not among them.
    public var attributes: Attributes {
        switch self {
        case .span(let span): span.attributes
        case .log(let record): record.attributes
        }
    }

    /// Changes the attributes of the record and, for a span, those of its events and links too.
    ///
    /// Only what `change` has changed is encoded again.
    public mutating func updateAttributes(_ change: (inout Attributes) -> Void) {
        switch self {
        case .span(var span):
            span.updateAttributes(change)
            self = .span(span)
        case .log(var record):
            record.updateAttributes(change)
            self = .log(record)
        }
    }
}
