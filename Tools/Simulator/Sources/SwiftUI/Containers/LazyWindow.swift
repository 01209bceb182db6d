import ViewTree

/// The number of evaluated views in a list, a column or a grid: the first few, and those that have been visible.
///
/// The page reports when the placeholder at the end becomes visible; then the next few are evaluated.
final class LazyWindow {
    /// The number of views that are evaluated at first and with each further step.
    static let step = 30

    var limit = LazyWindow.step
    /// Returns the position of the element with an id.
    var position: ((AnyHashable) -> Int?)?

    /// Includes the view at a position and the next few.
    ///
    /// - Returns: Whether that changes the limit.
    func widen(to position: Int) -> Bool {
        guard position >= limit else { return false }
        limit = position + LazyWindow.step
        return true
    }
}

extension ViewNode {
    fileprivate var window: LazyWindow {
        if let window = storage as? LazyWindow { return window }
        let window = LazyWindow()
        storage = window
        return window
    }
}

/// Returns the child of a lazy container. Of a `ForEach` that is all of its content, that is the first elements.
///
/// One child gets the container's environment, so that its rows share it and need not compare it.
@MainActor
func lazySlots(
    _ content: any View, in node: ViewNode, environment: ((inout EnvironmentValues) -> Void)? = nil,
) -> [Slot] {
    guard let list = content as? any LazyContent else {
        return [Slot(.position(0), content, environment: environment)]
    }
    node.window.position = { list.position(of: $0) }
    return [Slot(.position(0), list.first(node.window.limit), environment: environment)]
}

/// Returns the placeholder for views that have not been evaluated yet; `nil` if all have.
@MainActor
func lazyPlaceholder(_ content: any View, in node: ViewNode) -> RenderedNode? {
    guard let list = content as? any LazyContent, list.count > node.window.limit else { return nil }
    node.handle(.appear) {
        node.window.limit += LazyWindow.step
        node.graph.setNeedsUpdate(node)
    }
    return RenderedNode(
        id: node.wrapperID(.placeholder), kind: .placeholder,
        properties: ["count": .number(Double(list.count - node.window.limit))], actions: [.appear])
}

@MainActor
func lazyOutput(
    _ kind: NodeKind, _ properties: [String: NodeValue], _ content: any View, _ children: [Output], _ node: ViewNode,
) -> Output {
    let output = Output(merging: children)
    let rest = lazyPlaceholder(content, in: node)
    return Output(
        RenderedNode(
            id: node.id, kind: kind, properties: properties, children: output.nodes + (rest.map { [$0] } ?? [])),
        preferences: output.preferences,
    )
}

/// A `ForEach` whose elements a lazy container evaluates one by one.
@MainActor
protocol LazyContent {
    var count: Int { get }
    func position(of id: AnyHashable) -> Int?
    /// Returns the content with no more elements than this.
    func first(_ limit: Int) -> any View
}

extension ForEach: LazyContent where Content: View {
    var count: Int { data.count }

    func position(of wanted: AnyHashable) -> Int? {
        data.firstIndex { AnyHashable(id($0)) == wanted }.map { data.distance(from: data.startIndex, to: $0) }
    }

    func first(_ limit: Int) -> any View { prefix(limit) }

    func prefix(_ limit: Int) -> ForEach<Data.SubSequence, ID, Content> {
        ForEach<Data.SubSequence, ID, Content>(data: data.prefix(limit), content: content, id: id)
    }
}
