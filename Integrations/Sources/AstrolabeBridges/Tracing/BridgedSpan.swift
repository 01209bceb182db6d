import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
public import ServiceContextModule
public import Tracing

/// One of our spans, as swift-distributed-tracing sees it.
///
/// An attribute can be set again but not taken away: it is on the record from the moment it is set. An error that is
/// recorded gives its message to a status that has none; a `CancellationError` is no failure, here as in our own
/// `withSpan`.
public struct BridgedSpan: Tracing.Span {
    public let context: ServiceContext

    private let span: AstrolabeRecording.Tracer.Span
    private let state: State
    private let time: BridgedTime

    /// The state set with this API, which lets one read it back; the record itself holds bytes alone.
    final class State: Sendable {
        struct Values {
            var name: String
            var attributes: SpanAttributes = [:]
            var lastError: LastError?
        }

        enum LastError {
            case failure(message: String)
            case cancellation
        }

        let values: Locked<Values>

        init(name: String) {
            values = Locked(Values(name: name))
        }
    }

    init(_ span: AstrolabeRecording.Tracer.Span, state: State, context: ServiceContext, time: BridgedTime) {
        self.span = span
        self.state = state
        self.context = context
        self.time = time
    }

    public var operationName: String {
        get { state.values.withLock { $0.name } }
        nonmutating set {
            state.values.withLock { $0.name = newValue }
            span.updateName(newValue)
        }
    }

    public var attributes: SpanAttributes {
        get { state.values.withLock { $0.attributes } }
        nonmutating set {
            let old = state.values.withLock { values in
                let old = values.attributes
                values.attributes = newValue
                return old
            }
            newValue.forEach { key, value in
                if old[key]?.toSpanAttribute() != value { span.setAttribute(key, AttributeValue(value)) }
            }
        }
    }

    public var isRecording: Bool { span.isRecording }

    public func setStatus(_ status: Tracing.SpanStatus) {
        switch (status.code, status.message) {
        case (.ok, _): span.setStatus(.ok)
        case (.error, let message?): span.setStatus(.error(message))
        case (.error, nil):
            // `withSpan` calls this with no message after it has recorded what the body threw.
            switch state.values.withLock({ $0.lastError }) {
            case .cancellation: break
            case .failure(let message): span.setStatus(.error(message))
            case nil: span.setStatus(.error(""))
            }
        }
    }

    public func addEvent(_ event: Tracing.SpanEvent) {
        span.addEvent(
            event.name, attributes: Attributes(event.attributes),
            timeUnixNano: time.nanoseconds(ofDefaultClock: event.nanosecondsSinceEpoch))
    }

    public func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant,
    ) {
        let moment = time.nanoseconds(of: instant())
        if error is CancellationError {
            state.values.withLock { $0.lastError = .cancellation }
            span.addEvent("cancelled", attributes: Attributes(attributes), timeUnixNano: moment)
        } else {
            let message = ExceptionDescription(error).message
            state.values.withLock { $0.lastError = .failure(message: message) }
            span.recordException(error, attributes: Attributes(attributes), timeUnixNano: moment)
        }
    }

    /// A link to a context that carries no span of ours is ignored.
    public func addLink(_ link: Tracing.SpanLink) {
        guard let other = BridgedContext.of(link.context)?.telemetry.span?.context else { return }
        span.addLink(other, attributes: Attributes(link.attributes))
    }

    public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        guard span.isRecording else { return span.end() }
        span.end(timeUnixNano: time.nanoseconds(of: instant()))
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
