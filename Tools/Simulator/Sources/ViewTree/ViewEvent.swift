/// Something that a person can do to what is shown.
package enum ViewAction: String, Codable, Hashable, Sendable, CaseIterable {
    case tap
    /// Another value: a field's text, a toggle's Bool, a picker's choice by number, a slider's number.
    case change
    case increment
    case decrement
    /// The return key.
    case submit
    case focus
    case blur
    /// The pull of a list.
    case refresh
    /// Swiping a sheet down, or tapping beside a dialog.
    case dismiss
    /// The bar's back button, or a swipe from the edge.
    case back
    /// Deleting a row, by its number.
    case delete
    /// A placeholder of a lazy container has come into sight.
    case appear
}

/// One act of the person's, on the node with that id.
package struct ViewEvent: Codable, Hashable, Sendable {
    package var node: Int
    package var action: ViewAction
    package var value: NodeValue?

    package init(node: Int, action: ViewAction, value: NodeValue? = nil) {
        self.node = node
        self.action = action
        self.value = value
    }
}

/// What became of an event.
package enum EventOutcome: String, Codable, Hashable, Sendable {
    case handled
    /// The node has left the screen since.
    case gone
    /// The node is there and takes no such action: it is disabled, or never did.
    case notOffered
    /// The action is one of the node's, and the value is not of its kind.
    case invalidValue
}
