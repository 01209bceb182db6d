package import ViewTree

// User actions by accessibility identifier. If several nodes have the identifier, the first that accepts the action
// gets it.
extension ViewHost {
    @discardableResult
    package func tap(_ identifier: String) -> EventOutcome { perform(.tap, on: identifier) }

    @discardableResult
    package func enter(_ text: String, into identifier: String) -> EventOutcome {
        perform(.change, on: identifier, .string(text))
    }

    /// Sends `action` to the node with the identifier, or to a node inside or around it that accepts the action.
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

    /// Selects the choice of a picker by its text.
    @discardableResult
    package func choose(_ title: String, in identifier: String) -> EventOutcome {
        update()
        guard let picker = tree.root.target(of: .change, identifier), let index = picker.choice(titled: title)
        else { return perform(.change, on: identifier) }
        return send(ViewEvent(node: picker.id, action: .change, value: .number(Double(index))))
    }
}
