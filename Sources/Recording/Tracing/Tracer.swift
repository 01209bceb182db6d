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
    let core: RecordingCore?
    let scope: ScopeNumber

    package init(core: RecordingCore?, scope: InstrumentationScope) {
        self.core = core
        self.scope = core?.sink.register(scope) ?? ScopeNumber(rawValue: 0)
    }

    /// A tracer whose spans record nothing and cost nothing.
    public static let disabled = Tracer(core: nil, scope: InstrumentationScope(name: ""))

    /// A builder, for a span that needs links, an explicit parent or a start time, or that ends elsewhere.
    public func spanBuilder(_ name: String) -> SpanBuilder {
        SpanBuilder(tracer: self, name: name)
    }

    /// Runs `body` inside a new span, which is the current one there and ends with it.
    ///
    /// An error that `body` throws is recorded as an exception and as the span's status, and is thrown on; a
    /// `CancellationError` is no failure and is only noted as an event.
    @discardableResult
    public func withSpan<Result>(
        _ name: String, kind: SpanKind = .internal, attributes: Attributes = [:], _ body: (Span) throws -> Result
    ) rethrows -> Result {
        guard let (span, context) = scoped(name, kind: kind, attributes: attributes) else { return try body(.none) }
        defer { span.end() }
        do {
            return try context.withValue { try body(span) }
        } catch {
            span.recordFailure(error)
            throw error
        }
    }

    /// Runs `body` inside a new span, which is the current one there and ends with it; the actor that calls it keeps
    /// the floor.
    @discardableResult
    public func withSpan<Result>(
        _ name: String, kind: SpanKind = .internal, attributes: Attributes = [:],
        isolation: isolated (any Actor)? = #isolation, _ body: (Span) async throws -> Result
    ) async rethrows -> Result {
        guard let (span, context) = scoped(name, kind: kind, attributes: attributes) else {
            return try await body(.none)
        }
        defer { span.end() }
        do {
            return try await context.withValue(isolation: isolation) { try await body(span) }
        } catch {
            span.recordFailure(error)
            throw error
        }
    }

    private func scoped(_ name: String, kind: SpanKind, attributes: Attributes) -> (Span, TelemetryContext)? {
        guard core != nil else { return nil }
        let current = TelemetryContext.current
        let span = start(
            name, kind: kind, parent: current.span?.context, startTimeUnixNano: nil)
        span.setAttributes(attributes)
        return (span, TelemetryContext(span: span, baggage: current.baggage))
    }

    /// Asks the sampler and starts a span under `parent`, which is remote, local or `nil` for a root.
    func start(_ name: String, kind: SpanKind, parent: SpanContext?, startTimeUnixNano: UInt64?) -> Span {
        guard let core else { return .nonRecording(parent ?? .invalid) }
        let parent = parent.flatMap { $0.isValid ? $0 : nil }
        let traceID: TraceID
        if let parent {
            traceID = parent.traceID
        } else {
            let random = core.ids.next128()
            traceID = TraceID(high: random.high, low: random.low)
        }
        let decision = core.sampler.shouldSample(
            SamplingInput(parent: parent, traceID: traceID, name: name, kind: kind))
        var flags: TraceFlags = parent.map { $0.flags.intersection(.random) } ?? .random
        if decision.isSampled { flags.insert(.sampled) }
        let context = SpanContext(
            traceID: traceID, spanID: SpanID(core.ids.next64()), flags: flags, traceState: decision.traceState)
        guard decision.isSampled else { return .nonRecording(context) }
        let recorder = SpanRecorder(
            core: core, scope: scope, name: name, context: context, parent: parent, kind: kind,
            startTimeUnixNano: startTimeUnixNano ?? core.clock.now)
        return Span(context: context, recorder: recorder)
    }
}

extension Span {
    /// Notes why a scope ended early; cancellation is not a failure.
    func recordFailure(_ error: any Error) {
        guard recorder != nil else { return }
        if error is CancellationError {
            addEvent("cancelled")
        } else {
            let described = ExceptionDescription(error)
            addEvent(ExceptionDescription.eventName, attributes: described.attributes)
            setStatus(.error(described.message))
        }
    }
}
