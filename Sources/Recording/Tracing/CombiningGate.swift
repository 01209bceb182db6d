import Atomics

/// Lets one thread at a time change a span, and lets no thread wait.
///
/// A thread that finds the gate taken leaves its operation on a list and goes on. The thread that holds the gate
/// performs what is on the list before the gate opens. So no thread ever blocks or spins on another, which may have
/// been preempted. The operations of one thread are performed in the order in which it made them. While one of them is
/// on the list, the gate is taken, and the next one joins it there.
///
///     open --enter--> taken --submit--> taken, with a list
///       ^               |  ^                    |
///       +-----leave-----+  +---holder performs--+
struct CombiningGate<Operation>: @unchecked Sendable {  // all that is shared is one atomic word
    /// `open`, `taken`, or taken and the address of the newest `Node`.
    private let word: UnsafeAtomic<UInt>

    private struct Node {
        let operation: Operation
        var next: UInt
    }

    private static var open: UInt { 0 }
    private static var taken: UInt { 1 }

    /// Makes an open gate in 8 bytes of memory, which must be aligned to 8 and outlive the gate.
    @inline(__always)
    init(at memory: UnsafeMutableRawPointer) {
        let storage = memory.bindMemory(to: UnsafeAtomic<UInt>.Storage.self, capacity: 1)
        storage.initialize(to: .init(Self.open))
        word = UnsafeAtomic(at: storage)
    }

    /// True where the caller now holds the gate and must call `leave`.
    @inline(__always)
    func enter() -> Bool {
        exchange(Self.open, for: Self.taken).exchanged
    }

    /// Opens the gate; false where others have left operations meanwhile, and `performPending` must be called instead.
    @inline(__always)
    func leave() -> Bool {
        exchange(Self.taken, for: Self.open).exchanged
    }

    /// Performs what others have left, and then opens the gate.
    @inline(never)
    func performPending(_ perform: (Operation) -> Void) {
        repeat {
            for operation in takePending().reversed() { perform(operation) }
        } while !leave()
    }

    /// Leaves an operation for the holder; performs it at once where the holder has gone meanwhile.
    @inline(never)
    func submit(_ operation: Operation, _ perform: (Operation) -> Void) {
        let node = UnsafeMutablePointer<Node>.allocate(capacity: 1)
        node.initialize(to: Node(operation: operation, next: Self.taken))
        var seen = word.load(ordering: .relaxed)
        while true {
            node.pointee.next = seen
            let desired = seen == Self.open ? Self.taken : UInt(bitPattern: node)
            let (exchanged, original) = exchange(seen, for: desired)
            if exchanged { break }
            seen = original
        }
        if seen == Self.open {
            node.deinitialize(count: 1)
            node.deallocate()
            perform(operation)
            if !leave() { performPending(perform) }
        }
    }

    /// The list, newest first; the gate stays taken.
    private func takePending() -> [Operation] {
        var next = word.exchange(Self.taken, ordering: .acquiringAndReleasing)
        var operations: [Operation] = []
        while next != Self.taken, let pointer = UnsafeMutablePointer<Node>(bitPattern: next) {
            let node = pointer.move()
            pointer.deallocate()
            operations.append(node.operation)
            next = node.next
        }
        return operations
    }

    @inline(__always)
    private func exchange(_ expected: UInt, for desired: UInt) -> (exchanged: Bool, original: UInt) {
        word.compareExchange(expected: expected, desired: desired, ordering: .acquiringAndReleasing)
    }
}
