/// Which of its parent's places a node has: with its view's type, its identity.
enum SlotKey: Hashable {
    /// The place in a list of views that is written out, or in a part that a view names by number.
    case position(Int)
    /// Which way an `if` went.
    case branch(Bool)
    /// An element of a `ForEach`, and the how manieth of that id it is.
    case element(AnyHashable, Int)
    /// What `.id(_:)` was given.
    case explicit(AnyHashable)
}

/// A child that a node wants: what it shows, and with what changes to the environment.
struct Slot {
    let key: SlotKey
    let view: any View
    /// Whether it is on the screen when its parent is: a covered page is kept and not seen.
    let isVisible: Bool
    let environment: ((inout EnvironmentValues) -> Void)?

    init(
        _ key: SlotKey, _ view: any View, isVisible: Bool = true,
        environment: ((inout EnvironmentValues) -> Void)? = nil,
    ) {
        self.key = key
        self.view = view
        self.isVisible = isVisible
        self.environment = environment
    }
}
