import ViewTree

/// Tabs with pages, of which one is visible.
///
/// The bodies of all pages are evaluated for their tabs. A page appears when it is selected, and keeps its state
/// otherwise.
public struct TabView<SelectionValue: Hashable, Content: View>: View {
    let selection: Binding<SelectionValue>?
    let content: Content

    public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {
        self.selection = selection
        self.content = content()
    }
}

extension TabView where SelectionValue == Int {
    /// Creates a tab view that stores the selection itself.
    public init(@ViewBuilder content: () -> Content) {
        self.init(selection: nil, content: content)
    }
}

/// The index of the selected page if there is no binding.
private final class TabState {
    var chosen = 0
}

extension TabView: PrimitiveView {
    public typealias Body = Never

    private func state(_ node: ViewNode) -> TabState {
        if let state = node.storage as? TabState { return state }
        let state = TabState()
        node.storage = state
        return state
    }

    /// Returns the pages one by one, because only one of them is visible.
    private var pages: [any View] { (content as? any ViewList)?.views ?? [content] }

    private func chosen(_ node: ViewNode) -> Int {
        guard let selection else { return state(node).chosen }
        let current = AnyHashable(selection.wrappedValue)
        return pages.firstIndex { givenTag(of: $0) == current } ?? 0
    }

    func slots(in node: ViewNode) -> [Slot] {
        let chosen = chosen(node)
        return pages.enumerated().map { index, page in
            Slot(.position(index), page, isVisible: index == chosen)
        }
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let pages = pages
        let chosen = chosen(node)
        var output = Output()
        var tabs: [RenderedNode] = []
        for (index, child) in children.enumerated() {
            output.preferences.merge(child.preferences)
            let traits = child.elements.first?.traits
            var properties: [String: NodeValue] = ["selected": .bool(index == chosen)]
            if let badge = traits?.badge { properties["badge"] = .string(badge) }
            tabs.append(
                RenderedNode(
                    id: node.wrapperID(around: -2 * index - 1), kind: .tab, properties: properties,
                    children: traits?.tabItem ?? [], ))
            output.elements.append(
                Element(
                    node: RenderedNode(
                        id: node.wrapperID(around: -2 * index - 2), kind: .tabPage,
                        properties: index == chosen ? [:] : ["covered": true], children: child.nodes, )))
        }
        let selection = selection
        let state = state(node)
        node.handle(.change) { value in
            guard let number = value?.number, let index = Int(exactly: number), pages.indices.contains(index) else {
                return false
            }
            if let selection {
                guard let tag = givenTag(of: pages[index])?.base as? SelectionValue else { return false }
                selection.wrappedValue = tag
            } else {
                state.chosen = index
                node.graph.setNeedsUpdate(node)
            }
            return true
        }
        let bar = RenderedNode(
            id: node.wrapperID(around: 0), kind: .tabBar, actions: [.change], children: tabs, )
        output.elements = [Element(node: RenderedNode(id: node.id, kind: .tabs, children: output.nodes + [bar]))]
        return output
    }
}

/// Views in a tuple.
@MainActor
private protocol ViewList {
    var views: [any View] { get }
}

extension TupleView: ViewList {
    fileprivate var views: [any View] { children }
}

/// Returns the tag of a view, from its modifiers.
@MainActor
private func givenTag(of view: any View) -> AnyHashable? {
    guard let modified = view as? any AnyModifiedContent else { return nil }
    return (modified.anyModifier as? any TagProviding)?.anyTag ?? givenTag(of: modified.anyContent)
}

private struct TabItemModifier<V: View>: PrimitiveModifier {
    typealias Body = Never
    let label: V

    func slots(content: any View, in node: ViewNode) -> [Slot] {
        [Slot(.position(0), content), Slot(.position(1), label)]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = children[0]
        for index in output.elements.indices { output.elements[index].traits.tabItem = children[1].nodes }
        return output
    }
}

extension View {
    /// Sets the tab of this page in a `TabView`.
    public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View {
        modifier(TabItemModifier(label: label()))
    }
}
