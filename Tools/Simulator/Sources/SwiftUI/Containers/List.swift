import ViewTree

/// A list of rows in sections.
///
/// Partly: No selection and no edit mode.
public struct List<SelectionValue, Content: View>: View {
    let content: Content
}

extension List where SelectionValue == Never {
    public init(@ViewBuilder content: () -> Content) {
        self.init(content: content())
    }

    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent,
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
        self.init(content: ForEach(data, content: rowContent))
    }

    public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent,
    ) where Content == ForEach<Data, ID, RowContent> {
        self.init(content: ForEach(data, id: id, content: rowContent))
    }
}

extension List: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] {
        lazySlots(content, in: node) { $0.isInList = true }
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        listOutput(
            .list, children, node, style: node.environment.listStyle.name, rest: lazyPlaceholder(content, in: node), )
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
        [Slot(.position(0), content) { $0.isInList = true }]
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
        children.append(RenderedNode(id: node.wrapperID(around: -1), kind: .header, children: header))
    }
    children += node.environment.isInList ? rows(content, in: node) : content.nodes
    if !footer.isEmpty {
        children.append(RenderedNode(id: node.wrapperID(around: -2), kind: .footer, children: footer))
    }
    var output = Output(RenderedNode(id: id, kind: .section, children: children), preferences: content.preferences)
    output.elements[0].traits.isSection = true
    return output
}

@MainActor
private func rows(_ content: Output, in node: ViewNode) -> [RenderedNode] {
    content.elements.map { element in
        var properties = element.traits.listRow
        if let badge = element.traits.badge { properties["badge"] = .string(badge) }
        var children = [element.node]
        if !element.traits.swipeActions.isEmpty {
            children.append(
                RenderedNode(
                    id: node.wrapperID(around: -element.node.id), kind: .swipeActions,
                    children: element.traits.swipeActions, ))
        }
        return RenderedNode(
            id: node.wrapperID(around: element.node.id), kind: .row, properties: properties, children: children, )
    }
}

/// Returns the sections, and puts the rows between them into sections without a header.
@MainActor
private func listOutput(
    _ kind: NodeKind, _ children: [Output], _ node: ViewNode, style: String, rest: RenderedNode? = nil,
) -> Output {
    let content = Output(merging: children)
    var sections: [RenderedNode] = []
    var loose = Output()
    func close() {
        guard let first = loose.elements.first else { return }
        sections.append(
            RenderedNode(
                id: node.wrapperID(around: -first.node.id), kind: .section, children: rows(loose, in: node), ))
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
    return Output(
        RenderedNode(
            id: node.id, kind: kind, properties: ["style": .string(style)], actions: actions, children: sections, ),
        preferences: content.preferences,
    )
}
