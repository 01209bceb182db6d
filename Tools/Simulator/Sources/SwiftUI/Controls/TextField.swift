import ViewTree

/// A text field.
public struct TextField<Label: View>: View {
    let text: Binding<String>
    let label: Label
    let prompt: Text?
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
}

extension TextField: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), label)] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        field(.textField, text, children, prompt, node)
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

/// The longest text that a field accepts in one event.
private let textLimit = 10_000

@MainActor
private func field(
    _ kind: NodeKind, _ text: Binding<String>, _ children: [Output], _ prompt: Text?, _ node: ViewNode,
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
    if let capitalization = environment.capitalization { properties["capitalize"] = .string(capitalization) }
    node.handle(.change) { value in
        guard let new = value?.string, new.count <= textLimit else { return false }
        text.wrappedValue = new
        return true
    }
    let submit = environment.submitActions
    node.handle(.submit) { for action in submit.actions { action() } }
    return control(kind, properties, [.change, .submit], [], node)
}

/// The label of the return key.
public struct SubmitLabel: Hashable, Sendable {
    let name: String

    public static let done = SubmitLabel(name: "done")
    public static let go = SubmitLabel(name: "go")
    public static let next = SubmitLabel(name: "next")
    public static let `return` = SubmitLabel(name: "return")
    public static let search = SubmitLabel(name: "search")
    public static let send = SubmitLabel(name: "send")
}

/// Which letters are capitalized automatically.
public struct TextInputAutocapitalization: Hashable, Sendable {
    let name: String

    public static var never: TextInputAutocapitalization { .init(name: "none") }
    public static var words: TextInputAutocapitalization { .init(name: "words") }
    public static var sentences: TextInputAutocapitalization { .init(name: "sentences") }
    public static var characters: TextInputAutocapitalization { .init(name: "characters") }
}

/// The style of a field.
public protocol TextFieldStyle {
    var _isRounded: Bool { get }
}

public struct RoundedBorderTextFieldStyle: TextFieldStyle {
    public init() {}
    public var _isRounded: Bool { true }
}

public struct PlainTextFieldStyle: TextFieldStyle {
    public init() {}
    public var _isRounded: Bool { false }
}

extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
    public static var roundedBorder: RoundedBorderTextFieldStyle { RoundedBorderTextFieldStyle() }
}

extension TextFieldStyle where Self == PlainTextFieldStyle {
    public static var plain: PlainTextFieldStyle { PlainTextFieldStyle() }
}

/// The actions of the return key, the innermost first.
struct SubmitActions {
    var actions: [@MainActor () -> Void] = []
}

extension EnvironmentValues {
    private enum RoundedKey: EnvironmentKey {
        static let defaultValue = false
    }

    private enum SubmitLabelKey: EnvironmentKey {
        static let defaultValue: String? = nil
    }

    private enum SubmitKey: EnvironmentKey {
        static let defaultValue = SubmitActionsBox()
    }

    private struct SubmitActionsBox: Sendable {
        // The actions run only on the main actor.
        nonisolated(unsafe) var value = SubmitActions()  // set while views are evaluated, which is on the main actor
    }

    private enum AutocorrectionKey: EnvironmentKey {
        static let defaultValue = false
    }

    private enum CapitalizationKey: EnvironmentKey {
        static let defaultValue: String? = nil
    }

    fileprivate var hasRoundedFields: Bool {
        get { self[RoundedKey.self] }
        set { self[RoundedKey.self] = newValue }
    }

    fileprivate var submitLabelName: String? {
        get { self[SubmitLabelKey.self] }
        set { self[SubmitLabelKey.self] = newValue }
    }

    fileprivate var submitActions: SubmitActions {
        get { self[SubmitKey.self].value }
        set { self[SubmitKey.self] = SubmitActionsBox(value: newValue) }
    }

    fileprivate var disablesAutocorrection: Bool {
        get { self[AutocorrectionKey.self] }
        set { self[AutocorrectionKey.self] = newValue }
    }

    fileprivate var capitalization: String? {
        get { self[CapitalizationKey.self] }
        set { self[CapitalizationKey.self] = newValue }
    }

    fileprivate var inputAlignment: TextAlignment { multilineTextAlignment }
}

extension View {
    public func textFieldStyle<S: TextFieldStyle>(_ style: S) -> some View {
        environment(\.hasRoundedFields, style._isRounded)
    }

    public func submitLabel(_ submitLabel: SubmitLabel) -> some View {
        environment(\.submitLabelName, submitLabel.name)
    }

    public func onSubmit(_ action: @escaping @MainActor () -> Void) -> some View {
        modifier(EnvironmentModifier { $0.submitActions.actions.append(action) })
    }

    public func autocorrectionDisabled(_ disable: Bool = true) -> some View {
        environment(\.disablesAutocorrection, disable)
    }

    public func textInputAutocapitalization(_ autocapitalization: TextInputAutocapitalization?) -> some View {
        environment(\.capitalization, autocapitalization?.name)
    }
}
