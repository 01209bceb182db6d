import AstrolabePlatform
import AstrolabeTelemetryModel
import Atomics

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Spans made active by `setActive(true)`, without a closure that would bound their scope.
///
/// Such a span is the parent of what the same task (outside of a task, the same thread) starts after it, until it ends
/// or is released. A `withSpan` that begins later wins inside its closure. Tasks and queues inherit it where the system
/// has `Activities`, and otherwise not, which is the reason to prefer `withSpan`. End it before its task finishes.
/// Otherwise it may become the current span of a later task that gets the same memory, the only name of a task.
enum ActiveSpans {
    private struct Entry {
        let number: UInt64
        let execution: Execution
        /// True if it is the span of a closure, to whose own task its task-locals give it.
        let isOfClosure: Bool
        /// The innermost scope's span at the time: the entry counts only where that is still the scope.
        let scope: SpanID
        /// The activity that passes it on to other tasks and threads; `nil` without `Activities`.
        let activity: Activities.Entered?
        weak var handle: SpanHandle?
        /// For an entry that is no span.
        var baggage: Baggage?

        var span: Tracer.Span? { handle.map { Tracer.Span($0, isActive: true) } }
        var isOver: Bool { handle == nil && baggage == nil }

        func counts(in execution: Execution, at position: Activities.Position?, within scope: SpanID) -> Bool {
            if self.execution == execution { return !isOfClosure && self.scope == scope }
            guard let position, let entered = activity?.activity, entered != 0,
                entered == position.activity || entered == position.enclosing
            else { return false }
            // A dispatch queue has no task-locals, and so no scope.
            return self.scope == scope || scope == .invalid
        }
    }

    /// At most so much baggage; the oldest is forgotten, in case that nothing removes it.
    private static let baggageLimit = 256

    /// The task or, outside of one, the thread that runs this code.
    private enum Execution: Hashable {
        case task(Int)
        case thread(UInt)

        static var current: Execution {
            withUnsafeCurrentTask { task in
                task.map { .task($0.hashValue) } ?? .thread(UInt(bitPattern: pthread_self().hashValue))
            }
        }
    }

    private static let entries = Locked<[Entry]>([])
    private static let count = UnsafeAtomic<Int>.create(0)
    private static let lastNumber = UnsafeAtomic<UInt64>.create(0)

    /// One atomic load: false for every program that uses `withSpan` alone.
    @inline(__always)
    static var areInUse: Bool { count.load(ordering: .relaxed) > 0 }

    /// Makes the span the current one, and returns it with what keeps it so.
    static func activate(_ span: Tracer.Span) -> Tracer.Span {
        guard let handle = handle(of: span) else { return span }
        let scope = TelemetryContext.scoped.activeSpan.context.spanID
        add(scope: scope, handle: handle)
        return Tracer.Span(handle, isActive: true)
    }

    /// Makes the span that a closure runs in reach the queues that the closure starts work on, until `deactivate` gets
    /// the number. The returned handle must be kept until then.
    static func carry(_ span: Tracer.Span) -> (number: UInt64, handle: SpanHandle)? {
        guard Activities.installed != nil, let handle = handle(of: span) else { return nil }
        let number = add(isOfClosure: true, scope: handle.context.spanID, handle: handle)
        return (number, handle)
    }

    static func deactivate(_ handle: SpanHandle) {
        guard areInUse else { return }
        change { $0.handle === handle && !$0.isOfClosure }
    }

    /// Makes baggage the current one for what this task starts after it, until `deactivate` gets the number.
    static func activate(_ baggage: Baggage) -> UInt64 {
        let scope = TelemetryContext.scoped.activeSpan.context.spanID
        return add(scope: scope, handle: nil, baggage: baggage)
    }

    static func deactivate(number: UInt64) {
        change { $0.number == number }
    }

    /// The context with the span and the baggage that this task made active last within the same task-local scope, or
    /// that came to it with its activity.
    static func current(within scoped: TelemetryContext) -> TelemetryContext {
        let execution = Execution.current
        let position = Activities.installed?.position()
        let scope = scoped.activeSpan.context.spanID
        let (span, baggage) = entries.withLock { entries in
            var (span, baggage): (Tracer.Span?, Baggage?)
            for entry in entries.reversed() where entry.counts(in: execution, at: position, within: scope) {
                span = span ?? entry.span
                baggage = baggage ?? entry.baggage
            }
            return (span, baggage)
        }
        guard span != nil || baggage != nil else { return scoped }
        return TelemetryContext(activeSpan: span ?? scoped.activeSpan, baggage: baggage ?? scoped.baggage)
    }

    /// An object of the span's own, which one that is not recorded may share with its parent; `nil` for no span.
    private static func handle(of span: Tracer.Span) -> SpanHandle? {
        guard span.isValid, let handle = span.handle else { return nil }
        return span.recorder ?? SpanHandle(context: handle.context, period: handle.period)
    }

    @discardableResult
    private static func add(
        isOfClosure: Bool = false, scope: SpanID, handle: SpanHandle?, baggage: Baggage? = nil,
    ) -> UInt64 {
        let number = lastNumber.loadThenWrappingIncrement(ordering: .relaxed) + 1
        let entry = Entry(
            number: number, execution: .current, isOfClosure: isOfClosure, scope: scope,
            activity: Activities.installed?.enter(), handle: handle, baggage: baggage)
        change(adding: entry)
        return number
    }

    /// Adds an entry, removes those that `isGone` names, and forgets spans that were released without an end. Leaves
    /// the activities of what is gone, if this is the task or thread that entered them.
    private static func change(adding new: Entry? = nil, removing isGone: (Entry) -> Bool = { _ in false }) {
        let gone: [Entry] = entries.withLock { entries in
            if let new { entries.append(new) }
            let withBaggage = new?.baggage == nil ? [] : entries.filter { $0.baggage != nil }
            let oldest = withBaggage.count > baggageLimit ? withBaggage.first?.number : nil
            var gone: [Entry] = []
            entries.removeAll { entry in
                guard entry.isOver || entry.number == oldest || isGone(entry) else { return false }
                gone.append(entry)
                return true
            }
            let old = count.exchange(entries.count, ordering: .relaxed)
            if old == 0, !entries.isEmpty { ContextUse.begin(ContextUse.externalContext) }
            if old > 0, entries.isEmpty { ContextUse.end(ContextUse.externalContext) }
            return gone
        }
        guard !gone.isEmpty else { return }
        let execution = Execution.current
        for entry in gone.reversed() where entry.execution == execution { entry.activity?.leave() }
    }
}

extension Tracer.Span {
    /// Makes the span the current one for what this task starts after it, for APIs that activate a span by hand.
    ///
    /// - Returns: The same span, which must be kept until `deactivate` is called on it or it ends.
    package func activated() -> Tracer.Span { ActiveSpans.activate(self) }

    /// Ends what `activated` began.
    package func deactivate() {
        if let handle { ActiveSpans.deactivate(handle) }
    }

    /// A span that a closure runs in, as it reaches the queues that the closure starts work on.
    package struct Carried: Sendable {
        package let number: UInt64
        fileprivate let handle: SpanHandle

        /// Ends it, in the task or thread that began it.
        package func end() { ActiveSpans.deactivate(number: number) }
    }

    /// Makes the span, which a closure runs in, reach the queues that the closure starts work on, until the closure's
    /// end; `nil` where the system passes nothing on.
    package func carried() -> Carried? {
        ActiveSpans.carry(self).map { Carried(number: $0.number, handle: $0.handle) }
    }
}

extension Baggage {
    /// Makes the baggage the current one for what this task starts after it, for APIs that activate it by hand.
    ///
    /// - Returns: The number to end that with.
    package func activate() -> UInt64 { ActiveSpans.activate(self) }

    package static func deactivate(_ number: UInt64) { ActiveSpans.deactivate(number: number) }
}
