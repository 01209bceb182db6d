import ViewTree

/// A style of the app for a kind of control. Its properties such as `@Environment` work like those of a view.
@MainActor
@preconcurrency
public protocol _ControlStyle {}

/// A custom appearance of buttons.
@MainActor
@preconcurrency
public protocol ButtonStyle: _ControlStyle {
    associatedtype Body: View
    typealias Configuration = ButtonStyleConfiguration

    @ViewBuilder
    @MainActor
    @preconcurrency
    func makeBody(configuration: Configuration) -> Body
}

/// The parts of a button.
public struct ButtonStyleConfiguration {
    /// The label of a button.
    public struct Label: View {
        let content: any View
    }

    public let role: ButtonRole?
    public let label: Label
    /// True if the user holds the button.
    public let isPressed: Bool
}

extension ButtonStyleConfiguration.Label: PrimitiveView {
    public typealias Body = Never
    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), content)] }
}

/// A custom appearance of toggles.
@MainActor
@preconcurrency
public protocol ToggleStyle: _ControlStyle {
    associatedtype Body: View
    typealias Configuration = ToggleStyleConfiguration

    @ViewBuilder
    @MainActor
    @preconcurrency
    func makeBody(configuration: Configuration) -> Body
}

/// The parts of a toggle.
public struct ToggleStyleConfiguration {
    /// The label of a toggle.
    public struct Label: View {
        let content: any View
    }

    public let label: Label
    @Binding public var isOn: Bool
}

extension ToggleStyleConfiguration.Label: PrimitiveView {
    public typealias Body = Never
    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), content)] }
}

/// The system's toggle.
public struct SwitchToggleStyle: ToggleStyle {
    let tint: Color?

    nonisolated public init() {
        tint = nil
    }

    /// A switch with a color, in the form before iOS 15.
    nonisolated public init(tint: Color) {
        self.tint = tint
    }

    public func makeBody(configuration: Configuration) -> some View {
        Toggle(isOn: configuration.$isOn) { configuration.label }
    }
}

/// A button that is highlighted while the toggle is on.
public struct ButtonToggleStyle: ToggleStyle {
    nonisolated public init() {}
    public func makeBody(configuration: Configuration) -> some View {
        Button(action: { configuration.isOn.toggle() }, label: { configuration.label })
            .modifier(OnStyle(isOn: configuration.isOn))
    }
}

private struct OnStyle: PrimitiveModifier {
    typealias Body = Never
    let isOn: Bool

    func changeEnvironment(_ values: inout EnvironmentValues) {
        if isOn, !values.buttonStyle.isBordered { values.buttonStyle = .bordered }
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        guard isOn else { return output }
        for index in output.elements.indices {
            output.elements[index].node = output.elements[index].node.adding(["traits": ["selected"]])
        }
        return output
    }
}

extension ToggleStyle where Self == SwitchToggleStyle {
    public static var `switch`: SwitchToggleStyle { SwitchToggleStyle() }
    public static var automatic: SwitchToggleStyle { SwitchToggleStyle() }
}

extension ToggleStyle where Self == ButtonToggleStyle {
    public static var button: ButtonToggleStyle { ButtonToggleStyle() }
}

/// The body of a control in the app's style.
struct StyledControl<Style: _ControlStyle>: View {
    let style: Style
    let make: @MainActor (Style) -> any View

    var body: some View { AnyView(erasing: make(style)) }
}

extension AnyView {
    init(erasing view: any View) {
        content = view
    }
}

/// A style of the app in the environment. Two are equal if their type and values are.
struct CustomStyle<Configuration> {
    let style: any _ControlStyle
    let body: @MainActor (Configuration) -> any View

    @MainActor
    init<Style: _ControlStyle>(
        _ style: Style, _ make: @escaping @MainActor (Style, Configuration) -> any View,
    ) {
        self.style = style
        body = { configuration in StyledControl(style: style) { make($0, configuration) } }
    }
}

extension EnvironmentValues {
    private enum ButtonKey: EnvironmentKey {
        static var defaultValue: CustomStyle<ButtonStyleConfiguration>? { nil }
    }

    private enum ToggleKey: EnvironmentKey {
        static var defaultValue: CustomStyle<ToggleStyleConfiguration>? { nil }
    }

    private enum LabelKey: EnvironmentKey {
        static var defaultValue: CustomStyle<LabelStyleConfiguration>? { nil }
    }

    var customButtonStyle: CustomStyle<ButtonStyleConfiguration>? {
        get { self[ButtonKey.self] }
        set { self[ButtonKey.self] = newValue }
    }

    var customToggleStyle: CustomStyle<ToggleStyleConfiguration>? {
        get { self[ToggleKey.self] }
        set { self[ToggleKey.self] = newValue }
    }

    var customLabelStyle: CustomStyle<LabelStyleConfiguration>? {
        get { self[LabelKey.self] }
        set { self[LabelKey.self] = newValue }
    }
}

extension View {
    /// Sets a style of the app for the buttons here.
    public func buttonStyle<S: ButtonStyle>(_ style: S) -> some View {
        let custom = CustomStyle<ButtonStyleConfiguration>(style) { $0.makeBody(configuration: $1) }
        return modifier(
            EnvironmentModifier {
                $0.customButtonStyle = custom
                $0.buttonStyle = .plain
            })
    }

    public func toggleStyle<S: ToggleStyle>(_ style: S) -> some View {
        let standard = style as? SwitchToggleStyle
        let custom: CustomStyle<ToggleStyleConfiguration>? =
            standard != nil ? nil : CustomStyle(style) { $0.makeBody(configuration: $1) }
        return modifier(
            EnvironmentModifier {
                $0.customToggleStyle = custom
                if let tint = standard?.tint { $0.switchTint = tint }
            })
    }
}
