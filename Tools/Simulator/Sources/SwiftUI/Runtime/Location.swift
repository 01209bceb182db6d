import Foundation

/// The storage that a binding reads and writes.
class Location<Value>: @unchecked Sendable {  // subclasses guard what they hold, or hold nothing that changes
    func get() -> Value { fatalError("a location is abstract") }
    func set(_ value: Value, _ transaction: Transaction) {}
}

/// The storage of one `@State`, owned by a node.
final class StateLocation<Value>: Location<Value>, Dependency, @unchecked Sendable {  // the lock orders every access
    private let lock = NSLock()
    private var value: Value
    private let readers = Readers()
    private let owner: String

    init(_ value: Value, owner: String) {
        self.value = value
        self.owner = owner
    }

    override func get() -> Value {
        if let node = Evaluation.current?.node { register(node) }
        return lock.withLock { value }
    }

    /// Schedules the evaluation of readers, unless the new value is equal.
    ///
    /// A write during evaluation is stored and reported, but causes no update, because the view would write again
    /// without end.
    override func set(_ new: Value, _ transaction: Transaction) {
        let old = lock.withLock {
            defer { value = new }
            return value
        }
        if let evaluation = Evaluation.current {
            evaluation.reportWrite(to: "@State of \(owner)")
        } else if !ValueEquality.areEqual(old, new) {
            Transaction.with(transaction.animation == nil ? Transaction.current : transaction) {
                readers.notify()
            }
        }
    }

    private func register(_ node: ViewNode) {
        MainActor.assumeIsolated {
            readers.insert(node, inbox: node.graph.inbox)
            node.depend(on: self)
        }
    }

    func forget(_ node: ViewNode) { readers.remove(node) }
}

/// The closures passed to `Binding(get:set:)`.
final class FunctionLocation<Value>: Location<Value>, @unchecked Sendable {  // nothing in it changes
    private let getter: () -> Value
    private let setter: (Value, Transaction) -> Void

    init(get: @escaping () -> Value, set: @escaping (Value, Transaction) -> Void) {
        getter = get
        setter = set
    }

    override func get() -> Value { getter() }
    override func set(_ value: Value, _ transaction: Transaction) { setter(value, transaction) }
}
