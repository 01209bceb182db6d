import ViewTree

/// A switch that is on or off.
public struct Toggle<Label: View>: View {
    let isOn: Binding<Bool>
    let label: Label

    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.isOn = isOn
        self.label = label()
    }
}

extension Toggle where Label == Text {
    public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { Text(titleKey) }
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { Text(title) }
    }
}

extension Toggle: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] {
        guard let style = node.environment.customToggleStyle else { return [Slot(.position(0), label)] }
        let configuration = ToggleStyleConfiguration(
            label: ToggleStyleConfiguration.Label(content: label), isOn: isOn)
        return [Slot(.position(0), style.body(configuration)) { $0.customToggleStyle = nil }]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        if node.environment.customToggleStyle != nil { return Output(merging: children) }
        let isOn = isOn
        let leave = node.environment.leavePresentation
        node.handle(.tap) {
            leave?.perform()
            isOn.wrappedValue.toggle()
        }
        node.handle(.change) { value in
            guard let bool = value?.bool else { return false }
            isOn.wrappedValue = bool
            return true
        }
        var output = control(.toggle, ["on": .bool(isOn.wrappedValue)], [.tap, .change], children, node)
        if let tint = node.environment.switchTint {
            let color = NodeValue.string(resolved(tint, in: node.environment))
            output.elements[0].node = output.elements[0].node.adding(["tint": color])
        }
        return output
    }
}

/// A control that increments and decrements a value.
public struct Stepper<Label: View>: View {
    let label: Label
    let increment: (@MainActor () -> Void)?
    let decrement: (@MainActor () -> Void)?
    /// The value in words; `nil` without a format.
    var valueText: String?

    /// - Parameters:
    ///   - onIncrement: `nil` if the value cannot be incremented.
    ///   - onDecrement: `nil` if the value cannot be decremented.
    public init(
        @ViewBuilder label: () -> Label, onIncrement: (@MainActor () -> Void)?, onDecrement: (@MainActor () -> Void)?,
        onEditingChanged: @escaping (Bool) -> Void = { _ in },
    ) {
        self.label = label()
        increment = onIncrement
        decrement = onDecrement
    }

    public init<V: Strideable>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in },
    ) {
        let current = value.wrappedValue
        let up = current.advanced(by: step)
        let down = current.advanced(by: -step)
        self.label = label()
        let goUp: @MainActor () -> Void = { value.wrappedValue = up }
        let goDown: @MainActor () -> Void = { value.wrappedValue = down }
        increment = up <= bounds.upperBound ? goUp : nil
        decrement = down >= bounds.lowerBound ? goDown : nil
    }
}

extension Stepper {
    /// Creates a stepper without bounds.
    public init<V: Strideable>(
        value: Binding<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in },
    ) {
        let current = value.wrappedValue
        self.init(
            label: label, onIncrement: { value.wrappedValue = current.advanced(by: step) },
            onDecrement: { value.wrappedValue = current.advanced(by: -step) })
    }
}

extension Stepper where Label == Text {
    public init<V: Strideable>(
        _ titleKey: LocalizedStringKey, value: Binding<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in },
    ) {
        self.init(value: value, step: step, label: { Text(titleKey) })
    }

    @_disfavoredOverload
    public init<S: StringProtocol, V: Strideable>(
        _ title: S, value: Binding<V>, step: V.Stride = 1, onEditingChanged: @escaping (Bool) -> Void = { _ in },
    ) {
        self.init(value: value, step: step, label: { Text(title) })
    }

    public init(
        _ titleKey: LocalizedStringKey, onIncrement: (@MainActor () -> Void)?, onDecrement: (@MainActor () -> Void)?,
        onEditingChanged: @escaping (Bool) -> Void = { _ in },
    ) {
        self.init(label: { Text(titleKey) }, onIncrement: onIncrement, onDecrement: onDecrement)
    }

    public init<V: Strideable>(
        _ titleKey: LocalizedStringKey, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in },
    ) {
        self.init(value: value, in: bounds, step: step, label: { Text(titleKey) })
    }

    @_disfavoredOverload
    public init<S: StringProtocol, V: Strideable>(
        _ title: S, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in },
    ) {
        self.init(value: value, in: bounds, step: step, label: { Text(title) })
    }
}

extension Stepper: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), label)] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var actions: [ViewAction] = []
        if let increment {
            actions.append(.increment)
            node.handle(.increment, increment)
        }
        if let decrement {
            actions.append(.decrement)
            node.handle(.decrement, decrement)
        }
        let properties = valueText.map { ["value": NodeValue.string($0)] } ?? [:]
        return control(.stepper, properties, actions, children, node)
    }
}

/// Returns a control's rendered node. A disabled control accepts no actions.
@MainActor
func control(
    _ kind: NodeKind, _ properties: [String: NodeValue], _ actions: [ViewAction], _ children: [Output],
    _ node: ViewNode,
) -> Output {
    let environment = node.environment
    var properties = properties
    if !environment.isEnabled { properties["disabled"] = true }
    if environment.hidesLabel(of: kind) { properties["labelHidden"] = true }
    if let tint = environment.tint { properties["tint"] = .string(resolved(tint, in: environment)) }
    let output = Output(merging: children)
    return Output(
        RenderedNode(
            id: node.id, kind: kind, properties: properties, actions: environment.isEnabled ? actions : [],
            children: output.nodes,
        ),
        preferences: output.preferences,
    )
}
