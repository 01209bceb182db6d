import ViewTree

/// A type-erased list of the values of a stack's pages.
public struct NavigationPath: Equatable {
    var values: [AnyHashable] = []

    public init() {}

    public init<S: Sequence>(_ elements: S) where S.Element: Hashable {
        values = elements.map { AnyHashable($0) }
    }

    public var count: Int { values.count }
    public var isEmpty: Bool { values.isEmpty }

    public mutating func append<V: Hashable>(_ value: V) { values.append(AnyHashable(value)) }
    public mutating func removeLast(_ k: Int = 1) { values.removeLast(k) }
}

/// A stack of pages, the last on top.
///
/// Covered pages keep their state but are not visible. They disappear when they are covered, and appear when they are
/// visible again.
public struct NavigationStack<Data, Root: View>: View {
    let path: PathAccess?
    let root: Root
}

/// Creates a stack with an external path.
struct PathAccess {
    let read: () -> [AnyHashable]
    let write: ([AnyHashable]) -> Void
}

extension NavigationStack {
    public init(@ViewBuilder root: () -> Root) where Data == NavigationPath {
        self.init(path: nil, root: root())
    }

    public init(path: Binding<NavigationPath>, @ViewBuilder root: () -> Root) where Data == NavigationPath {
        let access = PathAccess(
            read: { path.wrappedValue.values },
            write: { values in
                var new = NavigationPath()
                new.values = values
                path.wrappedValue = new
            },
        )
        self.init(path: access, root: root())
    }

    public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where
        Data: MutableCollection, Data: RandomAccessCollection, Data: RangeReplaceableCollection, Data.Element: Hashable
    {
        let access = PathAccess(
            read: { path.wrappedValue.map { AnyHashable($0) } },
            write: { path.wrappedValue = Data($0.compactMap { $0.base as? Data.Element }) },
        )
        self.init(path: access, root: root())
    }
}

extension NavigationStack: PrimitiveView {
    public typealias Body = Never

    private func context(_ node: ViewNode) -> NavigationContext {
        if let context = node.storage as? NavigationContext { return context }
        let context = NavigationContext(node)
        node.storage = context
        return context
    }

    /// The dismissal of the page of another stack that contains this one. The first page leads back by it.
    private func outerDismissal(_ node: ViewNode) -> DismissTarget? {
        guard let outer = node.environment.navigation, let target = node.environment.dismissTarget else { return nil }
        return outer.owns(target) ? target : nil
    }

    func slots(in node: ViewNode) -> [Slot] {
        let context = context(node)
        context.adopt(path.map { ($0.read(), $0.write) })
        let pages = context.entries
        let page = StackPage(content: root, dismissal: outerDismissal(node))
        let first = Slot(.position(0), page, isVisible: pages.isEmpty) { $0.navigation = context }
        return [first]
            + pages.enumerated().map { index, entry in
                Slot(
                    .element(AnyHashable(entry.id), 0),
                    StackPage(content: context.view(of: entry), dismissal: entry.dismissal),
                    isVisible: index == pages.count - 1,
                ) {
                    $0.navigation = context
                    $0.dismissTarget = entry.dismissal
                }
            }
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        let pages = output.nodes.coveringAllButLast()
        output.elements = [Element(node: RenderedNode(id: node.id, kind: .navigation, children: pages))]
        output.preferences.holdsStack = true
        if let visible = children.last { output.preferences.takeSheetValues(of: visible.preferences) }
        return output
    }
}

/// A page of a stack, with its navigation bar. If another stack is inside, only that one's bar is visible.
struct StackPage: View, PrimitiveView {
    typealias Body = Never
    let content: any View
    let dismissal: DismissTarget?

    func slots(in node: ViewNode) -> [Slot] {
        let editScope = node.editScope
        return [Slot(.position(0), content) { $0.editMode = editScope.binding }]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let output = Output(merging: children)
        let bar = output.preferences
        var properties: [String: NodeValue] = ["displayMode": .string(bar.titleDisplayMode ?? "automatic")]
        properties.merge(node.environment.pageTint) { $1 }
        if let title = bar.title { properties["title"] = .string(title) }
        if let subtitle = bar.subtitle { properties["subtitle"] = .string(subtitle) }
        if let role = bar.toolbarRole { properties["role"] = .string(role) }
        if bar.hidesBar || bar.holdsStack { properties["barHidden"] = true }
        var actions: [ViewAction] = []
        if let dismissal, !bar.hidesBackButton, !bar.holdsStack {
            actions.append(.back)
            node.handle(.back) { dismissal.action() }
        }
        var outer = ViewPreferences()
        outer.presentations = bar.presentations
        outer.custom = bar.custom
        outer.colorScheme = bar.colorScheme
        outer.columnWidth = bar.columnWidth
        outer.takeSheetValues(of: bar)
        let content = RenderedNode(id: node.wrapperID(.pageContent), kind: .pageContent, children: output.nodes)
        let items = bar.toolbar + (bar.search.map { [$0] } ?? [])
        let inside = bar.holdsStack ? [content.lending(bar, items)] : items + [content]
        return Output(
            RenderedNode(id: node.id, kind: .page, properties: properties, actions: actions, children: inside),
            preferences: outer,
        )
    }
}

extension [RenderedNode] {
    /// The pages of a stack, of which the last covers the others.
    func coveringAllButLast() -> [RenderedNode] {
        enumerated().map { index, page in index == count - 1 ? page : page.adding(["covered": true]) }
    }
}

extension RenderedNode {
    /// Returns the node with the bar of the page around it moved to the first page of the stack inside.
    fileprivate func lending(_ bar: ViewPreferences, _ items: [RenderedNode]) -> RenderedNode {
        changingFirstPage { page in
            var properties = page.properties
            if properties["title"] == nil, !bar.hidesBar, let title = bar.title {
                properties["title"] = .string(title)
            }
            let leadsBack = !bar.hidesBackButton && !bar.hidesBar
            return RenderedNode(
                id: page.id, kind: .page, properties: properties,
                actions: leadsBack ? page.actions : page.actions.filter { $0 != .back },
                children: bar.hidesBar ? page.children : page.childrenOfPage(withBar: items))
        } ?? self
    }

    /// Returns the children of a page with more items in its bar. A page has one search field, its own before others.
    fileprivate func childrenOfPage(withBar items: [RenderedNode]) -> [RenderedNode] {
        let others = children.filter { child in !items.contains { $0.id == child.id } }
        let hasField = others.contains { $0.kind == .search }
        return items.filter { !hasField || $0.kind != .search } + others
    }

    /// Changes the first page of the innermost visible stack; `nil` if there is none.
    fileprivate func changingFirstPage(_ change: (RenderedNode) -> RenderedNode) -> RenderedNode? {
        if isCovered { return nil }
        if kind == .navigation {
            return children.first.map { replacing(0, with: $0.changingFirstPage(change) ?? change($0)) }
        }
        for (index, child) in children.enumerated() {
            if let changed = child.changingFirstPage(change) { return replacing(index, with: changed) }
        }
        return nil
    }

    private func replacing(_ index: Int, with child: RenderedNode) -> RenderedNode {
        var children = children
        children[index] = child
        return RenderedNode(id: id, kind: kind, properties: properties, actions: actions, children: children)
    }
}

extension Output {
    /// Puts the search field on the first page of a stack or a split view inside. Without one, the page around has it.
    mutating func placeSearch() {
        guard preferences.holdsStack, let search = preferences.search else { return }
        for index in elements.indices {
            let changed = elements[index].node.changingFirstPage {
                $0.replacingChildren(with: $0.childrenOfPage(withBar: [search]))
            }
            if let changed {
                elements[index].node = changed
                return
            }
        }
    }
}
