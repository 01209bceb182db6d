/// The scope in which a context is the current one: a closure, and the tasks that it starts.
enum ContextScope {
    @TaskLocal private static var holder: ContextHolder?

    /// The context that is bound, without regard to other ways to have one.
    static var current: TelemetryContext { holder?.telemetry ?? TelemetryContext() }

    /// The span of the context that is bound.
    @inline(__always)
    static var span: SpanHandle? { holder?.span }

    /// The baggage of the context that is bound.
    static var baggage: Baggage { holder?.telemetry.baggage ?? Baggage() }

    /// Runs `body` where the context is what `new` holds.
    static func run<Result>(_ new: ContextHolder, _ body: () throws -> Result) rethrows -> Result {
        try $holder.withValue(new, operation: body)
    }

    /// Runs `body` where the context is what `new` holds.
    static func run<Result>(
        _ new: ContextHolder, isolation: isolated (any Actor)?, _ body: () async throws -> Result,
    ) async rethrows -> Result {
        try await $holder.withValue(new, operation: body, isolation: isolation)
    }
}

/// A context that a task-local can refer to; it counts as in use as long as any task does.
@usableFromInline
class ContextHolder: @unchecked Sendable {  // `isInUse` changes before anybody else knows of the holder
    private var isInUse = false

    var telemetry: TelemetryContext { TelemetryContext() }

    /// The span of the context; `nil` if it has none.
    var span: SpanHandle? { nil }

    /// Counts the context as in use until the end of the holder. To be called before it is bound.
    final func use() {
        isInUse = true
        ContextUse.begin(ContextUse.context)
    }

    deinit {
        if isInUse { ContextUse.end(ContextUse.context) }
    }
}

/// Any context.
final class ContextNode: ContextHolder, @unchecked Sendable {  // what it adds never changes
    private let context: TelemetryContext

    init(_ context: TelemetryContext) {
        self.context = context
        super.init()
        use()
    }

    override var telemetry: TelemetryContext { context }
    override var span: SpanHandle? { context.activeSpan.handle }
}
