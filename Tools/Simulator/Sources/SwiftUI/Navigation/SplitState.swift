/// The columns of a split view that are open, and the pages above them.
@MainActor
final class SplitState {
    let context: NavigationContext
    /// One for each column but the last.
    let openings: [SplitOpening]
    /// The visibility that the user has chosen by the button in the bar.
    var visibility = NavigationSplitViewVisibility.automatic

    init(_ node: ViewNode, columns: Int) {
        let context = NavigationContext(node)
        self.context = context
        openings = (1..<columns).map { SplitOpening(leadingTo: $0, of: columns, context, node) }
        context.columnDismissals = openings.map(\.dismissal)
    }

    /// The columns that a narrow screen has in its stack.
    var depth: Int { 1 + openings.prefix { $0.isOpen }.count }

    /// Opens the columns up to the one that the app prefers, if it says so.
    func follow(_ column: Binding<NavigationSplitViewColumn>?) {
        for opening in openings { opening.follow(column) }
    }
}

/// The way from a column of a split view to the next one, on a narrow screen.
@MainActor
final class SplitOpening {
    private(set) var isOpen = false
    /// The pages above the columns.
    let context: NavigationContext
    /// Leads back from the next column.
    let dismissal = DismissTarget()
    private weak var node: ViewNode?
    private let next: Int
    private let columns: Int
    private var column: Binding<NavigationSplitViewColumn>?
    /// The app's wish that was followed last. A binding that does not change leaves the way to the user.
    private var wasWanted: Bool?
    private var hadSelection = false
    private var deselect: () -> Void = {}

    init(leadingTo next: Int, of columns: Int, _ context: NavigationContext, _ node: ViewNode) {
        self.context = context
        self.next = next
        self.columns = columns
        self.node = node
        dismissal.action = { [weak self] in self?.close() }
    }

    fileprivate func follow(_ column: Binding<NavigationSplitViewColumn>?) {
        self.column = column
        guard let isWanted, isWanted != wasWanted else { return }
        wasWanted = isWanted
        isOpen = isWanted
    }

    private var isWanted: Bool? { column.map { $0.wrappedValue.position(among: columns) >= next } }

    func open() { set(true) }

    /// Opens the next column when the list of this one gets a selection, and closes it when the selection goes.
    func follow(hasSelection: Bool, deselect: @escaping () -> Void) {
        self.deselect = deselect
        guard hasSelection != hadSelection else { return }
        hadSelection = hasSelection
        node?.graph.enqueue(.change) { [weak self] in self?.set(hasSelection) }
    }

    private func close() {
        deselect()
        set(false)
    }

    private func set(_ isOpen: Bool) {
        guard let node, node.isAlive, isOpen != self.isOpen else { return }
        self.isOpen = isOpen
        column?.wrappedValue = .at(isOpen ? next : next - 1, of: columns)
        wasWanted = isWanted
        node.graph.setNeedsUpdate(node)
    }
}

extension NavigationSplitViewColumn {
    /// The place of the column among two or three.
    fileprivate func position(among columns: Int) -> Int {
        switch self {
        case .sidebar: 0
        case .content: 1
        default: columns - 1
        }
    }

    fileprivate static func at(_ position: Int, of columns: Int) -> NavigationSplitViewColumn {
        if position == 0 { return .sidebar }
        return position == columns - 1 ? .detail : .content
    }
}

extension EnvironmentValues {
    private enum SplitOpeningKey: EnvironmentKey {
        static var defaultValue: SplitOpening? { nil }
    }

    /// The way to the next column of the split view around; `nil` in its last column.
    var splitOpening: SplitOpening? {
        get { self[SplitOpeningKey.self] }
        set { self[SplitOpeningKey.self] = newValue }
    }
}
