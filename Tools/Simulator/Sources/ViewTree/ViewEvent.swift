/// An action of the user on a node.
package enum ViewAction: String, Codable, Hashable, Sendable, CaseIterable {
    case tap
    /// Sets a new value: the text of a field, the Bool of a toggle, or the index of a picker's choice.
    case change
    case increment
    case decrement
    /// Presses the return key.
    case submit
    case focus
    case blur
    /// Pulls a list to refresh it.
    case refresh
    /// Swipes a sheet down, or taps beside a dialog.
    case dismiss
    /// Taps the bar's back button, or swipes from the edge.
    case back
    /// Deletes a row by its index.
    case delete
    /// Holds a view for as long as it asks for.
    case longPress
    /// Drags the finger over a view: the phase, the location and the start.
    case drag
    /// Moves a row of a list before the row at an offset.
    case move
    /// Puts a finger down on a control, and lifts it.
    case press
    case release
    /// Performs an action that the app offers to assistive technologies, by its name.
    case accessibilityAction
    /// Reports that the placeholder of a lazy container became visible.
    case appear
    /// Reports how far a scroll view is scrolled, and its sizes.
    case scroll
    /// Reports the size and the place of a node, with a ``MeasuredFrame`` as the value.
    case measure
}

/// An action of the user on the node with this id.
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

/// The outcome of an event.
package enum EventOutcome: String, Codable, Hashable, Sendable {
    case handled
    /// The node is no longer on the screen.
    case gone
    /// The node does not accept the action, for example because it is disabled.
    case notOffered
    /// The node accepts the action, but not a value of this type.
    case invalidValue
}
