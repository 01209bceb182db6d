import ViewTree

/// Columns side by side on a wide screen, and pages of a stack on a narrow one.
///
/// On a narrow screen, a selection in a column's list or a link in it leads to the next column. The way back takes the
/// selection away.
public struct NavigationSplitView<Sidebar: View, Content: View, Detail: View>: View {
    let visibility: Binding<NavigationSplitViewVisibility>?
    let compactColumn: Binding<NavigationSplitViewColumn>?
    let sidebar: Sidebar
    /// The column in the middle; `nil` if there are two.
    let content: Content?
    let detail: Detail
}

extension NavigationSplitView {
    public init(
        @ViewBuilder sidebar: () -> Sidebar, @ViewBuilder content: () -> Content, @ViewBuilder detail: () -> Detail,
    ) {
        self.init(
            visibility: nil, compactColumn: nil, sidebar: sidebar(), content: content(), detail: detail())
    }

    public init(
        columnVisibility: Binding<NavigationSplitViewVisibility>, @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder content: () -> Content, @ViewBuilder detail: () -> Detail,
    ) {
        self.init(
            visibility: columnVisibility, compactColumn: nil, sidebar: sidebar(), content: content(),
            detail: detail())
    }

    @available(iOS 17, macOS 14, *)
    public init(
        preferredCompactColumn: Binding<NavigationSplitViewColumn>, @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder content: () -> Content, @ViewBuilder detail: () -> Detail,
    ) {
        self.init(
            visibility: nil, compactColumn: preferredCompactColumn, sidebar: sidebar(), content: content(),
            detail: detail())
    }

    @available(iOS 17, macOS 14, *)
    public init(
        columnVisibility: Binding<NavigationSplitViewVisibility>,
        preferredCompactColumn: Binding<NavigationSplitViewColumn>, @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder content: () -> Content, @ViewBuilder detail: () -> Detail,
    ) {
        self.init(
            visibility: columnVisibility, compactColumn: preferredCompactColumn, sidebar: sidebar(),
            content: content(), detail: detail())
    }
}

extension NavigationSplitView where Content == EmptyView {
    public init(@ViewBuilder sidebar: () -> Sidebar, @ViewBuilder detail: () -> Detail) {
        self.init(visibility: nil, compactColumn: nil, sidebar: sidebar(), content: nil, detail: detail())
    }

    public init(
        columnVisibility: Binding<NavigationSplitViewVisibility>, @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder detail: () -> Detail,
    ) {
        self.init(
            visibility: columnVisibility, compactColumn: nil, sidebar: sidebar(), content: nil, detail: detail())
    }

    @available(iOS 17, macOS 14, *)
    public init(
        preferredCompactColumn: Binding<NavigationSplitViewColumn>, @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder detail: () -> Detail,
    ) {
        self.init(
            visibility: nil, compactColumn: preferredCompactColumn, sidebar: sidebar(), content: nil,
            detail: detail())
    }

    @available(iOS 17, macOS 14, *)
    public init(
        columnVisibility: Binding<NavigationSplitViewVisibility>,
        preferredCompactColumn: Binding<NavigationSplitViewColumn>, @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder detail: () -> Detail,
    ) {
        self.init(
            visibility: columnVisibility, compactColumn: preferredCompactColumn, sidebar: sidebar(), content: nil,
            detail: detail())
    }
}

extension NavigationSplitView: PrimitiveView {
    public typealias Body = Never

    private var columns: [any View] { [sidebar] + (content.map { [$0] } ?? []) + [detail] }

    private func state(_ node: ViewNode) -> SplitState {
        if let state = node.storage as? SplitState { return state }
        let state = SplitState(node, columns: columns.count)
        node.storage = state
        return state
    }

    /// The columns that are shown on a wide screen.
    private func shownColumns(_ node: ViewNode) -> Range<Int> {
        let count = columns.count
        let wanted = visibility?.wrappedValue ?? state(node).visibility
        switch wanted == .automatic ? NavigationSplitViewVisibility.automatic(in: node.environment) : wanted {
        case .detailOnly: return count - 1..<count
        case .doubleColumn: return count - 2..<count
        default: return 0..<count
        }
    }

    /// Hides the first column if it is shown, or shows the one before the first that is shown.
    private func toggleSidebar(_ first: Int, _ node: ViewNode) {
        let hasThree = columns.count == 3
        switch first {
        case 0: setVisibility(hasThree ? .doubleColumn : .detailOnly, node)
        case 1: setVisibility(.all, node)
        default: setVisibility(.doubleColumn, node)
        }
    }

    private func setVisibility(_ new: NavigationSplitViewVisibility, _ node: ViewNode) {
        if let visibility {
            visibility.wrappedValue = new
        } else {
            state(node).visibility = new
            node.graph.setNeedsUpdate(node)
        }
    }

    func slots(in node: ViewNode) -> [Slot] {
        let state = state(node)
        state.follow(compactColumn)
        let isWide = node.environment.horizontalSizeClass == .regular
        let shown = isWide ? shownColumns(node) : 0..<state.depth
        let pages = state.context.entries
        let columns = columns
        var slots = columns.enumerated().map { index, column in
            let back = index > 0 && !isWide ? state.openings[index - 1].dismissal : nil
            let isFirst = isWide && index == shown.lowerBound
            let toggled = AnyColumn(content: column).modifier(
                SidebarToggleModifier(isShown: isFirst, hides: index == 0) { toggleSidebar(index, node) })
            let isTop = index == shown.upperBound - 1 && pages.isEmpty
            return Slot(
                .position(index), StackPage(content: toggled, dismissal: back),
                isVisible: isWide ? shown.contains(index) && (index < columns.count - 1 || pages.isEmpty) : isTop
            ) {
                $0.navigation = state.context
                $0.splitOpening = index < columns.count - 1 ? state.openings[index] : nil
                if let back { $0.dismissTarget = back }
            }
        }
        for (index, entry) in pages.enumerated() {
            // A page that a link of a column opens takes the place of the last column, which leads nowhere back.
            let isRoot = isWide && index == 0
            slots.append(
                Slot(
                    .element(AnyHashable(entry.id), 0),
                    StackPage(content: state.context.view(of: entry), dismissal: isRoot ? nil : entry.dismissal),
                    isVisible: index == pages.count - 1
                ) {
                    $0.navigation = state.context
                    if !isRoot { $0.dismissTarget = entry.dismissal }
                })
        }
        return slots
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let count = columns.count
        let isWide = node.environment.horizontalSizeClass == .regular
        let shown = isWide ? shownColumns(node) : 0..<state(node).depth
        let further = children[count...]
        var output = Output(merging: Array(children[shown]) + further)
        output.preferences.holdsStack = true
        guard isWide else {
            let stack = RenderedNode(id: node.id, kind: .navigation, children: output.nodes.coveringAllButLast())
            output.elements = [Element(node: stack)]
            return output
        }
        let columns = shown.map { index -> RenderedNode in
            let inside = children[index].nodes + (index == count - 1 ? further.flatMap(\.nodes) : [])
            var properties: [String: NodeValue] = [:]
            if index < count - 1 {
                properties["width"] = .number(children[index].preferences.columnWidth ?? 320)
            }
            return RenderedNode(
                id: node.wrapperID(.navigation, around: node.children[index].id), kind: .navigation,
                properties: properties, children: inside.coveringAllButLast())
        }
        output.elements = [Element(node: RenderedNode(id: node.id, kind: .columns, children: columns))]
        return output
    }
}

/// A column, whatever its view is: its place in the tree does not depend on the type.
private struct AnyColumn: PrimitiveView {
    let content: any View

    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), content)] }
}

/// A button in the first column of a wide screen, which shows or hides the other columns.
private struct SidebarToggleModifier: PrimitiveModifier {
    typealias Body = Never
    let isShown: Bool
    let hides: Bool
    let action: @MainActor () -> Void

    func slots(content: any View, in node: ViewNode) -> [Slot] {
        let content = Slot(.position(0), content)
        guard isShown else { return [content] }
        let word = hides ? SystemWord.hideSidebar : .showSidebar
        let button = Button(action: action) { Image(systemName: "sidebar.left") }
            .accessibilityLabel(Text(verbatim: word.text(in: node.environment)))
        return [content, Slot(.position(1), button) { $0.isInBar = true }]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = children[0]
        guard children.count > 1, !output.preferences.hidesSidebarToggle else { return output }
        let item = RenderedNode(
            id: node.wrapperID(.toolbarItem), kind: .toolbarItem, properties: ["placement": "leading"],
            children: children[1].nodes)
        output.preferences.toolbar.insert(item, at: 0)
        return output
    }
}
