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

    func slots(in node: ViewNode) -> [Slot] {
        let context = context(node)
        context.adopt(path.map { ($0.read(), $0.write) })
        let pages = context.entries
        let first = Slot(.position(0), Page(content: root, dismissal: nil), isVisible: pages.isEmpty) {
            $0.navigation = context
        }
        return [first]
            + pages.enumerated().map { index, entry in
                Slot(
                    .element(AnyHashable(entry.id), 0),
                    Page(content: context.view(of: entry), dismissal: entry.dismissal),
                    isVisible: index == pages.count - 1,
                ) {
                    $0.navigation = context
                    $0.dismissTarget = entry.dismissal
                }
            }
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        let pages = output.nodes
        let shown = pages.enumerated().map { index, page in
            index == pages.count - 1 ? page : page.adding(["covered": true])
        }
        output.elements = [Element(node: RenderedNode(id: node.id, kind: .navigation, children: shown))]
        return output
    }
}

/// A page of a stack, with its navigation bar.
private struct Page: View, PrimitiveView {
    typealias Body = Never
    let content: any View
    let dismissal: DismissTarget?

    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), content)] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let output = Output(merging: children)
        let bar = output.preferences
        var properties: [String: NodeValue] = ["displayMode": .string(bar.titleDisplayMode ?? "automatic")]
        if let title = bar.title { properties["title"] = .string(title) }
        if bar.hidesBar { properties["barHidden"] = true }
        var actions: [ViewAction] = []
        if let dismissal, !bar.hidesBackButton {
            actions.append(.back)
            node.handle(.back) { dismissal.action() }
        }
        var outer = Preferences()
        outer.presentations = bar.presentations
        outer.custom = bar.custom
        return Output(
            RenderedNode(
                id: node.id, kind: .page, properties: properties, actions: actions,
                children: bar.toolbar + (bar.search.map { [$0] } ?? [])
                    + [RenderedNode(id: node.wrapperID(around: 0), kind: .pageContent, children: output.nodes)],
            ),
            preferences: outer,
        )
    }
}
