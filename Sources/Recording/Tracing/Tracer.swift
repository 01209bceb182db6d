import AstrolabePlatform
public import AstrolabeTelemetryModel

/// Starts spans in the name of one instrumentation scope.
///
///     let tracer = telemetry.tracer("shop.cart", version: "1.0.0")
///     let total = try await tracer.withSpan("checkout", kind: .internal) { span in
///         span.setAttribute("demo.cart.items.count", cart.count)
///         return try await placeOrder(cart)
///     }
public struct Tracer: Sendable {
    @usableFromInline package let core: RecordingCore?
    @usableFromInline let scope: ScopeNumber

    package init(core: RecordingCore?, scope: InstrumentationScope) {
        let core = core?.records(.span) == true ? core : nil
        self.core = core
        self.scope = core?.register(scope) ?? ScopeNumber(rawValue: 0)
    }

    /// A tracer whose spans record nothing and cost nothing.
    package static let disabled = Tracer(core: nil, scope: InstrumentationScope(name: ""))

    /// Starts a span inside the current one. It is not the current one itself, and the caller ends it.
    ///
    ///     let span = tracer.startSpan("upload")
    ///     defer { span.end() }
    ///
    /// `withSpan` is the better way where a closure holds all of the operation.
    public func startSpan(
        _ name: String, kind: SpanKind = .internal, attributes: Attributes = Attributes(),
    ) -> Tracer.Span {
        let options = core == nil || attributes.isEmpty ? nil : SpanOptions(copying: nil)
        options?.attributes = attributes
        return SpanBuilder(core: core, scope: scope, name: name, kind: kind, options: options).startSpan()
    }

    /// A builder, for a span that needs links, an explicit parent or a start time, or that ends elsewhere.
    @inlinable
    public func spanBuilder(_ name: String) -> SpanBuilder {
        SpanBuilder(core: core, scope: scope, name: name, kind: .internal, options: nil)
    }

    /// Runs `body` inside a new span, which is the current one there and ends with it.
    ///
    /// An error that `body` throws is recorded as an exception and as the span's status, and is thrown on. A
    /// `CancellationError` or a cancelled request of `URLSession` is no failure and is only noted as an event.
    ///
    /// - Parameter attributes: Built only if the span is recorded, or if a sampler of the app looks at them.
    @inlinable
    @discardableResult
    public func withSpan<Result>(
        _ name: String, kind: SpanKind = .internal, attributes: @autoclosure () -> Attributes = Attributes(),
        _ body: (Tracer.Span) throws -> Result,
    ) rethrows -> Result {
        guard let span = core?.start(name, kind: kind, scope: scope, startingWith: attributes), span.handle != nil
        else { return try body(.none) }
        do {
            let result = try span.withContext(in: core, body)
            span.end()
            return result
        } catch {
            span.recordFailure(error)
            span.end()
            throw error
        }
    }

    /// Runs `body` inside a new span, which is the current one there and ends with it; the actor that calls it keeps
    /// the floor.
    ///
    /// - Parameter attributes: Built only if the span is recorded, or if a sampler of the app looks at them.
    @inlinable
    @discardableResult
    public func withSpan<Result>(
        _ name: String, kind: SpanKind = .internal, attributes: @autoclosure () -> Attributes = Attributes(),
        isolation: isolated (any Actor)? = #isolation, _ body: (Tracer.Span) async throws -> Result,
    ) async rethrows -> Result {
        guard let span = core?.start(name, kind: kind, scope: scope, startingWith: attributes), span.handle != nil
        else { return try await body(.none) }
        do {
            let result = try await span.withContext(in: core, isolation: isolation, body)
            span.end()
            return result
        } catch {
            span.recordFailure(error)
            span.end()
            throw error
        }
    }
}

extension Tracer.Span {
    /// Notes why a scope ended early; cancellation is not a failure.
    @usableFromInline
    package func recordFailure(_ error: any Error) {
        if ExceptionDescription.isCancellation(error) {
            addEvent("cancelled")
        } else {
            record(ExceptionDescription(error), isStatus: true)
        }
    }
}
