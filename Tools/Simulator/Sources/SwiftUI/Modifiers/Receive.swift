public import Combine

/// Calls an action for each value of a publisher while the view exists.
private struct ReceiveModifier<P: Publisher>: PrimitiveModifier where P.Failure == Never {
    typealias Body = Never
    let publisher: P
    let action: (P.Output) -> Void

    private final class Receiver {
        var publisher: P?
        var action: (P.Output) -> Void = { _ in }
        var subscription: AnyCancellable?
    }

    /// Subscribes after the update, because a publisher may emit at once.
    func didUpdate(_ node: ViewNode, from previous: ReceiveModifier?) {
        let receiver = node.storage as? Receiver ?? Receiver()
        node.storage = receiver
        receiver.action = action
        if let current = receiver.publisher, ValueEquality.areEqual(current, publisher) { return }
        receiver.publisher = publisher
        let publisher = publisher
        node.graph.enqueue(.appear) {
            guard node.isAlive else { return }
            receiver.subscription = publisher.sink { [weak receiver] in receiver?.action($0) }
        }
    }

    func didChangeVisibility(_ node: ViewNode) {
        if !node.isAlive { (node.storage as? Receiver)?.subscription = nil }
    }
}

extension View {
    /// Adds an action for each value of a publisher. Another publisher ends the subscription to the one before.
    public func onReceive<P: Publisher>(_ publisher: P, perform action: @escaping (P.Output) -> Void) -> some View
    where P.Failure == Never {
        modifier(ReceiveModifier(publisher: publisher, action: action))
    }
}
