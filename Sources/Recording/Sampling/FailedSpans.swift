import AstrolabePlatform
import AstrolabeTelemetryModel
import Atomics

/// Failures in spans that were sampled out, from the error to the end of the span, which keeps them.
///
/// One table for the process, since a trace may run through more than one core. It is reached by failures alone; the
/// end of every other span that was sampled out costs one load of `filter`.
@usableFromInline
enum FailedSpans {
    /// A bit for each span that waits to be kept, by its identifier: where it is not set, the span has not failed.
    static let filter = UnsafeAtomic<UInt64>(at: filterMemory)

    private typealias Word = UnsafeAtomic<UInt64>.Storage

    /// The address of the filter, as a number, for `SpanRef.link`.
    static var filterAddress: UInt64 { UInt64(UInt(bitPattern: filterMemory)) }

    nonisolated(unsafe) private static let filterMemory = {  // never changes, and holds an atomic
        let memory = UnsafeMutablePointer<Word>.allocate(capacity: 1)
        memory.initialize(to: .init(0))
        return memory
    }()

    /// False where no span of the process waits to be kept, as nearly always.
    ///
    /// Takes parts of a `SpanRef`, so that they are passed in registers: this is asked at the end of every such span.
    @usableFromInline
    static func isAnyWaiting(link: UInt64, packed: UInt64) -> Bool {
        if packed & SpanRef.rootBit != 0, let filter = UnsafeMutablePointer<Word>(bitPattern: UInt(link)) {
            return UnsafeAtomic<UInt64>(at: filter).load(ordering: .relaxed) != 0
        }
        return filter.load(ordering: .relaxed) != 0
    }

    private struct Table {
        /// The operations on each span that waits to be kept.
        var failures: [SpanID: [SpanOperation]] = [:]
        /// In the order of their failure.
        var order: [SpanID] = []
        /// The spans that were kept last: a call that comes late, on another thread, does not keep them again.
        var kept: Set<SpanID> = []
        var keptOrder: [SpanID] = []
    }

    /// At most so many spans that have failed; the oldest are forgotten.
    private static let spanLimit = 128
    /// At most so many spans that were kept; the older half is forgotten.
    private static let keptLimit = 4_096
    /// At most so much is noted of one span.
    private static let operationLimit = 32
    private static let table = Locked(Table())

    /// Notes what happened to a span, and that the local root of its trace is to be kept too.
    ///
    /// - Parameter isFailure: False for what matters only where the span has failed already.
    static func note(_ operations: [SpanOperation], of span: SpanID, root: SpanID, isFailure: Bool) {
        table.withLock { table in
            if isFailure {
                for id in [span, root] where table.failures[id] == nil && !table.kept.contains(id) {
                    table.failures[id] = []
                    table.order.append(id)
                }
            }
            guard let known = table.failures[span] else { return }
            table.failures[span] = known + operations.prefix(max(operationLimit - known.count, 0))
            while table.order.count > spanLimit { table.failures[table.order.removeFirst()] = nil }
            updateFilter(table)
        }
    }

    /// Takes the operations on a span that ends; `nil` if it is not to be kept.
    static func take(_ span: SpanID) -> [SpanOperation]? {
        guard filter.load(ordering: .relaxed) & bit(of: span) != 0 else { return nil }
        return table.withLock { table in
            guard let operations = table.failures.removeValue(forKey: span) else { return nil }
            if let index = table.order.firstIndex(of: span) { table.order.remove(at: index) }
            table.kept.insert(span)
            table.keptOrder.append(span)
            if table.keptOrder.count > keptLimit {
                table.kept.subtract(table.keptOrder.prefix(keptLimit / 2))
                table.keptOrder.removeFirst(keptLimit / 2)
            }
            updateFilter(table)
            return operations
        }
    }

    /// Returns true if a span has failed, or is the local root of one that has.
    static func contains(_ span: SpanID) -> Bool {
        filter.load(ordering: .relaxed) & bit(of: span) != 0
            && table.withLock { $0.failures[span] != nil }
    }

    private static func updateFilter(_ table: Table) {
        let bits = table.failures.keys.reduce(0) { $0 | bit(of: $1) }
        filter.store(bits, ordering: .sequentiallyConsistent)
    }

    private static func bit(of span: SpanID) -> UInt64 { 1 << (span.value & 63) }
}
