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
/// or is released. A `withSpan` that begins later wins inside its closure. Tasks started meanwhile do not inherit it,
/// which is the reason to prefer `withSpan`. One that is kept and not ended after its task has finished may be taken
/// for that of a later task that gets the same memory: Swift has no other name for a task.
enum ActiveSpans {
    private struct Entry {
        let execution: Execution
        /// The innermost scope's span at the time: the entry counts only where that is still the scope.
        let scope: SpanID
        weak var handle: SpanHandle?
        /// All of the span but its handle.
        let rest: Tracer.Span
        /// For an entry that is no span.
        var baggage: ActiveBaggage?

        var span: Tracer.Span? { handle.map { Tracer.Span(rest.stub.with(handle: $0), name: rest.name) } }
        var isOver: Bool { handle == nil && baggage == nil }
    }

    /// Baggage that counts until it is removed. The table keeps it.
    private struct ActiveBaggage {
        let number: UInt64
        let baggage: Baggage
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
    private static let lastBaggage = UnsafeAtomic<UInt64>.create(0)

    /// One atomic load: false for every program that uses `withSpan` alone.
    @inline(__always)
    static var areInUse: Bool { count.load(ordering: .relaxed) > 0 }

    /// Makes the span the current one, and returns it with what keeps it so: a span that is not recorded needs
    /// something that lives as long as it does, or its children would start a trace of their own.
    static func activate(_ span: Tracer.Span) -> SpanRef {
        let stub = span.stub.activated
        guard stub.isValid else { return stub }
        let handle =
            span.recorder
            ?? SpanHandle(
                context: stub.context, parent: stub.handle?.parent ?? .invalid, options: stub.options,
                number: stub.number, )
        let scope = TelemetryContext.scoped.activeSpan.context.spanID
        let rest = Tracer.Span(stub.with(handle: nil), name: span.name)
        change { $0.append(Entry(execution: .current, scope: scope, handle: handle, rest: rest)) }
        return stub.with(handle: handle)
    }

    static func deactivate(_ handle: SpanHandle) {
        guard areInUse else { return }
        change { entries in entries.removeAll { $0.handle === handle } }
    }

    /// Makes baggage the current one for what this task starts after it, until `deactivate` gets the number.
    static func activate(_ baggage: Baggage) -> UInt64 {
        let scope = TelemetryContext.scoped.activeSpan.context.spanID
        let number = lastBaggage.loadThenWrappingIncrement(ordering: .relaxed) + 1
        let active = ActiveBaggage(number: number, baggage: baggage)
        change { entries in
            entries.append(Entry(execution: .current, scope: scope, handle: nil, rest: .none, baggage: active))
            let all = entries.filter { $0.baggage != nil }
            if all.count > baggageLimit, let oldest = all.first?.baggage?.number {
                entries.removeAll { $0.baggage?.number == oldest }
            }
        }
        return number
    }

    static func deactivate(baggage number: UInt64) {
        change { entries in entries.removeAll { $0.baggage?.number == number } }
    }

    /// The context with the span and the baggage that this task made active last within the same task-local scope.
    static func current(within scoped: TelemetryContext) -> TelemetryContext {
        let execution = Execution.current
        let scope = scoped.activeSpan.context.spanID
        let (span, baggage) = entries.withLock { entries in
            var (span, baggage): (Tracer.Span?, Baggage?)
            for entry in entries.reversed() where entry.execution == execution && entry.scope == scope {
                span = span ?? entry.span
                baggage = baggage ?? entry.baggage?.baggage
            }
            return (span, baggage)
        }
        guard span != nil || baggage != nil else { return scoped }
        return TelemetryContext(activeSpan: span ?? scoped.activeSpan, baggage: baggage ?? scoped.baggage)
    }

    /// Changes the list, and forgets spans that were released without an end.
    private static func change(_ body: (inout [Entry]) -> Void) {
        entries.withLock { entries in
            body(&entries)
            entries.removeAll(where: \.isOver)
            let old = count.exchange(entries.count, ordering: .relaxed)
            if old == 0, !entries.isEmpty { ContextUse.begin(ContextUse.externalContext) }
            if old > 0, entries.isEmpty { ContextUse.end(ContextUse.externalContext) }
        }
    }
}

extension Tracer.Span {
    /// Makes the span the current one for what this task starts after it, for APIs that activate a span by hand.
    ///
    /// - Returns: The same span, which must be kept until `deactivate` is called on it or it ends.
    package func activated() -> Tracer.Span { Tracer.Span(ActiveSpans.activate(self), name: name) }

    /// Ends what `activated` began.
    package func deactivate() {
        if let handle = stub.handle { ActiveSpans.deactivate(handle) }
    }
}

extension Baggage {
    /// Makes the baggage the current one for what this task starts after it, for APIs that activate it by hand.
    ///
    /// - Returns: The number to end that with.
    package func activate() -> UInt64 { ActiveSpans.activate(self) }

    package static func deactivate(_ number: UInt64) { ActiveSpans.deactivate(baggage: number) }
}
