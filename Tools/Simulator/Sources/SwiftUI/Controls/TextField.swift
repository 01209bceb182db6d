import ViewTree

/// A text field.
public struct TextField<Label: View>: View {
    let text: Binding<String>
    let label: Label
    let prompt: Text?
    /// The value that the field edits instead of the text.
    var value: FieldValue?
    /// Called for the return key, in the form before iOS 15.
    var onCommit: (() -> Void)?
    var axis = Axis.horizontal
}

extension TextField where Label == Text {
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
        self.init(text: text, label: Text(titleKey), prompt: nil)
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        self.init(text: text, label: Text(title), prompt: nil)
    }

    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text?) {
        self.init(text: text, label: Text(titleKey), prompt: prompt)
    }

    /// Creates a field that grows with its lines if the axis is vertical.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, axis: Axis) {
        self.init(text: text, label: Text(titleKey), prompt: nil, axis: axis)
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, axis: Axis) {
        self.init(text: text, label: Text(title), prompt: nil, axis: axis)
    }

    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text?, axis: Axis) {
        self.init(text: text, label: Text(titleKey), prompt: prompt, axis: axis)
    }

    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, onCommit: @escaping () -> Void) {
        self.init(text: text, label: Text(titleKey), prompt: nil, onCommit: onCommit)
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, onCommit: @escaping () -> Void) {
        self.init(text: text, label: Text(title), prompt: nil, onCommit: onCommit)
    }
}

extension TextField: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), label)] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        guard let value else {
            if axis == .vertical {
                return field(.textEditor, text, children, prompt, node, lines: lines(node.environment))
            }
            return field(.textField, text, children, prompt, node) { onCommit?() }
        }
        let leave = node.parent?.handler(for: .blur)
        node.handle(.blur) { place in
            value.endEditing(node)
            _ = leave?(place)
            return true
        }
        let output = field(.textField, value.binding(in: node), children, prompt, node) { value.endEditing(node) }
        return node.environment.isEnabled ? output.offering(.blur) : output
    }
}

extension TextField {
    /// The numbers of lines between which a vertical field is high.
    private func lines(_ environment: EnvironmentValues) -> [String: NodeValue] {
        var lines: [String: NodeValue] = ["leastLines": .number(Double(environment.textAttributes.leastLines ?? 1))]
        if let most = environment.lineLimit { lines["lineLimit"] = .number(Double(most)) }
        return lines
    }
}

/// A text field for secrets. Its text is not shown, and only the number of letters leaves the process.
public struct SecureField<Label: View>: View {
    let text: Binding<String>
    let label: Label
}

extension SecureField where Label == Text {
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
        self.init(text: text, label: Text(titleKey))
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        self.init(text: text, label: Text(title))
    }
}

extension SecureField: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), label)] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        field(.secureField, text, children, nil, node)
    }
}

/// A field for a text of several lines.
public struct TextEditor: View {
    let text: Binding<String>

    public init(text: Binding<String>) {
        self.text = text
    }
}

extension TextEditor: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { [] }
    func render(_ children: [Output], in node: ViewNode) -> Output { field(.textEditor, text, [], nil, node) }
}

/// The longest text that a field accepts in one event.
private let textLimit = 10_000

@MainActor
func field(
    _ kind: NodeKind, _ text: Binding<String>, _ children: [Output], _ prompt: Text?, _ node: ViewNode,
    lines: [String: NodeValue] = [:], onSubmit: @escaping @MainActor () -> Void = {},
) -> Output {
    let environment = node.environment
    let current = text.wrappedValue
    let placeholder = prompt?.text(in: environment) ?? children.flatMap(\.nodes).flatMap(\.texts).joined(separator: " ")
    var properties: [String: NodeValue] = [
        "text": .string(kind == .secureField ? String(repeating: "•", count: current.count) : current),
        "placeholder": .string(placeholder), "label": .string(placeholder),
        "fontSize": .number((environment.font ?? .body).points(at: environment.dynamicTypeSize)),
        "style": .string(environment.hasRoundedFields ? "roundedBorder" : "plain"),
        "color": .string(foreground(in: environment)),
    ]
    if environment.inputAlignment != .leading {
        properties["alignment"] = .string(String(describing: environment.inputAlignment))
    }
    if let label = environment.submitLabelName { properties["submitLabel"] = .string(label) }
    if environment.disablesAutocorrection { properties["autocorrect"] = false }
    if let keyboard = environment.keyboard { properties["keyboard"] = .string(keyboard) }
    if let capitalization = environment.capitalization { properties["capitalize"] = .string(capitalization) }
    node.handle(.change) { value in
        guard let new = value?.string, new.count <= textLimit else { return false }
        text.wrappedValue = new
        return true
    }
    // The return key of an editor begins a line.
    if kind == .textEditor { return control(kind, properties.merging(lines) { $1 }, [.change], [], node) }
    let submit = environment.submitActions
    node.handle(.submit) {
        onSubmit()
        for action in submit.actions { action() }
    }
    return control(kind, properties, [.change, .submit], [], node)
}

extension Output {
    /// Returns the output of one view with another action.
    fileprivate func offering(_ action: ViewAction) -> Output {
        var output = self
        for index in elements.indices {
            output.elements[index].node = elements[index].node.adding([:], actions: [action])
        }
        return output
    }
}
