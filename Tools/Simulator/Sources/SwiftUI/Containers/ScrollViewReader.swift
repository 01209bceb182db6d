import ViewTree

/// A view whose content can scroll the scroll views and lists inside it.
public struct ScrollViewReader<Content: View>: View {
    public var content: (ScrollViewProxy) -> Content

    public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) {
        self.content = content
    }
}

extension ScrollViewReader: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] {
        let target = node.storage as? ScrollTarget ?? ScrollTarget(node)
        node.storage = target
        return [Slot(.position(0), content(ScrollViewProxy(target: target)))]
    }

    func didUpdate(_ node: ViewNode, from previous: ScrollViewReader?) {
        guard let target = node.storage as? ScrollTarget, target.isWaiting else { return }
        // Views that the same change adds are there after the pass.
        node.graph.enqueue(.change) { target.prepare() }
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        guard let command = (node.storage as? ScrollTarget)?.command(), !output.elements.isEmpty else { return output }
        output.elements[0].node = output.elements[0].node.adding(["scrollTo": command])
        return output
    }
}

/// Scrolls to a view by its id.
@MainActor
@preconcurrency
public struct ScrollViewProxy {
    let target: ScrollTarget

    /// Scrolls until the view with the id is visible.
    ///
    /// - Parameters:
    ///   - id: The value of `.id(_:)`, or the id of an element of a `ForEach`. Without such a view, nothing happens.
    ///   - anchor: The point of the view to align with that of the scroll view. Default: scrolls as little as needed.
    public func scrollTo<ID: Hashable>(_ id: ID, anchor: UnitPoint? = nil) {
        target.scroll(to: AnyHashable(id), anchor: anchor)
    }
}

/// The last view to which a reader was asked to scroll.
@MainActor
final class ScrollTarget {
    private struct Wish {
        let id: AnyHashable
        let anchor: UnitPoint?
        let isAnimated: Bool
    }

    private weak var node: ViewNode?
    private var wish: Wish?
    /// The command for the page: its number, the node, whether it is animated, and the anchor's x and y.
    private var sent: NodeValue?
    private var count = 0

    init(_ node: ViewNode) {
        self.node = node
    }

    var isWaiting: Bool { wish != nil }

    func scroll(to id: AnyHashable, anchor: UnitPoint?) {
        if let evaluation = Evaluation.current {
            evaluation.reportWrite(to: "the position of a scroll view")
            return
        }
        guard let node, node.isAlive else { return }
        wish = Wish(id: id, anchor: anchor, isAnimated: Transaction.current?.animation != nil)
        node.graph.setNeedsUpdate(node)
    }

    /// Lets lazy containers evaluate their views up to the wanted one.
    func prepare() {
        guard let node, let wish, node.descendant(withID: wish.id) == nil else { return }
        for lazy in node.lazyDescendants {
            guard let window = lazy.storage as? LazyWindow, let position = window.position?(wish.id) else { continue }
            if window.widen(to: position) { node.graph.setNeedsUpdate(lazy) }
        }
    }

    func command() -> NodeValue? {
        guard let node, let wish else { return sent }
        guard let found = node.descendant(withID: wish.id) else {
            // Another render follows if a lazy container is about to evaluate the view.
            if !node.graph.needsUpdate { self.wish = nil }
            return sent
        }
        self.wish = nil
        guard let id = found.currentOutput().nodes.first?.id else { return sent }
        count += 1
        let anchor: [NodeValue] = wish.anchor.map { [.number(Double($0.x)), .number(Double($0.y))] } ?? []
        sent = .list([.number(Double(count)), .number(Double(id)), .bool(wish.isAnimated)] + anchor)
        return sent
    }
}

extension ViewNode {
    /// Returns the first node inside with an id that the app gave it.
    fileprivate func descendant(withID id: AnyHashable) -> ViewNode? {
        for child in children {
            switch child.key {
            case .explicit(let value) where value == id: return child
            case .element(let value, _) where value == id: return child
            default: if let match = child.descendant(withID: id) { return match }
            }
        }
        return nil
    }

    fileprivate var lazyDescendants: [ViewNode] {
        (storage is LazyWindow ? [self] : []) + children.flatMap(\.lazyDescendants)
    }
}
