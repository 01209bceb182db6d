/// The contents of a screen at one moment, as a tree of areas provided by a ``ReplaySource``.
///
/// It contains the screen's texts unmasked and stays in memory. `ReplayConfiguration` determines what is recorded.
package struct Wireframe: Hashable, Sendable {
    /// Points, at least 1.
    package var width: Int
    package var height: Int
    package var root: Node

    package init(width: Int, height: Int, root: Node) {
        self.width = width
        self.height = height
        self.root = root
    }

    /// An area: a text, a control, or a container.
    package struct Node: Hashable, Sendable {
        /// Identifies the same area across frames; unique within a wireframe.
        package var id: Int
        package var role: Role
        /// The visible text. The text of a field is never recorded: see ``hasContent``.
        package var text: String?
        /// The accessibility identifier.
        package var name: String?
        /// True if a field has content.
        package var hasContent = false
        /// True if the text and state of this node and its children must never leave the device, regardless of the
        /// configuration.
        package var isPrivate = false
        package var layout = Layout()
        package var style = Style()
        /// The state of a toggle.
        package var isOn: Bool?
        /// The value of a progress bar or slider, 0 to 1.
        package var fraction: Double?
        /// True if it is disabled.
        package var isDimmed = false
        package var children: [Node]

        package init(id: Int, role: Role, text: String? = nil, name: String? = nil, children: [Node] = []) {
            self.id = id
            self.role = role
            self.text = text
            self.name = name
            self.children = children
        }
    }

    /// The role of an area. `Docs/Internals/ReplayEvents.md` describes how a player draws each.
    package enum Role: String, Hashable, Sendable, CaseIterable {
        /// The root.
        case screen
        case column, row, layer, grid, scroll
        case list, section, cell
        case page, bar
        case sheet, dialog
        case text, image, icon, shape, line, space
        case button, field, toggle, slider, stepper, picker, progress
        /// Any other container.
        case group
    }
}
