import Atomics

/// Lets one thread at a time change a span, and lets nobody wait.
///
/// Whoever finds the gate taken leaves its operation on a list and goes on; whoever holds the gate performs what is on
/// the list before it is done. So no thread ever blocks or spins on another, which may have been preempted, and
/// operations of one thread keep their order.
struct CombiningGate<Operation>: @unchecked Sendable {  // only atomics are shared; the memory's owner frees it last
    private let taken: UnsafeAtomic<Bool>
    private let pending: UnsafeAtomic<UnsafeMutableRawPointer?>

    private struct Node {
        var operation: Operation
        var next: UnsafeMutableRawPointer?
    }

    /// The bytes of memory, aligned to 16, that a gate lives in.
    static var size: Int { 16 }

    @inline(__always)
    init(at memory: UnsafeMutableRawPointer) {
        let flag = memory.bindMemory(to: UnsafeAtomic<Bool>.Storage.self, capacity: 1)
        flag.initialize(to: .init(false))
        taken = UnsafeAtomic(at: flag)
        let list = (memory + 8).bindMemory(to: UnsafeAtomic<UnsafeMutableRawPointer?>.Storage.self, capacity: 1)
        list.initialize(to: .init(nil))
        pending = UnsafeAtomic(at: list)
    }

    /// True where the caller now holds the gate and must call `leave`.
    @inline(__always)
    func enter() -> Bool {
        !taken.exchange(true, ordering: .sequentiallyConsistent)
    }

    /// Opens the gate, after performing what others have left meanwhile.
    @inline(__always)
    func leave(_ perform: (Operation) -> Void) {
        taken.store(false, ordering: .sequentiallyConsistent)
        if pending.load(ordering: .sequentiallyConsistent) != nil { combine(perform) }
    }

    /// Leaves an operation for the holder; performs it at once where the holder has gone meanwhile.
    @inline(never)
    func submit(_ operation: Operation, _ perform: (Operation) -> Void) {
        let node = UnsafeMutablePointer<Node>.allocate(capacity: 1)
        node.initialize(to: Node(operation: operation, next: nil))
        var head = pending.load(ordering: .relaxed)
        while true {
            node.pointee.next = head
            let (exchanged, original) = pending.compareExchange(
                expected: head, desired: UnsafeMutableRawPointer(node), ordering: .sequentiallyConsistent)
            if exchanged { break }
            head = original
        }
        combine(perform)
    }

    /// Frees what was left after the last holder went; for the owner, when nobody else is left.
    func discard() {
        _ = takePending()
    }

    @inline(never)
    private func combine(_ perform: (Operation) -> Void) {
        while pending.load(ordering: .sequentiallyConsistent) != nil, enter() {
            for operation in takePending() { perform(operation) }
            taken.store(false, ordering: .sequentiallyConsistent)
        }
    }

    /// The list, oldest first.
    private func takePending() -> [Operation] {
        var next = pending.exchange(nil, ordering: .sequentiallyConsistent)
        var newestFirst: [Operation] = []
        while let pointer = next {
            let node = pointer.assumingMemoryBound(to: Node.self)
            let taken = node.move()
            node.deallocate()
            newestFirst.append(taken.operation)
            next = taken.next
        }
        return newestFirst.reversed()
    }
}
