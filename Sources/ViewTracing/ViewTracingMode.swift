/// How much is recorded of an app's views.
///
/// The raw values are the words of configuration files and of the environment.
public enum ViewTracingMode: String, Hashable, Sendable, CaseIterable {
    /// Nothing: no span, no event, no screen's name, no tap. A traced view is the view alone.
    case off
    /// For each screen one span until it is first seen and one event for each time that it is seen, screen names and
    /// taps. Views that are parts of a screen are not recorded.
    case compact
    /// For each view the tree of its life: see ``ViewTrace``. Screen names and taps, too.
    case full
}

/// What a traced view is to the person who looks at it.
public enum ViewRole: Hashable, Sendable {
    /// What fills the screen, a sheet or a tab. The screen that is seen names itself on every record.
    case screen
    /// A part of a screen whose cost is of interest.
    case part
}

/// What telemetry calls a view.
public struct ViewIdentity: Hashable, Sendable {
    /// `view.name` and, of a screen, `app.screen.name`; the same in every release, with no data of the person's in it.
    public let name: String
    /// `app.screen.id` of a screen.
    public let id: String
    public let role: ViewRole

    /// - Parameter id: Default the name.
    public init(_ name: String, id: String? = nil, role: ViewRole = .screen) {
        self.name = name
        self.id = id ?? name
        self.role = role
    }
}
