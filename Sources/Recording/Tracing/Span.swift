import Platform
public import TelemetryModel

/// One timed operation of a trace.
///
///     let span = tracer.spanBuilder("checkout").startSpan()
///     span.setAttribute(key: "demo.cart.items.count", value: 3)
///     span.end()
///
/// A span that is not recorded (SDK disabled, trace sampled out) is the same type with nothing behind it: every call on
/// it returns at once, without reading a clock or allocating. All calls may come from any thread; after `end` they do
/// nothing. Limits and redaction apply as configured.
public struct Span: Sendable {
    /// What identifies the span to others; invalid where the SDK is disabled.
    public let context: SpanContext
    @usableFromInline let recorder: SpanRecorder?

    @inlinable
    init(context: SpanContext, recorder: SpanRecorder?) {
        self.context = context
        self.recorder = recorder
    }

    /// A span that records nothing and passes its context on, as for a trace that another process started.
    @inlinable
    public static func nonRecording(_ context: SpanContext) -> Span {
        Span(context: context, recorder: nil)
    }

    @inlinable static var none: Span { Span(context: .invalid, recorder: nil) }

    /// True from the start to the end of a span that is recorded: ask it before you compute a costly attribute.
    public var isRecording: Bool { recorder?.isRecording ?? false }

    /// Sets an attribute; a key that is set again takes the new value. An empty key is ignored.
    @inlinable
    public func setAttribute(key: String, value: String) {
        recorder?.setAttribute(key, value)
    }

    @inlinable
    public func setAttribute(key: String, value: Int) {
        recorder?.setAttribute(key, .int(Int64(value)))
    }

    @inlinable
    public func setAttribute(key: String, value: Double) {
        recorder?.setAttribute(key, .double(value))
    }

    @inlinable
    public func setAttribute(key: String, value: Bool) {
        recorder?.setAttribute(key, .bool(value))
    }

    @inlinable
    public func setAttribute(key: String, value: AttributeValue) {
        recorder?.setAttribute(key, value)
    }

    /// Sets each attribute in turn.
    public func setAttributes(_ attributes: Attributes) {
        guard let recorder else { return }
        for element in attributes { recorder.setAttribute(element.key, element.value) }
    }

    /// Records that something happened at this moment, or at `timeUnixNano` where it is given.
    public func addEvent(_ name: String, attributes: Attributes = [:], timeUnixNano: UInt64? = nil) {
        guard let recorder, recorder.isRecording else { return }
        let time = timeUnixNano ?? recorder.core.clock.now
        recorder.record(.event(SpanEvent(name: name, timeUnixNano: time, attributes: attributes)))
    }

    /// Relates the span to another one, of this or another trace. An invalid context is ignored.
    public func addLink(_ context: SpanContext, attributes: Attributes = [:]) {
        guard let recorder, context.isValid else { return }
        recorder.record(.link(SpanLink(context: context, attributes: attributes)))
    }

    /// Records an error as an `exception` event, at this moment or at `timeUnixNano`; it does not change the status, as
    /// the specification asks. `attributes` win over those that the error gives.
    public func recordException(_ error: any Error, attributes: Attributes = [:], timeUnixNano: UInt64? = nil) {
        guard isRecording else { return }
        addEvent(
            ExceptionDescription.eventName, attributes: ExceptionDescription(error).attributes.merging(attributes),
            timeUnixNano: timeUnixNano, )
    }

    /// Says how the operation went: `ok` is final, an error replaces an earlier one, `unset` changes nothing.
    public func setStatus(_ status: SpanStatus) {
        recorder?.record(.status(status))
    }

    public func updateName(_ name: String) {
        recorder?.record(.name(name))
    }

    /// Ends the span now, or at `timeUnixNano`: from here on it is a finished record that survives. Once only.
    @inlinable
    public func end(timeUnixNano: UInt64? = nil) {
        if let recorder { end(recorder, at: timeUnixNano) }
    }

    @usableFromInline
    func end(_ recorder: SpanRecorder, at timeUnixNano: UInt64?) {
        if recorder.isRecording { recorder.end(at: timeUnixNano ?? recorder.core.clock.now) }
        ActiveSpans.deactivate(context)
    }
}
