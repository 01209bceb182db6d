/// The pages of a stack above its first, and the registered destinations.
@MainActor
final class NavigationContext {
    struct Entry {
        enum Kind {
            /// A value, shown by the destination for its type.
            case value(AnyHashable)
            /// A view, pushed by a link or an `isPresented` of the node with that id.
            case view(owner: Int)
        }

        let id: Int
        let kind: Kind
        let dismissal = DismissTarget()

        var value: AnyHashable? { if case .value(let value) = kind { value } else { nil } }
        var owner: Int? { if case .view(let owner) = kind { owner } else { nil } }
    }

    private struct Destination {
        let owner: Int
        let make: (AnyHashable) -> any View
    }

    /// The view that a node pushed, with its callbacks.
    struct Pushed {
        var make: () -> any View
        var popped: () -> Void
    }

    private weak var node: ViewNode?
    /// The ways back between the columns of a split view.
    var columnDismissals: [DismissTarget] = []
    private(set) var entries: [Entry] = []
    private var destinations: [ObjectIdentifier: Destination] = [:]
    private var pushed: [Int: Pushed] = [:]
    /// Evaluates pages again once in an update for newly registered destinations.
    private var refreshedIn = 0
    private var writePath: (([AnyHashable]) -> Void)?

    init(_ node: ViewNode) {
        self.node = node
    }

    /// Applies the values of an external path. The common pages stay.
    func adopt(_ path: (values: [AnyHashable], write: ([AnyHashable]) -> Void)?) {
        writePath = path?.write
        guard let path, path.values != entries.compactMap(\.value) else { return }
        var kept: [Entry] = []
        for (entry, value) in zip(entries, path.values) {
            guard entry.value == value else { break }
            kept.append(entry)
        }
        forget(entries[kept.count...])
        entries = kept + path.values[kept.count...].map { makeEntry(.value($0)) }
    }

    private func makeEntry(_ kind: Entry.Kind) -> Entry {
        let entry = Entry(id: node?.graph.nextID() ?? 0, kind: kind)
        entry.dismissal.action = { [weak self] in self?.pop(entry.id) }
        return entry
    }

    func push(_ value: AnyHashable) {
        entries.append(makeEntry(.value(value)))
        pathChanged()
    }

    func push(owner: Int, _ page: Pushed) {
        guard pushed.updateValue(page, forKey: owner) == nil else { return refresh() }
        entries.append(makeEntry(.view(owner: owner)))
        setNeedsUpdate()
    }

    func isPushed(_ owner: Int) -> Bool { pushed[owner] != nil }

    /// Returns true if it dismisses a page of this stack.
    func owns(_ dismissal: DismissTarget) -> Bool {
        entries.contains { $0.dismissal === dismissal } || columnDismissals.contains { $0 === dismissal }
    }

    /// Removes all pages above the first one.
    func popAll() {
        if let first = entries.first { pop(first.id) }
    }

    /// Removes the page with this id, and those above it.
    func pop(_ id: Int) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
        let left = entries[index...]
        entries.removeSubrange(index...)
        forget(left)
        pathChanged()
    }

    func pop(owner: Int) {
        if let entry = entries.first(where: { $0.owner == owner }) { pop(entry.id) }
    }

    private func forget(_ left: ArraySlice<Entry>) {
        for owner in left.compactMap(\.owner) { pushed.removeValue(forKey: owner)?.popped() }
    }

    private func pathChanged() {
        writePath?(entries.compactMap(\.value))
        setNeedsUpdate()
    }

    private func refresh() {
        guard let graph = node?.graph, refreshedIn != graph.updateCount else { return }
        refreshedIn = graph.updateCount
        setNeedsUpdate()
    }

    private func setNeedsUpdate() { if let node { node.graph.setNeedsUpdate(node) } }

    /// The last registration for a type is used.
    func register<D: Hashable>(_ type: D.Type, owner: Int, _ make: @escaping (D) -> any View) {
        destinations[ObjectIdentifier(type)] = Destination(owner: owner) { value in
            (value.base as? D).map(make) ?? EmptyView()
        }
        if entries.contains(where: { $0.value?.base is D }) { refresh() }
    }

    func unregister<D: Hashable>(_ type: D.Type, owner: Int) {
        if destinations[ObjectIdentifier(type)]?.owner == owner { destinations[ObjectIdentifier(type)] = nil }
    }

    /// Returns the view of a page; `nil` if its destination is not registered yet.
    func view(of entry: Entry) -> any View {
        switch entry.kind {
        case .value(let value):
            let type = Swift.type(of: value.base)
            guard let destination = destinations[ObjectIdentifier(type)] else {
                reportLater(String(describing: type))
                return EmptyView()
            }
            return destination.make(value)
        case .view(let owner): return pushed[owner]?.make() ?? EmptyView()
        }
    }

    /// The destination may be registered within the same update.
    private func reportLater(_ type: String) {
        guard let node else { return }
        node.graph.enqueue(.change) { [weak self] in
            guard let self, let node = self.node else { return }
            let isKnown = self.entries.allSatisfy { entry in
                entry.value.map { self.destinations[ObjectIdentifier(Swift.type(of: $0.base))] != nil } ?? true
            }
            if !isKnown { node.graph.report(.noDestination(type: type)) }
        }
    }
}

/// The target of a `dismiss`.
@MainActor
final class DismissTarget {
    var action: () -> Void = {}

    nonisolated init() {}
}

/// Dismisses the page, the sheet or the dialog that contains the view.
@MainActor
@preconcurrency
public struct DismissAction {
    let target: DismissTarget?

    public func callAsFunction() { target?.action() }
}

extension EnvironmentValues {
    private enum NavigationKey: EnvironmentKey {
        static let defaultValue: NavigationContext? = nil
    }

    private enum DismissKey: EnvironmentKey {
        static let defaultValue: DismissTarget? = nil
    }

    var navigation: NavigationContext? {
        get { self[NavigationKey.self] }
        set { self[NavigationKey.self] = newValue }
    }

    var dismissTarget: DismissTarget? {
        get { self[DismissKey.self] }
        set { self[DismissKey.self] = newValue }
    }

    public var dismiss: DismissAction { DismissAction(target: dismissTarget) }

    /// True if the view is on a page above the first, in a sheet, or in a dialog.
    public var isPresented: Bool { dismissTarget != nil }
}
