import ViewTree

/// The buttons of a row whose style leaves it to the row when they act: a tap anywhere in the row runs all of them.
///
/// This is what a list on a phone does with several buttons in one row, unless they have a style such as `.borderless`.
struct RowButtons {
    /// The content of the row, whose buttons do not act by themselves.
    let content: RenderedNode
    private let buttons: [ViewNode]

    /// Returns `nil` for a row with fewer than two such buttons.
    @MainActor
    init?(_ content: RenderedNode, in node: ViewNode) {
        var buttons: [ViewNode] = []
        let changed = Self.given(content) { button in
            if let owner = node.graph.node(button.id) { buttons.append(owner) }
        }
        guard buttons.count > 1, let changed else { return nil }
        self.content = changed
        self.buttons = buttons
    }

    /// Runs the actions in the order of the buttons, each after the gestures on its button.
    @MainActor
    func tap(in row: ViewNode) {
        let outer = row.observers(of: .tap).count
        for button in buttons {
            for observer in button.observers(of: .tap).dropLast(outer) { observer() }
            _ = button.handler(for: .tap)?(nil)
        }
    }

    /// Returns the node with its buttons given to the row; `nil` if it has none.
    private static func given(_ node: RenderedNode, _ note: (RenderedNode) -> Void) -> RenderedNode? {
        if node.kind == .button {
            guard node.properties["style"] == "automatic", node.actions.contains(.tap) else { return nil }
            note(node)
            return RenderedNode(
                id: node.id, kind: .button, properties: node.properties.merging(["tapsRow": true]) { $1 },
                actions: node.actions.filter { $0 != .tap }, children: node.children)
        }
        guard ![.menu, .choices, .list, .form].contains(node.kind) else { return nil }
        var children = node.children
        var hasChanged = false
        for index in children.indices {
            guard let changed = given(children[index], note) else { continue }
            children[index] = changed
            hasChanged = true
        }
        guard hasChanged else { return nil }
        return node.replacingChildren(with: children)
    }
}
