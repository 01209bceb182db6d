import ViewTree

/// A menu that opens when the user holds the view.
private struct ContextMenuModifier<Items: View, Preview: View>: PrimitiveModifier {
    typealias Body = Never
    let items: Items
    /// A view above the open menu; `nil` for none.
    let preview: Preview?

    private final class MenuState {
        var isOpen = false
    }

    private func state(_ node: ViewNode) -> MenuState {
        if let state = node.storage as? MenuState { return state }
        let state = MenuState()
        node.storage = state
        return state
    }

    func slots(content: any View, in node: ViewNode) -> [Slot] {
        let state = state(node)
        let content = Slot(.position(0), content)
        guard state.isOpen else { return [content] }
        let leave = LeavePresentation(node: node.id) {
            state.isOpen = false
            node.graph.setNeedsUpdate(node)
        }
        let items = Slot(.position(1), items) { $0.enterMenu(leave) }
        guard let preview else { return [content, items] }
        return [content, items, Slot(.position(2), preview) { $0.leaveContainers() }]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        guard node.environment.isEnabled else { return children[0] }
        let state = state(node)
        let items = children.dropFirst().first
        let isOpen = items?.nodes.isEmpty == false
        func set(_ isOpen: Bool) {
            state.isOpen = isOpen
            node.graph.setNeedsUpdate(node)
        }
        node.handle(.longPress) { set(true) }
        node.handle(.dismiss) { set(false) }
        var output = node.wrap(
            [children[0]], kind: .contextMenu, properties: ["open": .bool(isOpen)],
            actions: isOpen ? [.longPress, .dismiss] : [.longPress])
        guard isOpen, let items, let element = output.elements.first else { return output }
        output.preferences.merge(items.preferences)
        let choices = RenderedNode(id: node.wrapperID(.choices), kind: .choices, children: items.nodes)
        let preview = children.dropFirst(2).map {
            RenderedNode(id: node.wrapperID(.layer), kind: .layer, children: $0.nodes)
        }
        output.elements[0].node = RenderedNode(
            id: element.node.id, kind: .contextMenu, properties: element.node.properties, actions: element.node.actions,
            children: element.node.children + preview + [choices])
        return output
    }
}

extension View {
    /// Adds a menu that opens when the user holds the view. A choice, or a tap beside the menu, closes it.
    public func contextMenu<MenuItems: View>(@ViewBuilder menuItems: () -> MenuItems) -> some View {
        modifier(ContextMenuModifier<MenuItems, EmptyView>(items: menuItems(), preview: nil))
    }

    /// Adds a menu that opens when the user holds the view, and a preview above it.
    public func contextMenu<MenuItems: View, Preview: View>(
        @ViewBuilder menuItems: () -> MenuItems, @ViewBuilder preview: () -> Preview,
    ) -> some View {
        modifier(ContextMenuModifier(items: menuItems(), preview: preview()))
    }
}
