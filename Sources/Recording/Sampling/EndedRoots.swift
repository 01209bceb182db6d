import Atomics

/// The local roots that ended last of those that were sampled out. One of them may have left a task behind that fails
/// later, as a tap does that starts a request.
///
/// A ring of slots, one for each value of a number's hash; the newer root takes it. A slot has a flag that is set while
/// a thread uses it. A thread that finds it set leaves the slot alone, so no thread waits. The root that is not noted
/// then is not kept if its trace fails later.
enum EndedRoots {
    private struct Slot {
        var span = Tracer.Span.none
        /// A time of `RecordingCore.roughNow`.
        var end: UInt64 = 0
    }

    private static let count = 256

    private final class Ring: @unchecked Sendable {  // whoever sets a slot's flag has the slot alone
        private let busy = UnsafeMutablePointer<UnsafeAtomic<Bool>.Storage>.allocate(capacity: count)
        private let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)

        init() {
            for index in 0..<count { (busy + index).initialize(to: .init(false)) }
            slots.initialize(repeating: Slot(), count: count)
        }

        /// Changes the slot of a number, unless another thread uses it.
        @inline(__always)
        func change(_ number: UInt64, _ body: (inout Slot) -> Void) {
            // A number counts up in its low bits; what tells shards and cores apart lies above.
            let index = Int(truncatingIfNeeded: (number ^ number >> 37) & UInt64(count - 1))
            let flag = UnsafeAtomic<Bool>(at: busy + index)
            guard !flag.exchange(true, ordering: .sequentiallyConsistent) else { return }
            body(&slots[index])
            flag.store(false, ordering: .sequentiallyConsistent)
        }
    }

    private static let ring = Ring()

    /// Notes that a root has ended. To be called before `FailedSpans` is asked whether it is to be kept: `take` comes
    /// after the failure is noted there, so that one of the two finds the other.
    static func add(_ root: Tracer.Span, end: UInt64) {
        ring.change(root.stub.number) { $0 = Slot(span: root, end: end) }
    }

    /// The root with this number and its end, if it has ended and is still known; once.
    static func take(_ number: UInt64) -> (span: Tracer.Span, end: UInt64)? {
        var found: (span: Tracer.Span, end: UInt64)?
        ring.change(number) { slot in
            guard slot.span.stub.number == number else { return }
            found = (slot.span, slot.end)
            slot = Slot()
        }
        return found
    }
}
