import ViewTree

/// Tabs with pages, of which one is visible.
///
/// The bodies of all pages are evaluated for their tabs. A page appears when it is selected, and keeps its state
/// otherwise.
public struct TabView<SelectionValue: Hashable, Content: View>: View {
    let selection: Binding<SelectionValue>?
    let content: Content

    @_disfavoredOverload
    public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {
        self.init(selection: selection, pages: content())
    }

    init(selection: Binding<SelectionValue>?, pages: Content) {
        self.selection = selection
        content = pages
    }
}

extension TabView where SelectionValue == Int {
    /// Creates a tab view that stores the selection itself.
    public init(@ViewBuilder content: () -> Content) {
        self.init(selection: nil, pages: content())
    }
}

/// The selected page if there is no binding, and the tags that the pages had when they were shown last.
private final class TabState {
    var chosen = 0
    var tags: [SlotKey: AnyHashable] = [:]
}

extension TabView: PrimitiveView {
    public typealias Body = Never

    private func state(_ node: ViewNode) -> TabState {
        if let state = node.storage as? TabState { return state }
        let state = TabState()
        node.storage = state
        return state
    }

    private func chosen(_ pages: [FlatView], _ node: ViewNode) -> Int {
        let state = state(node)
        guard let selection else { return min(state.chosen, max(0, pages.count - 1)) }
        let current = AnyHashable(selection.wrappedValue)
        return pages.firstIndex { (state.tags[$0.key] ?? $0.tag) == current } ?? 0
    }

    func slots(in node: ViewNode) -> [Slot] {
        let pages = flattened(content, in: node)
        let chosen = chosen(pages, node)
        return pages.enumerated().map { index, page in Slot(page.key, page.view, isVisible: index == chosen) }
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let pages = flattened(content, in: node)
        let state = state(node)
        let before = chosen(pages, node)
        for (page, child) in zip(pages, children) {
            state.tags[page.key] = child.elements.first?.traits.tag ?? page.tag
        }
        let chosen = chosen(pages, node)
        // A page's body has the tag of the selection, which was not known before it was evaluated.
        if chosen != before { node.graph.setNeedsUpdate(node) }
        var output = Output()
        var tabs: [RenderedNode] = []
        for (index, child) in children.enumerated() where !child.elements.isEmpty {
            let page = node.children[index].id
            output.preferences.merge(child.preferences)
            let traits = child.elements[0].traits
            var properties: [String: NodeValue] = ["selected": .bool(index == chosen)]
            if let badge = traits.badge { properties["badge"] = .string(badge) }
            tabs.append(
                RenderedNode(
                    id: node.wrapperID(.tab, around: page), kind: .tab, properties: properties,
                    children: traits.tabItem ?? []))
            output.elements.append(
                Element(
                    node: RenderedNode(
                        id: node.wrapperID(.tabPage, around: page), kind: .tabPage,
                        properties: index == chosen ? [:] : ["covered": true], children: child.nodes)))
        }
        let shown = children.indices.filter { !children[$0].elements.isEmpty }
        let selection = selection
        node.handle(.change) { value in
            guard let number = value?.number, let tab = Int(exactly: number), shown.indices.contains(tab) else {
                return false
            }
            let page = pages[shown[tab]]
            if let selection {
                guard let tag = (state.tags[page.key] ?? page.tag)?.base as? SelectionValue else { return false }
                selection.wrappedValue = tag
            } else {
                state.chosen = shown[tab]
                node.graph.setNeedsUpdate(node)
            }
            return true
        }
        let paging = node.environment.tabPages
        let hidesIndex = paging.map { !$0.showsIndex || tabs.count < 2 } ?? false
        var bar = node.environment.pageTint
        if hidesIndex { bar["indexHidden"] = true }
        if node.environment.indexHasBackground { bar["indexBackground"] = true }
        let tabBar = RenderedNode(
            id: node.wrapperID(.tabBar), kind: .tabBar, properties: bar, actions: [.change], children: tabs)
        output.elements = [
            Element(
                node: RenderedNode(
                    id: node.id, kind: .tabs, properties: paging == nil ? [:] : ["style": "page"],
                    children: output.nodes + [tabBar]))
        ]
        return output
    }
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
