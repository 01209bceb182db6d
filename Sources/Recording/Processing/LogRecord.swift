import AstrolabePlatform
public import AstrolabeTelemetryModel
import AstrolabeWire
public import Foundation

/// A log record, or an event, before it is stored: a view of its encoded record.
///
/// Each property decodes its own part of the record when it is read. A processor pays for what it reads. It may keep
/// the value.
public struct LogRecord: Sendable {
    /// The record without what is written last: one message `opentelemetry.proto.logs.v1.LogRecord`.
    private let encoded: [UInt8]
    /// The parts that were set, which are redacted and limited before they are stored.
    private var newName: String?
    private var newBody: AttributeValue?
    private var newAttributes: Attributes?
    private let scope: ScopeNumber
    private let scopes: RegisteredScopes

    init(_ bytes: UnsafeRawBufferPointer, scope: ScopeNumber, scopes: RegisteredScopes) {
        encoded = Array(bytes)
        self.scope = scope
        self.scopes = scopes
    }

    /// The name of the event; empty for a plain log record.
    public var name: String {
        get { newName ?? text(LogRecordField.eventName) }
        set { newName = newValue }
    }

    /// The severity; the group of OTLP's severity number, or `nil` if that is not set.
    public var severity: Severity? {
        let number = severityNumber
        return number < 1 ? nil : Severity(rawValue: (number - 1) / 4 * 4 + 1)
    }

    /// The message, or another value.
    public var body: AttributeValue {
        get {
            newBody ?? encoded.value(LogRecordField.body) { $0.message.flatMap { AttributeValue(wire: $0) } } ?? .empty
        }
        set { newBody = newValue }
    }

    /// The attributes, those of all records included.
    public var attributes: Attributes {
        get {
            newAttributes ?? encoded.withUnsafeBytes { Attributes(wire: $0, field: LogRecordField.attributes) }
        }
        set { newAttributes = newValue }
    }

    /// When it happened.
    public var time: Date { Date(nanosecondsSince1970: timeUnixNano) }
    /// When it happened, in nanoseconds since 1970.
    package var timeUnixNano: UInt64 { encoded.time(LogRecordField.time) }
    /// The trace that it belongs to, or an invalid id.
    public var traceID: TraceID { encoded.traceID(LogRecordField.traceID) }
    /// The span that it belongs to, or an invalid id.
    public var spanID: SpanID { encoded.spanID(LogRecordField.spanID) }
    /// The name of the logger.
    public var scopeName: String { scopes[scope]?.name ?? "" }

    /// True if anything has been set.
    var isChanged: Bool { newName != nil || newBody != nil || newAttributes != nil }

    /// All but the attributes.
    var head: LogRecordHead {
        let flags: TraceFlags? = encoded.value(LogRecordField.flags) { value in
            if case .fixed32(let flags) = value { TraceFlags(rawValue: UInt8(truncatingIfNeeded: flags)) } else { nil }
        }
        return LogRecordHead(
            timeUnixNano: timeUnixNano, observedTimeUnixNano: encoded.time(LogRecordField.observedTime),
            severityNumber: severityNumber, severityText: text(LogRecordField.severityText), name: name, body: body,
            flags: flags ?? [], traceID: traceID, spanID: spanID)
    }

    /// Changes the attributes. Without a change, they are not encoded again.
    mutating func updateAttributes(_ change: (inout Attributes) -> Void) {
        let old = attributes
        var new = old
        change(&new)
        if new != old { newAttributes = new }
    }

    private var severityNumber: Int32 {
        encoded.value(LogRecordField.severityNumber) { value in
            if case .varint(let number) = value { Int32(truncatingIfNeeded: number) } else { nil }
        } ?? 0
    }

    private func text(_ field: UInt32) -> String { encoded.value(field) { $0.text } ?? "" }
}
