/// What a screen shows at one moment, as a tree of areas: what a ``ReplaySource`` hands over.
///
/// It holds the screen's texts as they are. It stays in memory, and ``ReplayConfiguration`` says what becomes of them.
public struct Wireframe: Hashable, Sendable {
    /// Points, at least 1.
    public var width: Int
    public var height: Int
    public var root: Node

    public init(width: Int, height: Int, root: Node) {
        self.width = width
        self.height = height
        self.root = root
    }

    /// One area: a text, a control, or what others lie in.
    public struct Node: Hashable, Sendable {
        /// Names the same place for as long as it is there, and no other place of the same wireframe.
        public var id: Int
        public var role: Role
        /// What can be read there. Of a field it is never recorded: see ``hasContent``.
        public var text: String?
        /// The accessibility identifier.
        public var name: String?
        /// Whether a field holds something.
        public var hasContent = false
        /// Whether neither the text nor the state of it, and of all that is inside, may leave the device, whatever the
        /// configuration says.
        public var isPrivate = false
        public var layout = Layout()
        public var style = Style()
        /// Of a toggle.
        public var isOn: Bool?
        /// Of a progress bar or a slider, 0 to 1.
        public var fraction: Double?
        /// Whether it is disabled.
        public var isDimmed = false
        public var children: [Node]

        public init(id: Int, role: Role, text: String? = nil, name: String? = nil, children: [Node] = []) {
            self.id = id
            self.role = role
            self.text = text
            self.name = name
            self.children = children
        }
    }

    /// What an area is. `Docs/Guide/Replay.md` says how a player draws each.
    public enum Role: String, Hashable, Sendable, CaseIterable {
        /// The outermost.
        case screen
        case column, row, layer, grid, scroll
        case list, section, cell
        case page, bar
        case sheet, dialog
        case text, image, icon, shape, line, space
        case button, field, toggle, slider, stepper, picker, progress
        /// Anything else that only holds others.
        case group
    }
}
