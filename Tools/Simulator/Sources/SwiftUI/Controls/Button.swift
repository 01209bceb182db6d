import ViewTree

/// The purpose of a button, if it changes its appearance or behavior.
public struct ButtonRole: Hashable, Sendable {
    let name: String

    public static let destructive = ButtonRole(name: "destructive")
    public static let cancel = ButtonRole(name: "cancel")
}

/// A button.
public struct Button<Label: View>: View {
    let role: ButtonRole?
    let action: @MainActor () -> Void
    let label: Label

    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        role = nil
        self.action = action
        self.label = label()
    }

    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.role = role
        self.action = action
        self.label = label()
    }
}

extension Button where Label == Text {
    public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { Text(titleKey) }
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { Text(title) }
    }

    public init(_ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(titleKey) }
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(title) }
    }
}

extension Button: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] {
        let role = role
        if let style = node.environment.customButtonStyle {
            let configuration = ButtonStyleConfiguration(
                role: role, label: ButtonStyleConfiguration.Label(content: label),
                isPressed: node.press.isPressed)
            return [Slot(.position(0), style.body(configuration))]
        }
        return [
            Slot(.position(0), label) { values in
                values.foreground = ForegroundLevels(primary: values.buttonStyle.labelColor(role, in: values))
                if values.buttonStyle == .borderless { values.textAttributes = TextAttributes() }
            }
        ]
    }

    func rendersLike(_ other: Self) -> Bool { role == other.role }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let environment = node.environment
        var properties: [String: NodeValue] = ["style": .string(environment.buttonStyle.name)]
        if let role { properties["role"] = .string(role.name) }
        if environment.controlSize != .regular { properties["size"] = .string(environment.controlSize.name) }
        properties.merge(environment.borderShapeProperties) { $1 }
        if environment.buttonStyle.isBordered {
            properties["tint"] = .string(
                resolved(role == .destructive ? .red : .accentColor, in: environment))
        }
        if !environment.isEnabled { properties["disabled"] = true }
        var actions: [ViewAction] = []
        if environment.isEnabled {
            actions.append(.tap)
            let showsPress = environment.customButtonStyle != nil
            if showsPress { actions += node.handlePresses() }
            let leave = environment.leavePresentation
            node.handle(.tap) {
                if showsPress { node.showTap() }
                leave?.perform()
                node.current(self).action()
            }
        }
        let output = Output(merging: children)
        return Output(
            RenderedNode(
                id: node.id, kind: .button, properties: properties, actions: actions, children: output.nodes,
            ),
            preferences: output.preferences,
        )
    }
}
