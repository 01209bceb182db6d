package import AstrolabeTelemetryModel
import Atomics

/// The context that travels along with the work: the active span and the baggage.
///
/// Held in a `TaskLocal`, so it follows structured concurrency into child tasks, task groups and `Task { }`, and comes
/// back by itself where a scope ends. `Task.detached`, a dispatch queue and a callback start without it: read `current`
/// before and use `withValue` there.
public struct TelemetryContext: Sendable {
    /// `Span.none` where no span is active.
    let activeSpan: Tracer.Span
    /// The name-value pairs that travel with requests.
    public let baggage: Baggage
    /// The context of another system that this one was opened in. It lives at least as long as this is the current one.
    private(set) var enclosingForeign: ObjectIdentifier?

    /// Creates a context of a span and baggage.
    public init(span: Tracer.Span? = nil, baggage: Baggage = Baggage()) {
        self.init(activeSpan: span ?? .none, baggage: baggage)
    }

    init(activeSpan: Tracer.Span, baggage: Baggage) {
        self.activeSpan = activeSpan
        self.baggage = baggage
    }

    /// `nil` where no span is active.
    public var span: Tracer.Span? { activeSpan.isValid ? activeSpan : nil }

    /// The context of the active span, for the records of a core; `nil` also for a span of before a refusal.
    func permittedSpan(in core: RecordingCore) -> SpanContext? {
        span.flatMap { $0.isPermitted(in: core) ? $0.context : nil }
    }

    /// The context of the running code.
    public static var current: TelemetryContext {
        let scoped = scoped
        return ActiveSpans.areInUse ? ActiveSpans.current(within: scoped) : scoped
    }

    /// The context of the innermost scope, without regard to active spans.
    static var scoped: TelemetryContext { ContextBridge.innermost(ContextScope.current) }

    /// Runs `body` with this context as the current one.
    public func withValue<Result>(_ body: () throws -> Result) rethrows -> Result {
        try ContextScope.run(ContextNode(opened()), body)
    }

    /// Runs `body` with this context as the current one.
    public func withValue<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result,
    ) async rethrows -> Result {
        try await ContextScope.run(ContextNode(opened()), isolation: isolation, body)
    }

    func opened() -> TelemetryContext {
        var copy = self
        copy.enclosingForeign = ContextBridge.currentForeign
        return copy
    }

    /// Runs `body` with this baggage instead of the current one.
    public static func withBaggage<Result>(_ baggage: Baggage, _ body: () throws -> Result) rethrows -> Result {
        try TelemetryContext(activeSpan: current.activeSpan, baggage: baggage).withValue(body)
    }

    /// Runs `body` with this baggage instead of the current one.
    public static func withBaggage<Result>(
        _ baggage: Baggage, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result,
    ) async rethrows -> Result {
        try await TelemetryContext(activeSpan: current.activeSpan, baggage: baggage).withValue(
            isolation: isolation, body)
    }
}

extension RecordingCore {
    /// The context of the current span, for a record that belongs to it; `nil` also for a span of before a refusal.
    ///
    /// If nothing in the process has a context, none is looked for.
    package var currentSpan: SpanContext? {
        guard contextUse.load(ordering: .relaxed) != 0 else { return nil }
        return TelemetryContext.current.permittedSpan(in: self)
    }
}
