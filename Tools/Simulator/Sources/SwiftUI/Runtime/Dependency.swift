import Foundation

/// A value that nodes read during evaluation. A change of it causes them to be evaluated again.
protocol Dependency: AnyObject, Sendable {
    @MainActor func forget(_ node: ViewNode)
}

/// An evaluation, which records what is read.
///
/// It is the current one only for code that it calls synchronously. A task that a body or an initializer starts runs
/// outside of it, so its writes are ordinary changes.
final class Evaluation: Sendable {
    private static let running = ScopedValue<Evaluation>()
    static var current: Evaluation? { running.current }

    let node: ViewNode

    func run<Result>(_ body: () -> Result) -> Result { Self.running.with(self, body) }

    init(_ node: ViewNode) {
        self.node = node
    }
}

/// The nodes that read one value.
///
/// A change may come from any thread, as with Apple's `State`. The graph evaluates on the main actor.
final class Readers: @unchecked Sendable {  // the lock orders every access to the nodes
    private struct Reader {
        weak var node: ViewNode?
        let inbox: Inbox
    }

    private let lock = NSLock()
    private var readers: [ObjectIdentifier: Reader] = [:]

    func insert(_ node: ViewNode, inbox: Inbox) {
        lock.withLock { readers[ObjectIdentifier(node)] = Reader(node: node, inbox: inbox) }
    }

    func remove(_ node: ViewNode) {
        lock.withLock { readers[ObjectIdentifier(node)] = nil }
    }

    /// Schedules the evaluation of every reader, once, in the next update.
    func notify() {
        let readers = lock.withLock { Array(self.readers.values) }
        for reader in readers { if let node = reader.node { reader.inbox.add(node) } }
    }
}

/// The nodes with changes since the last update. The first of them requests the next update.
final class Inbox: @unchecked Sendable {  // the lock orders every access to the nodes
    private let lock = NSLock()
    private var nodes: [ObjectIdentifier: ViewNode] = [:]
    private var transaction = Transaction()
    private var isAwaited = false
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    func add(_ node: ViewNode) {
        let isFirst = lock.withLock {
            nodes[ObjectIdentifier(node)] = node
            if let current = Transaction.current { transaction = current }
            defer { isAwaited = true }
            return !isAwaited
        }
        if isFirst { wake() }
    }

    var isEmpty: Bool { lock.withLock { nodes.isEmpty } }

    func drain() -> (nodes: [ViewNode], transaction: Transaction) {
        lock.withLock {
            defer {
                nodes = [:]
                transaction = Transaction()
                isAwaited = false
            }
            return (Array(nodes.values), transaction)
        }
    }
}
