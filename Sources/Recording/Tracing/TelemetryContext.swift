import TelemetryModel

/// What travels along with the work: the active span and the baggage.
///
/// Held in a `TaskLocal`, so it follows structured concurrency into child tasks, task groups and `Task { }`, and comes
/// back by itself where a scope ends. `Task.detached`, a dispatch queue and a callback start without it: read `current`
/// before and use `withValue` there.
public struct TelemetryContext: Sendable {
    /// Not recorded and invalid where no span is active: a value that is always there is copied faster than one that
    /// may be missing, and every start of a span copies it.
    let activeSpan: Span
    public let baggage: Baggage
    /// Which context of another system this one was opened in. It lives at least as long as this is the current one.
    private(set) var enclosingForeign: ObjectIdentifier?

    public init(span: Span? = nil, baggage: Baggage = Baggage()) {
        self.init(activeSpan: span ?? .none, baggage: baggage)
    }

    init(activeSpan: Span, baggage: Baggage) {
        self.activeSpan = activeSpan
        self.baggage = baggage
    }

    /// `nil` where no span is active.
    public var span: Span? { activeSpan.context.isValid ? activeSpan : nil }

    /// The active span's identity; invalid where there is none.
    var spanContext: SpanContext { activeSpan.context }

    @TaskLocal private static var taskLocal = TelemetryContext()

    /// The context of the innermost scope, without regard to active spans.
    static var scoped: TelemetryContext { ContextBridge.innermost(taskLocal) }

    /// The context of the running code.
    public static var current: TelemetryContext {
        let scoped = scoped
        guard ActiveSpans.areInUse, let span = ActiveSpans.current(within: scoped) else { return scoped }
        return TelemetryContext(activeSpan: span, baggage: scoped.baggage)
    }

    /// Runs `body` with this context as the current one.
    public func withValue<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$taskLocal.withValue(opened(), operation: body)
    }

    /// Runs `body` with this context as the current one.
    public func withValue<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result,
    ) async rethrows -> Result {
        try await Self.$taskLocal.withValue(opened(), operation: body, isolation: isolation)
    }

    private func opened() -> TelemetryContext {
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
            isolation: isolation, body, )
    }
}
