import Platform
import Recording
public import ServiceContextModule
import TelemetryModel
public import Tracing

/// One of our spans, as swift-distributed-tracing sees it.
public struct BridgedSpan: Tracing.Span {
    public let context: ServiceContext

    private let span: Recording.Span
    /// What has been set by way of this API, which lets one read it back; the record itself holds bytes alone.
    private let readable: Guarded<Readable>

    private struct Readable {
        var name: String
        var attributes: SpanAttributes = [:]
    }

    init(_ span: Recording.Span, name: String, context: ServiceContext) {
        self.span = span
        self.context = context
        readable = Guarded(Readable(name: name))
    }

    public var operationName: String {
        get { readable.withLock { $0.name } }
        nonmutating set {
            readable.withLock { $0.name = newValue }
            span.updateName(newValue)
        }
    }

    public var attributes: SpanAttributes {
        get { readable.withLock { $0.attributes } }
        nonmutating set {
            let old = readable.withLock { readable in
                let old = readable.attributes
                readable.attributes = newValue
                return old
            }
            newValue.forEach { key, value in
                if old[key]?.toSpanAttribute() != value { span.setAttribute(key: key, value: AttributeValue(value)) }
            }
        }
    }

    public var isRecording: Bool { span.isRecording }

    public func setStatus(_ status: Tracing.SpanStatus) {
        switch status.code {
        case .ok: span.setStatus(.ok)
        case .error: span.setStatus(.error(status.message ?? ""))
        }
    }

    public func addEvent(_ event: Tracing.SpanEvent) {
        span.addEvent(
            event.name, attributes: Attributes(event.attributes), timeUnixNano: event.nanosecondsSinceEpoch, )
    }

    public func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant,
    ) {
        let description = ExceptionDescription(error)
        span.addEvent(
            ExceptionDescription.eventName, attributes: description.attributes.merging(Attributes(attributes)),
            timeUnixNano: instant().nanosecondsSinceEpoch, )
    }

    public func addLink(_ link: Tracing.SpanLink) {
        guard let other = BridgedContext.of(link.context)?.span?.context else { return }
        span.addLink(other, attributes: Attributes(link.attributes))
    }

    public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        span.end(timeUnixNano: instant().nanosecondsSinceEpoch)
    }
}

extension Attributes {
    init(_ attributes: SpanAttributes) {
        self.init()
        attributes.forEach { key, value in self[key] = AttributeValue(value) }
    }
}

extension AttributeValue {
    init(_ attribute: SpanAttribute) {
        switch attribute {
        case .int32(let value): self = .int(Int64(value))
        case .int64(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .bool(let value): self = .bool(value)
        case .string(let value): self = .string(value)
        case .int32Array(let values): self = .array(values.map { .int(Int64($0)) })
        case .int64Array(let values): self = .array(values.map { .int($0) })
        case .doubleArray(let values): self = .array(values.map { .double($0) })
        case .boolArray(let values): self = .array(values.map { .bool($0) })
        case .stringArray(let values): self = .array(values.map { .string($0) })
        case .stringConvertible(let value): self = .string(value.description)
        case .stringConvertibleArray(let values): self = .array(values.map { .string($0.description) })
        default: self = .empty
        }
    }
}
