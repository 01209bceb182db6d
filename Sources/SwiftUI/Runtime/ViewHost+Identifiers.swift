package import ScreenTree

// What a person does, by the accessibility identifier of what it is done to. Where several nodes have the identifier
// the first that takes the action is meant.
extension ViewHost {
    @discardableResult
    package func tap(_ identifier: String) -> EventOutcome { perform(.tap, on: identifier) }

    @discardableResult
    package func enter(_ text: String, into identifier: String) -> EventOutcome {
        perform(.change, on: identifier, .string(text))
    }

    /// Does `action` to the node with the identifier, or to the one inside it or around it that takes the action.
    @discardableResult
    package func perform(
        _ action: ViewAction, on identifier: String, _ value: NodeValue? = nil,
    ) -> EventOutcome {
        update()
        guard let target = tree.root.target(of: action, identifier) else {
            return send(ViewEvent(node: tree.root.identified(by: identifier)?.id ?? 0, action: action, value: value))
        }
        return send(ViewEvent(node: target.id, action: action, value: value))
    }

    /// Picks the choice whose text is `title`, of a picker.
    @discardableResult
    package func choose(_ title: String, in identifier: String) -> EventOutcome {
        update()
        guard let picker = tree.root.target(of: .change, identifier),
            let choices = picker.children.first(where: { $0.kind == "choices" }),
            let index = choices.children.firstIndex(where: { $0.texts.contains(title) })
        else { return perform(.change, on: identifier) }
        return send(ViewEvent(node: picker.id, action: .change, value: .number(Double(index))))
    }
}

extension RenderedNode {
    fileprivate func target(of action: ViewAction, _ identifier: String) -> RenderedNode? {
        var inside: RenderedNode?
        var around: RenderedNode?
        for node in all({ $0.properties["identifier"]?.string == identifier }) {
            if let match = node.first({ $0.actions.contains(action) }) {
                inside = inside ?? match
            } else {
                around = around ?? nearest(around: node) { $0.actions.contains(action) }
            }
        }
        return inside ?? around
    }

    /// The innermost node around `node` for which `isWanted` holds.
    private func nearest(around node: RenderedNode, _ isWanted: (RenderedNode) -> Bool) -> RenderedNode? {
        guard self !== node, first({ $0 === node }) != nil else { return nil }
        for child in children {
            if let match = child.nearest(around: node, isWanted) { return match }
        }
        return isWanted(self) ? self : nil
    }
}
