import AstrolabePlatform
import AstrolabeSemantics
public import AstrolabeTelemetryModel
public import Foundation

extension Tracer {
    /// One timed operation of a trace.
    ///
    ///     let span = tracer.spanBuilder("checkout").startSpan()
    ///     span.setAttribute("demo.cart.items.count", 3)
    ///     span.end()
    ///
    /// A span that is not recorded (SDK disabled, or trace sampled out while the flight recorder is off) is the same
    /// type without a record. Every call on it returns at once, without reading a clock or allocating. All calls may
    /// come from any thread; after `end` they do nothing. Limits and redaction apply as configured.
    public struct Span: Sendable {
        /// `nil` for no span.
        @usableFromInline let handle: SpanHandle?
        /// True for a span that was made active.
        @usableFromInline let isActive: Bool

        @inlinable
        init(_ handle: SpanHandle?, isActive: Bool = false) {
            self.handle = handle
            self.isActive = isActive
        }

        @inlinable static var none: Tracer.Span { Tracer.Span(nil) }

        /// A span that records nothing and passes its context on, as for a trace that another process started.
        public static func nonRecording(_ context: SpanContext) -> Tracer.Span {
            context.isValid ? Tracer.Span(SpanHandle(context: context)) : .none
        }

        /// The identity of the span to others; invalid if the SDK is disabled.
        public var context: SpanContext { handle?.context ?? .invalid }

        var isValid: Bool { handle?.context.isValid ?? false }

        /// True from the start to the end of a span that is recorded: ask it before you compute a costly attribute.
        public var isRecording: Bool { recorder?.isRecording ?? false }

        var recorder: SpanRecorder? { handle?.recorder }

        /// Sets an attribute; a later value for the same key replaces it. An empty key or a `nil` value sets nothing.
        ///
        ///     span.setAttribute(AttributeKey.httpRequestMethod, "GET")
        ///     span.setAttribute("demo.cart.items.count", cart.items.count)
        @inlinable
        public func setAttribute(_ key: String, _ value: some AttributeConvertible) {
            guard let handle, let value = value.attributeValue else { return }
            handle.setAttribute(key, value)
        }

        /// Sets an attribute to a value of a named type, such as `.bytes(digest)`.
        @inlinable
        public func setAttribute(_ key: String, _ value: AttributeValue) {
            handle?.setAttribute(key, value)
        }

        /// Sets an attribute: `span["demo.product.id"] = id`. `nil` sets nothing. A span's attributes cannot be read.
        public subscript(key: String) -> (any AttributeConvertible)? {
            @available(*, unavailable, message: "A span's attributes can be set but not read.")
            get { nil }
            nonmutating set {
                guard let handle, let value = newValue?.attributeValue else { return }
                handle.setAttribute(key, value)
            }
        }

        /// Removes an attribute that was set on this span, for APIs that set it to nothing.
        package func removeAttribute(_ key: String) {
            recorder?.record(.removal(key: key))
        }

        /// Sets each attribute in turn.
        public func setAttributes(_ attributes: Attributes) {
            guard let recorder else { return }
            for element in attributes { recorder.setAttribute(element.key, element.value) }
        }

        /// Records that something happened at this moment, or at `time` where it is given.
        public func addEvent(_ name: String, attributes: Attributes = [:], at time: Date? = nil) {
            addEvent(name, attributes: attributes, timeUnixNano: time.map { UInt64(nanosecondsSince1970: $0) })
        }

        /// Records that something happened, to the nanosecond.
        package func addEvent(_ name: String, attributes: Attributes = [:], timeUnixNano: UInt64?) {
            guard let recorder, recorder.isRecording else { return }
            let time = timeUnixNano ?? recorder.now
            recorder.record(.event(SpanEvent(name: name, timeUnixNano: time, attributes: attributes)))
        }

        /// Relates the span to another one, of this or another trace. An invalid context is ignored.
        public func addLink(_ context: SpanContext, attributes: Attributes = [:]) {
            guard let recorder, context.isValid else { return }
            recorder.record(.link(SpanLink(context: context, attributes: attributes)))
        }

        /// Records an error as an `exception` event, at this moment or at `time`; it does not change the status, as the
        /// specification asks. `attributes` win over those that the error gives. It is an event of the span, a log
        /// record, or both: see ``ExceptionSignal``.
        ///
        /// It takes the breadcrumbs of the moment along (`astrolabe.breadcrumbs`), unless an exception of the same
        /// trace has taken the same ones.
        public func recordException(_ error: any Error, attributes: Attributes = [:], at time: Date? = nil) {
            recordException(
                error, attributes: attributes, timeUnixNano: time.map { UInt64(nanosecondsSince1970: $0) })
        }

        /// Records an error, to the nanosecond.
        package func recordException(_ error: any Error, attributes: Attributes = [:], timeUnixNano: UInt64?) {
            record(ExceptionDescription(error), attributes: attributes, timeUnixNano: timeUnixNano)
        }

        /// Says how the operation went: `ok` is final, an error replaces an earlier one, `unset` changes nothing.
        public func setStatus(_ status: SpanStatus) {
            recorder?.record(.status(status))
        }

        /// Replaces the name that the span was started with.
        public func updateName(_ name: String) {
            recorder?.record(.name(name))
        }

        /// Ends the span now: from here on it is a finished record that survives. Once only.
        @inlinable
        public func end() {
            end(timeUnixNano: nil)
        }

        /// Ends the span as of another time. Once only.
        public func end(at time: Date) {
            end(timeUnixNano: UInt64(nanosecondsSince1970: time))
        }

        /// Ends the span, to the nanosecond; `nil` for now.
        @inlinable
        package func end(timeUnixNano: UInt64?) {
            if let handle { end(handle, at: timeUnixNano) }
        }

        @usableFromInline
        func end(_ handle: SpanHandle, at timeUnixNano: UInt64?) {
            if let recorder = handle.recorder, recorder.isRecording { recorder.end(at: timeUnixNano) }
            if isActive { ActiveSpans.deactivate(handle) }
        }

        /// Records an error and, where it is what ended the span's scope, the status that goes with it.
        func record(
            _ exception: @autoclosure () -> ExceptionDescription, attributes: Attributes = [:],
            timeUnixNano: UInt64? = nil, isStatus: Bool = false,
        ) {
            guard let recorder, recorder.isRecording, isPermitted(in: recorder.core) else { return }
            let exception = exception()
            let event = event(of: exception, attributes, timeUnixNano, recorder)
            if recorder.core.exceptionSignal != .spanEvents { emitLogRecord(of: event, recorder) }
            if recorder.core.exceptionSignal != .logs { recorder.record(.event(event)) }
            if isStatus { recorder.record(.status(.error(exception.message))) }
        }

        /// False while consent is denied, and for a span that began before the user refused.
        ///
        /// It is stored nowhere, and no request and no record names it.
        package func isPermitted(in core: RecordingCore?) -> Bool {
            guard let core else { return true }
            return core.periods.isPermitted && (recorder?.isOfCurrentPeriod ?? !isOfEarlierPeriod(in: core))
        }

        private func isOfEarlierPeriod(in core: RecordingCore) -> Bool {
            handle?.isOf(before: core.periods.number) ?? false
        }

        private func event(
            of exception: ExceptionDescription, _ attributes: Attributes, _ timeUnixNano: UInt64?,
            _ recorder: SpanRecorder,
        ) -> SpanEvent {
            let core = recorder.core
            var all = exception.attributes.merging(attributes)
            let key = AttributeKey.astrolabeBreadcrumbs
            if all[key] == nil {
                all[key] = core.breadcrumbs.attribute(
                    forExceptionIn: context.traceID, textLimit: core.limits.attributeValueLength)
            }
            return SpanEvent(
                name: ExceptionDescription.eventName, timeUnixNano: timeUnixNano ?? recorder.now,
                attributes: all)
        }
    }
}
