import AstrolabePlatform
public import AstrolabeTelemetryModel
public import Foundation

/// A log record, or an event, before it is stored.
public struct LogRecord: Sendable {
    package var data: LogRecordData
    private let scope: ScopeNumber
    private let scopes: RegisteredScopes

    init(_ data: LogRecordData, scope: ScopeNumber, scopes: RegisteredScopes) {
        self.data = data
        self.scope = scope
        self.scopes = scopes
    }

    /// The name of the event; empty for a plain log record.
    public var name: String {
        get { data.eventName }
        set { data.eventName = newValue }
    }

    /// How severe it is; the group of OTLP's severity number, or `nil` if that is not set.
    public var severity: Severity? {
        data.severityNumber < 1 ? nil : Severity(rawValue: (data.severityNumber - 1) / 4 * 4 + 1)
    }

    /// The message, or another value.
    public var body: AttributeValue {
        get { data.body }
        set { data.body = newValue }
    }

    /// The attributes, those of all records included.
    public var attributes: Attributes {
        get { data.attributes }
        set { data.attributes = newValue }
    }

    /// When it happened.
    public var time: Date { Date(nanosecondsSince1970: data.timeUnixNano) }
    /// When it happened, in nanoseconds since 1970.
    package var timeUnixNano: UInt64 { data.timeUnixNano }
    /// The trace that it belongs to, or an invalid id.
    public var traceID: TraceID { data.traceID }
    /// The span that it belongs to, or an invalid id.
    public var spanID: SpanID { data.spanID }
    /// The name of the logger.
    public var scopeName: String { scopes[scope]?.name ?? "" }
}
