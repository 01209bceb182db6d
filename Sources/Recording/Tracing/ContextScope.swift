/// The scope in which a context is the current one: a closure, and the tasks that it starts.
///
/// Two task-locals hold it. The first is a plain number, which costs little to read. It is enough for nearly all: most
/// spans that are sampled out start inside another one, and need no more than its number. The second holds what a
/// number cannot say.
///
///     mark       0: no context   1: see holder   other: the number of a sampled-out trace's local root
///     holder     a span that is recorded; or span, baggage and the foreign context around it
enum ContextScope {
    @TaskLocal static var mark: UInt64 = noContext
    @TaskLocal private static var holder: ContextHolder?

    static let noContext: UInt64 = 0
    static let seeHolder: UInt64 = 1

    /// The context that is bound, without regard to other ways to have one.
    static var current: TelemetryContext { context(of: mark) }

    /// The context that is bound, given its `mark`.
    static func context(of mark: UInt64) -> TelemetryContext {
        switch mark {
        case noContext: TelemetryContext()
        case seeHolder: holder?.telemetry ?? TelemetryContext()
        case let root: TelemetryContext(activeSpan: Tracer.Span(SpanRef(handle: nil, link: root)), baggage: Baggage())
        }
    }

    /// Runs `body` where the context is what `new` holds.
    ///
    /// A task-local is searched for from the innermost binding outwards. The holder is the first one that is found; the
    /// mark is bound again only now and then, see `ContextHolder.bindsMark`.
    static func run<Result>(_ new: ContextHolder, _ body: () throws -> Result) rethrows -> Result {
        if !new.bindsMark, mark == seeHolder { return try $holder.withValue(new, operation: body) }
        return try $holder.withValue(new) { try $mark.withValue(seeHolder, operation: body) }
    }

    /// Runs `body` where the context is what `new` holds.
    static func run<Result>(
        _ new: ContextHolder, isolation: isolated (any Actor)?, _ body: () async throws -> Result,
    ) async rethrows -> Result {
        if !new.bindsMark, mark == seeHolder {
            return try await $holder.withValue(new, operation: body, isolation: isolation)
        }
        return try await $holder.withValue(
            new, operation: { try await $mark.withValue(seeHolder, operation: body, isolation: isolation) },
            isolation: isolation, )
    }
}

/// A context that a task-local can refer to; it counts as in use as long as any task does.
@usableFromInline
class ContextHolder: @unchecked Sendable {  // `isInUse` changes before anybody else knows of the holder
    private var isInUse = false

    var telemetry: TelemetryContext { TelemetryContext() }

    /// True if `ContextScope.mark` is bound again with this holder although it has its value already. A search for it
    /// passes all holders that were bound since, and must not take longer for each span inside another.
    var bindsMark: Bool { true }

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
}
