import ViewTree

/// A list of rows in sections.
public struct List<SelectionValue: Hashable, Content: View>: View {
    let content: Content
    let selection: ListSelection<SelectionValue>?
}

extension List where SelectionValue == Never {
    public init(@ViewBuilder content: () -> Content) {
        self.init(content: content(), selection: nil)
    }

    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent,
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
        self.init(content: ForEach(data, content: rowContent), selection: nil)
    }

    public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent,
    ) where Content == ForEach<Data, ID, RowContent> {
        self.init(content: ForEach(data, id: id, content: rowContent), selection: nil)
    }
}

extension List: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] {
        let selection = selection.map { RowSelection($0) }
        return lazySlots(content, in: node) {
            $0.isInList = true
            $0.enterScrollView()
            $0.rowSelection = selection
            $0.disabledEdits = DisabledEdits()
        }
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        listOutput(
            .list, children, node, style: node.environment.listStyle.name,
            selection: selection.map { RowSelection($0) },
            rest: lazyPlaceholder(content, in: node))
    }

    /// In a column of a split view, one selected row leads to the next column.
    func didUpdate(_ node: ViewNode, from previous: List?) {
        guard let opening = node.environment.splitOpening, case .one(let selected)? = selection else { return }
        let hasSelection = node.graph.evaluate(node) { selected.wrappedValue != nil }
        opening.follow(hasSelection: hasSelection) { selected.wrappedValue = nil }
    }
}

/// A list of controls in sections.
public struct Form<Content: View>: View {
    let content: Content

    public init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }
}

extension Form: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] {
        [
            Slot(.position(0), content) {
                $0.isInList = true
                $0.enterScrollView()
                $0.rowSelection = nil
            }
        ]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        listOutput(.form, children, node, style: "insetGrouped")
    }
}

/// Outside a list, a section is a group with a header and a footer.
@MainActor
func sectionOutput(
    _ id: Int, _ content: Output, header: [RenderedNode], footer: [RenderedNode], in node: ViewNode,
) -> Output {
    var children: [RenderedNode] = []
    if !header.isEmpty {
        let isProminent = node.environment.headerProminence == .increased
        children.append(
            RenderedNode(
                id: node.wrapperID(.header), kind: .header, properties: isProminent ? ["prominent": true] : [:],
                children: header))
    }
    children +=
        node.environment.isInList
        ? rows(content, selection: node.environment.rowSelection, in: node) : content.nodes
    if !footer.isEmpty {
        children.append(RenderedNode(id: node.wrapperID(.footer), kind: .footer, children: footer))
    }
    let spacing = node.environment.isInList ? node.environment.listSpacing : [:]
    var output = Output(
        RenderedNode(id: id, kind: .section, properties: spacing, children: children),
        preferences: content.preferences)
    output.elements[0].traits.isSection = true
    return output
}

/// Returns the sections, and puts the rows between them into sections without a header.
@MainActor
private func listOutput(
    _ kind: NodeKind, _ children: [Output], _ node: ViewNode, style: String, selection: RowSelection? = nil,
    rest: RenderedNode? = nil,
) -> Output {
    let content = Output(merging: children)
    var sections: [RenderedNode] = []
    var loose = Output()
    func close() {
        guard !loose.elements.isEmpty else { return }
        // Known by the section before it, so that it stays the same when its rows come and go.
        sections.append(
            RenderedNode(
                id: node.wrapperID(.section, around: sections.last?.id), kind: .section,
                children: rows(loose, selection: selection, in: node)))
        loose = Output()
    }
    for element in content.elements {
        if element.traits.isSection {
            close()
            sections.append(element.node)
        } else {
            loose.elements.append(element)
        }
    }
    close()
    if let rest { sections.append(rest) }
    var actions: [ViewAction] = []
    if let refresh = node.environment.refresh {
        actions.append(.refresh)
        let graph = node.graph
        node.handle(.refresh) { _ = graph.run(.userInitiated) { await refresh() } }
    }
    var properties: [String: NodeValue] = ["style": .string(style)]
    if node.environment.hidesListBackground { properties["backgroundHidden"] = true }
    properties.merge(node.environment.listSpacing) { $1 }
    properties.merge(node.environment.scrollProperties) { $1 }
    return Output(
        RenderedNode(id: node.id, kind: kind, properties: properties, actions: actions, children: sections),
        preferences: content.preferences,
    )
}
