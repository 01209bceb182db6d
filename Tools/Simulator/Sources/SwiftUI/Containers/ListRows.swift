import ViewTree

/// Returns the rows of a list or a section, with their controls in edit mode.
@MainActor
func rows(_ content: Output, selection: RowSelection?, in node: ViewNode) -> [RenderedNode] {
    content.elements.enumerated().map { place, element in
        let traits = element.traits
        let id = node.wrapperID(.row, around: element.node.id)
        var properties = traits.listRow
        // The line between two rows is that of the lower one.
        if properties["tintAbove"] == nil, place > 0 {
            properties["tintAbove"] = content.elements[place - 1].traits.listRow["tintBelow"]
        }
        var actions: [ViewAction] = []
        if let badge = traits.badge { properties["badge"] = .string(badge) }
        let isEditing = node.environment.isEditing
        if isEditing {
            properties["editing"] = true
            if traits.isDeletable { properties["deletable"] = true }
        }
        if let selection, let tag = traits.tag ?? traits.implicitTag, let isSelected = selection.state(tag) {
            if selection.isMultiple, isEditing { properties["selectable"] = true }
            if isSelected { properties["selected"] = true }
            if node.environment.isEnabled, isEditing || !selection.isMultiple {
                actions.append(.tap)
                let opening = selection.isMultiple ? nil : node.environment.splitOpening
                node.handle(.tap, on: id) {
                    selection.choose(tag)
                    opening?.open()
                }
            }
        }
        var children = [element.node]
        if actions.isEmpty, !isEditing, let buttons = RowButtons(element.node, in: node) {
            properties["runsButtons"] = true
            actions.append(.tap)
            node.handle(.tap, on: id) { buttons.tap(in: node) }
            children = [buttons.content]
        }
        if !traits.swipeActions.isEmpty {
            children.append(
                RenderedNode(
                    id: node.wrapperID(.swipeActions, around: element.node.id), kind: .swipeActions,
                    children: traits.swipeActions))
        }
        if !traits.leadingSwipeActions.isEmpty {
            // A row has two nodes of this kind, so one of them gets its id in the place of another kind.
            children.append(
                RenderedNode(
                    id: node.wrapperID(.layer, around: element.node.id), kind: .swipeActions,
                    properties: ["edge": "leading"], children: traits.leadingSwipeActions))
        }
        return RenderedNode(id: id, kind: .row, properties: properties, actions: actions, children: children)
    }
}
