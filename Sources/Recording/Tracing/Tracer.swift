import Platform
public import TelemetryModel

/// Starts spans in the name of one instrumentation scope.
///
///     let tracer = telemetry.tracer("shop.cart", version: "1.0.0")
///     let total = try await tracer.withSpan("checkout", kind: .internal) { span in
///         span.setAttribute(key: "demo.cart.items.count", value: cart.count)
///         return try await placeOrder(cart)
///     }
public struct Tracer: Sendable {
    @usableFromInline package let core: RecordingCore?
    let scope: ScopeNumber

    package init(core: RecordingCore?, scope: InstrumentationScope) {
        self.core = core
        self.scope = core?.sink.register(scope) ?? ScopeNumber(rawValue: 0)
    }

    /// A tracer whose spans record nothing and cost nothing.
    public static let disabled = Tracer(core: nil, scope: InstrumentationScope(name: ""))

    /// A builder, for a span that needs links, an explicit parent or a start time, or that ends elsewhere.
    @inlinable
    public func spanBuilder(_ name: String) -> SpanBuilder {
        SpanBuilder(tracer: self, name: name)
    }

    /// Runs `body` inside a new span, which is the current one there and ends with it.
    ///
    /// An error that `body` throws is recorded as an exception and as the span's status, and is thrown on; a
    /// `CancellationError` is no failure and is only noted as an event.
    @inlinable
    @discardableResult
    public func withSpan<Result>(
        _ name: String, kind: SpanKind = .internal, attributes: Attributes = Attributes(),
        _ body: (Span) throws -> Result,
    ) rethrows -> Result {
        guard let core else { return try body(.none) }
        return try scoped(name, kind: kind, attributes: attributes, core).withActiveSpan(body)
    }

    /// Runs `body` inside a new span, which is the current one there and ends with it; the actor that calls it keeps
    /// the floor.
    @inlinable
    @discardableResult
    public func withSpan<Result>(
        _ name: String, kind: SpanKind = .internal, attributes: Attributes = Attributes(),
        isolation: isolated (any Actor)? = #isolation, _ body: (Span) async throws -> Result,
    ) async rethrows -> Result {
        guard let core else { return try await body(.none) }
        return try await scoped(name, kind: kind, attributes: attributes, core).withActiveSpan(
            isolation: isolation, body, )
    }

    @usableFromInline
    func scoped(
        _ name: String, kind: SpanKind, attributes: Attributes, _ core: RecordingCore,
    ) -> TelemetryContext {
        let current = TelemetryContext.current
        let span = start(name, kind: kind, parent: current.spanContext, startTimeUnixNano: nil, core)
        span.setAttributes(attributes)
        return TelemetryContext(activeSpan: span, baggage: current.baggage)
    }

    /// Asks the sampler and starts a span under `parent`, which is remote, local or, for a root, invalid.
    func start(
        _ name: String, kind: SpanKind, parent: SpanContext, startTimeUnixNano: UInt64?, _ core: RecordingCore,
    ) -> Span {
        let isRoot = !parent.isValid
        let traceID = isRoot ? core.makeTraceID() : parent.traceID
        let decision = core.sampling.decide(parent: parent, isRoot: isRoot, traceID: traceID, name: name, kind: kind)
        var flags = isRoot ? .random : parent.flags.intersection(.random)
        if decision.isSampled { flags.insert(.sampled) }
        let context = SpanContext(
            traceID: traceID, spanID: SpanID(core.ids.next64()), flags: flags, traceState: decision.traceState, )
        guard decision.isSampled else { return .nonRecording(context) }
        let recorder = SpanRecorder(
            core: core, scope: scope, name: name, context: context, parent: isRoot ? .invalid : parent.spanID,
            parentIsRemote: !isRoot && parent.isRemote, kind: kind,
            startTimeUnixNano: startTimeUnixNano ?? core.clock.now, )
        return Span(context: context, recorder: recorder)
    }

    /// A recorder that has ended already, for a span that is not recorded.
    func discardingRecorder(for context: SpanContext) -> SpanRecorder? {
        guard let core, context.isValid else { return nil }
        let recorder = SpanRecorder(
            core: core, scope: scope, name: "", context: context, parent: .invalid, parentIsRemote: false,
            kind: .internal, startTimeUnixNano: 0, )
        recorder.discard()
        return recorder
    }
}

extension TelemetryContext {
    /// Runs `body` in this context, and ends its span after it.
    @usableFromInline
    func withActiveSpan<Result>(_ body: (Span) throws -> Result) rethrows -> Result {
        let span = activeSpan
        defer { span.end() }
        do {
            return try withValue { try body(span) }
        } catch {
            span.recordFailure(error)
            throw error
        }
    }

    /// Runs `body` in this context, and ends its span after it.
    @usableFromInline
    func withActiveSpan<Result>(
        isolation: isolated (any Actor)?, _ body: (Span) async throws -> Result,
    ) async rethrows -> Result {
        let span = activeSpan
        defer { span.end() }
        do {
            return try await withValue(isolation: isolation) { try await body(span) }
        } catch {
            span.recordFailure(error)
            throw error
        }
    }
}

extension Span {
    /// Notes why a scope ended early; cancellation is not a failure.
    func recordFailure(_ error: any Error) {
        guard isRecording else { return }
        if error is CancellationError {
            addEvent("cancelled")
        } else {
            let described = ExceptionDescription(error)
            addEvent(ExceptionDescription.eventName, attributes: described.attributes)
            setStatus(.error(described.message))
        }
    }
}
