/// The key of a child: together with the type of its view, its identity.
enum SlotKey: Hashable {
    /// The position in a list of views, or in a part that a view identifies by number.
    case position(Int)
    /// The branch of an `if`.
    case branch(Bool)
    /// An element of a `ForEach`, with its occurrence among elements of the same id.
    case element(AnyHashable, Int)
    /// The value passed to `.id(_:)`.
    case explicit(AnyHashable)
}

/// A child that a node declares: its view, and its changes to the environment.
struct Slot {
    let key: SlotKey
    let view: any View
    /// True if it is visible when its parent is. A covered page is kept but not visible.
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
