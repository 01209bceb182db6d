import Combine

/// The storage of a node for the property wrappers of its view.
@MainActor
final class NodeProperties {
    private var storage: [Int: AnyObject] = [:]
    private var subscriptions: [Int: (object: ObjectIdentifier, subscription: AnyCancellable)] = [:]
    private var environmentReads: [Int: @MainActor (EnvironmentValues) -> Bool] = [:]

    /// Returns the object at an offset of the view, and creates it if there is none.
    func storage<Object: AnyObject>(at offset: Int, _ make: () -> Object) -> Object {
        if let object = storage[offset] as? Object { return object }
        let object = make()
        storage[offset] = object
        return object
    }

    /// Evaluates the node again whenever the object is about to change.
    func observe<Object: ObservableObject>(_ object: Object, at offset: Int, node: ViewNode) {
        guard subscriptions[offset]?.object != ObjectIdentifier(object) else { return }
        let inbox = node.graph.inbox
        let name = String(describing: Object.self)
        let subscription = object.objectWillChange.sink { [weak node] _ in
            guard let node else { return }
            if let evaluation = Evaluation.current {
                evaluation.reportWrite(to: "a published property of \(name)")
            } else {
                inbox.add(node)
            }
        }
        subscriptions[offset] = (ObjectIdentifier(object), subscription)
    }

    /// Records a value read from the environment, to compare it when the environment changes.
    func noteRead(at offset: Int, isSame: @escaping @MainActor (EnvironmentValues) -> Bool) {
        environmentReads[offset] = isSame
    }

    func readsChange(in environment: EnvironmentValues) -> Bool {
        environmentReads.values.contains { !$0(environment) }
    }

    /// Ends all subscriptions. The storage is released with the node.
    func cancel() {
        subscriptions = [:]
    }
}

/// A property wrapper that gets its storage from the runtime.
@MainActor
protocol InstallableProperty: DynamicProperty {
    /// True if the node owns the value. A view with another initial value then counts as equal.
    nonisolated static var isKeptByNode: Bool { get }

    mutating func install(in node: ViewNode, properties: NodeProperties, at offset: Int)
}
