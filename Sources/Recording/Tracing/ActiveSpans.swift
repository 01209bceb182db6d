import Atomics
import Platform
import TelemetryModel

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
        let context: SpanContext
        weak var recorder: SpanRecorder?
    }

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

    private static let entries = Guarded<[Entry]>([])
    private static let count = UnsafeAtomic<Int>.create(0)

    /// One atomic load: false for every program that uses `withSpan` alone.
    @inline(__always)
    static var areInUse: Bool { count.load(ordering: .relaxed) > 0 }

    /// Makes the span the current one, and returns it with what keeps it so: a span that is not recorded needs
    /// something that lives as long as it does, or its children would start a trace of their own.
    static func activate(_ span: Span, startedBy tracer: Tracer) -> Span {
        guard let recorder = span.recorder ?? tracer.discardingRecorder(for: span.context) else { return span }
        let entry = Entry(
            execution: .current, scope: scopeID(of: .scoped), context: span.context, recorder: recorder, )
        change { $0.append(entry) }
        return Span(context: span.context, recorder: recorder)
    }

    static func deactivate(_ context: SpanContext) {
        guard areInUse else { return }
        change { entries in entries.removeAll { $0.context == context } }
    }

    /// The span that this task made active last within the same task-local scope.
    static func current(within scoped: TelemetryContext) -> Span? {
        let execution = Execution.current
        let scope = scopeID(of: scoped)
        return entries.withLock { entries in
            for entry in entries.reversed() where entry.execution == execution && entry.scope == scope {
                if let recorder = entry.recorder { return Span(context: entry.context, recorder: recorder) }
            }
            return nil
        }
    }

    /// Changes the list, and forgets spans that were released without an end.
    private static func change(_ body: (inout [Entry]) -> Void) {
        entries.withLock { entries in
            body(&entries)
            entries.removeAll { $0.recorder == nil }
            count.store(entries.count, ordering: .relaxed)
        }
    }

    private static func scopeID(of context: TelemetryContext) -> SpanID {
        context.spanContext.spanID
    }
}
