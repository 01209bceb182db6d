/// Several views of a builder's closure. Each is identified by its position.
public struct TupleView<T>: View {
    let children: [any View]

    init<each Content: View>(children: repeat each Content) where T == (repeat each Content) {
        var list: [any View] = []
        repeat list.append(each children)
        self.children = list
    }
}

extension TupleView: PrimitiveView {
    func slots(in node: ViewNode) -> [Slot] {
        children.enumerated().map { Slot(.position($0.offset), $0.element) }
    }

    func rendersLike(_ other: Self) -> Bool { true }
}

/// An empty view.
public struct EmptyView: View {
    nonisolated public init() {}
}

extension EmptyView: PrimitiveView {
    func slots(in node: ViewNode) -> [Slot] { [] }
}

/// A group of views, so that a modifier applies to each.
public struct Group<Content> {
    let content: Content
}

extension Group: View where Content: View {
    public init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }
}

extension Group: Primitive, PrimitiveView where Content: View {
    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), content)] }
    func rendersLike(_ other: Self) -> Bool { true }
}
