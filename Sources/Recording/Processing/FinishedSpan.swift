import AstrolabePlatform
public import AstrolabeTelemetryModel
import AstrolabeWire
public import Foundation

/// A span that has ended: a view of its encoded record.
///
/// Each property decodes its own part of the record when it is read, and encodes it when it is set. A processor pays
/// for what it reads. It may keep the value.
public struct FinishedSpan: Sendable {
    /// The parts that were set, which are redacted and limited before they are stored.
    struct Parts: OptionSet {
        let rawValue: UInt8
        static let name = Parts(rawValue: 1)
        static let attributes = Parts(rawValue: 2)
        static let events = Parts(rawValue: 4)
        static let links = Parts(rawValue: 8)
        static let status = Parts(rawValue: 16)
    }

    /// The record: one message `opentelemetry.proto.trace.v1.Span`.
    public private(set) var encoded: [UInt8]
    private(set) var changed: Parts = []
    private let scope: ScopeNumber
    private let scopes: RegisteredScopes

    init(_ bytes: UnsafeRawBufferPointer, scope: ScopeNumber, scopes: RegisteredScopes) {
        encoded = Array(bytes)
        self.scope = scope
        self.scopes = scopes
    }

    /// Creates a span from a message that was stored before, for tests of processors.
    package init(encoded: [UInt8], scope: InstrumentationScope) {
        let number = ScopeNumber(rawValue: 0)
        let scopes = RegisteredScopes()
        scopes.add(scope, number)
        self.encoded = encoded
        self.scope = number
        self.scopes = scopes
    }

    /// The identity of the span.
    public var context: SpanContext {
        let state: TraceState? = encoded.value(SpanField.traceState) { $0.text.flatMap(TraceState.init(header:)) }
        let flags: UInt32? = encoded.value(SpanField.flags) { value in
            if case .fixed32(let flags) = value { flags } else { nil }
        }
        return SpanContext(
            traceID: encoded.traceID(SpanField.traceID), spanID: encoded.spanID(SpanField.spanID),
            flags: TraceFlags(rawValue: UInt8(truncatingIfNeeded: flags ?? 0)), traceState: state ?? TraceState())
    }

    /// The parent, or an invalid id for a root.
    public var parentSpanID: SpanID { encoded.spanID(SpanField.parentSpanID) }

    /// The part of the span in a request or message.
    public var kind: SpanKind {
        encoded.value(SpanField.kind) { value in
            if case .varint(let number) = value { SpanKind(rawValue: Int32(truncatingIfNeeded: number)) } else { nil }
        } ?? .internal
    }

    /// When it started.
    public var startTime: Date { Date(nanosecondsSince1970: startTimeUnixNano) }
    /// When it ended.
    public var endTime: Date { Date(nanosecondsSince1970: endTimeUnixNano) }
    /// The duration of the span, to the nanosecond.
    public var duration: Duration {
        .nanoseconds(max(startTimeUnixNano, endTimeUnixNano) - startTimeUnixNano)
    }
    /// When it started, in nanoseconds since 1970.
    package var startTimeUnixNano: UInt64 { encoded.time(SpanField.startTime) }
    /// When it ended, in nanoseconds since 1970.
    package var endTimeUnixNano: UInt64 { encoded.time(SpanField.endTime) }
    /// The name of the tracer.
    public var scopeName: String { scopes[scope]?.name ?? "" }

    /// The name.
    public var name: String {
        get { encoded.value(SpanField.name) { $0.text } ?? "" }
        set {
            replace(SpanField.name, WireSize.field(newValue)) { $0.field(SpanField.name, newValue) }
            changed.insert(.name)
        }
    }

    /// All attributes, those of all records included.
    public var attributes: Attributes {
        get { encoded.withUnsafeBytes { Attributes(wire: $0, field: SpanField.attributes) } }
        set {
            replace(SpanField.attributes, newValue.wireSize) { newValue.write(as: SpanField.attributes, to: &$0) }
            changed.insert(.attributes)
        }
    }

    /// The value of one attribute. The other attributes are not decoded.
    public subscript(key: String) -> AttributeValue? {
        encoded.withUnsafeBytes { Attributes.value(of: key, wire: $0, field: SpanField.attributes) }
    }

    /// Events within the span, exceptions included.
    public var events: [SpanEvent] {
        get { all(SpanField.events, SpanEvent.init(wire:)) }
        set {
            replace(SpanField.events, newValue.map(\.wireSize)) { newValue[$0].write(to: &$1) }
            changed.insert(.events)
        }
    }

    /// The spans that it is related to.
    public var links: [SpanLink] {
        get { all(SpanField.links, SpanLink.init(wire:)) }
        set {
            replace(SpanField.links, newValue.map(\.wireSize)) { newValue[$0].write(to: &$1) }
            changed.insert(.links)
        }
    }

    /// The outcome of the operation.
    public var status: SpanStatus {
        get { encoded.value(SpanField.status) { $0.message.flatMap(SpanStatus.init(wire:)) } ?? .unset }
        set {
            let size = newValue.wireSize
            replace(SpanField.status, size == 0 ? [] : [size]) { newValue.write(to: &$1) }
            changed.insert(.status)
        }
    }

    /// Changes the attributes of the span, of its events and of its links.
    mutating func updateAttributes(_ change: (inout Attributes) -> Void) {
        func changed(_ attributes: Attributes) -> Attributes? {
            var copy = attributes
            change(&copy)
            return copy == attributes ? nil : copy
        }
        if let new = changed(attributes) { attributes = new }
        var (isAnyChanged, events) = (false, events)
        for index in events.indices {
            guard let new = changed(events[index].attributes) else { continue }
            events[index].attributes = new
            isAnyChanged = true
        }
        if isAnyChanged { self.events = events }
        var (isAnyLinkChanged, links) = (false, links)
        for index in links.indices {
            guard let new = changed(links[index].attributes) else { continue }
            links[index].attributes = new
            isAnyLinkChanged = true
        }
        if isAnyLinkChanged { self.links = links }
    }

    /// Redacts and limits what was set.
    mutating func admit(in core: RecordingCore) {
        let changed = changed
        if changed.contains(.name) { name = core.admitted(name) }
        if changed.contains(.attributes) {
            // The SDK's own attributes of all records do not count.
            let own = core.ambient.snapshot.attributes.count
            let limit = min(core.limits.attributeCount, Int.max - own) + own
            attributes = core.admitted(attributes, limit: limit).kept
        }
        if changed.contains(.events) {
            events = events.map { event in
                var event = event
                event.name = core.admitted(event.name)
                event.attributes = core.admitted(event.attributes, limit: core.limits.attributeCount).kept
                return event
            }
        }
        if changed.contains(.links) {
            links = links.map { link in
                var link = link
                link.attributes = core.admitted(link.attributes, limit: core.limits.attributeCount).kept
                return link
            }
        }
        if changed.contains(.status), case .error(let description) = status {
            status = .error(core.admitted(description))
        }
    }

    // MARK: - The encoded record

    private func all<Message>(_ field: UInt32, _ message: (UnsafeRawBufferPointer) -> Message?) -> [Message] {
        encoded.withUnsafeBytes { bytes in
            var found: [Message] = []
            var reader = WireReader(bytes)
            while let next = reader.next() {
                if next.field == field, let bytes = next.value.message, let read = message(bytes) { found.append(read) }
            }
            return found
        }
    }

    /// Writes submessages of these sizes in the place of all fields with this number.
    private mutating func replace(_ field: UInt32, _ sizes: [Int], _ write: (Int, inout WireWriter) -> Void) {
        replace(field, sizes.reduce(0) { $0 + WireSize.field(size: $1) }) { writer in
            for (index, size) in sizes.enumerated() {
                writer.header(field, size: size)
                write(index, &writer)
            }
        }
    }

    /// Writes `size` bytes in the place of all fields with this number.
    private mutating func replace(_ field: UInt32, _ size: Int, _ write: (inout WireWriter) -> Void) {
        var kept: [UInt8] = []
        kept.reserveCapacity(encoded.count + size)
        encoded.withUnsafeBytes { bytes in
            var reader = WireReader(bytes)
            var start = 0
            while let next = reader.next() {
                let end = bytes.count - reader.remaining
                if next.field != field { kept.append(contentsOf: bytes[start..<end]) }
                start = end
            }
        }
        kept.appendWire(size, write)
        encoded = kept
    }
}
