import ViewTree

/// A button that opens a menu of buttons. A choice, or a tap beside the menu, closes it.
public struct Menu<Label: View, Content: View>: View {
    let content: Content
    let label: Label

    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        self.content = content()
        self.label = label()
    }
}

extension Menu where Label == Text {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(content: content, label: { Text(titleKey) })
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(content: content, label: { Text(title) })
    }
}

extension EnvironmentValues {
    /// Sets what a menu means for its items: they are not tinted, a picker shows its choices among them, and a choice
    /// closes the menu.
    mutating func enterMenu(_ leave: LeavePresentation) {
        leaveContainers()
        leavePresentation = leave
        foreground = ForegroundLevels(primary: .primary)
        if pickerStyle == .automatic { pickerStyle = .inline }
    }
}

/// The state of a menu: open or closed.
private final class MenuState {
    var isOpen = false
}

extension Menu: PrimitiveView {
    public typealias Body = Never

    private func state(_ node: ViewNode) -> MenuState {
        if let state = node.storage as? MenuState { return state }
        let state = MenuState()
        node.storage = state
        return state
    }

    func slots(in node: ViewNode) -> [Slot] {
        let state = state(node)
        let label = Slot(.position(0), label) { values in
            values.foreground = ForegroundLevels(primary: values.buttonStyle.labelColor(nil, in: values))
        }
        guard state.isOpen else { return [label] }
        let outer = node.environment.leavePresentation
        let leave = LeavePresentation(node: node.id) {
            state.isOpen = false
            node.graph.setNeedsUpdate(node)
            outer?.perform()
        }
        let items = Slot(.position(1), content) { $0.enterMenu(leave) }
        return [label, items]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let state = state(node)
        node.handle(.tap) {
            state.isOpen.toggle()
            node.graph.setNeedsUpdate(node)
        }
        node.handle(.dismiss) {
            state.isOpen = false
            node.graph.setNeedsUpdate(node)
        }
        var parts = [Output(RenderedNode(id: node.wrapperID(.label), kind: .label, children: children[0].nodes))]
        if children.count > 1 {
            parts.append(
                Output(
                    RenderedNode(id: node.wrapperID(.choices), kind: .choices, children: children[1].nodes),
                    preferences: children[1].preferences))
        }
        let actions: [ViewAction] = state.isOpen ? [.tap, .dismiss] : [.tap]
        return control(.menu, ["open": .bool(state.isOpen)], actions, parts, node)
    }
}
