/// The style of a button.
@MainActor
@preconcurrency
public protocol PrimitiveButtonStyle {
    var _kind: _ButtonStyleKind { get }
}

/// The button styles that the stand-in supports.
public enum _ButtonStyleKind: Hashable, Sendable {
    case automatic
    case plain
    case borderless
    case bordered
    case borderedProminent
    case glass
    case glassProminent
}

public struct DefaultButtonStyle: PrimitiveButtonStyle {
    public init() {}
    public var _kind: _ButtonStyleKind { .automatic }
}

public struct PlainButtonStyle: PrimitiveButtonStyle {
    public init() {}
    public var _kind: _ButtonStyleKind { .plain }
}

public struct BorderlessButtonStyle: PrimitiveButtonStyle {
    public init() {}
    public var _kind: _ButtonStyleKind { .borderless }
}

public struct BorderedButtonStyle: PrimitiveButtonStyle {
    public init() {}
    public var _kind: _ButtonStyleKind { .bordered }
}

public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {
    public init() {}
    public var _kind: _ButtonStyleKind { .borderedProminent }
}

/// A button of translucent glass.
///
/// Partly: The role of a button does not change its color.
@available(iOS 26, macOS 26, *)
public struct GlassButtonStyle: PrimitiveButtonStyle {
    public init() {}
    public var _kind: _ButtonStyleKind { .glass }
}

/// A button of glass in the tint.
@available(iOS 26, macOS 26, *)
public struct GlassProminentButtonStyle: PrimitiveButtonStyle {
    public init() {}
    public var _kind: _ButtonStyleKind { .glassProminent }
}

@available(iOS 26, macOS 26, *)
extension PrimitiveButtonStyle where Self == GlassButtonStyle {
    public static var glass: GlassButtonStyle { GlassButtonStyle() }
}

@available(iOS 26, macOS 26, *)
extension PrimitiveButtonStyle where Self == GlassProminentButtonStyle {
    public static var glassProminent: GlassProminentButtonStyle { GlassProminentButtonStyle() }
}

extension PrimitiveButtonStyle where Self == DefaultButtonStyle {
    public static var automatic: DefaultButtonStyle { DefaultButtonStyle() }
}

extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}

/// The size of a control.
public enum ControlSize: Hashable, CaseIterable, Sendable {
    case mini
    case small
    case regular
    case large
    case extraLarge

    /// The largest size is the large one on a phone.
    var name: String { self == .extraLarge ? Self.large.name : String(describing: self) }
}

extension _ButtonStyleKind {
    var name: String { String(describing: self) }
    var isBordered: Bool { [.bordered, .borderedProminent, .glass, .glassProminent].contains(self) }

    func labelColor(_ role: ButtonRole?, in values: EnvironmentValues) -> Color {
        if !values.isEnabled { return .tertiary }
        switch self {
        case .plain, .glass: return values.foreground?.primary ?? .primary
        case .borderedProminent, .glassProminent: return .white
        case .automatic, .borderless, .bordered:
            if role == .destructive { return .red }
            return values.foreground?.primary ?? values.tint ?? .accentColor
        }
    }
}

extension EnvironmentValues {
    private enum ButtonStyleKey: EnvironmentKey {
        static let defaultValue = _ButtonStyleKind.automatic
    }

    private enum ControlSizeKey: EnvironmentKey {
        static let defaultValue = ControlSize.regular
    }

    private enum SwitchTintKey: EnvironmentKey {
        static let defaultValue: Color? = nil
    }

    private enum LeaveKey: EnvironmentKey {
        static let defaultValue: LeavePresentation? = nil
    }

    public var controlSize: ControlSize {
        get { self[ControlSizeKey.self] }
        set { self[ControlSizeKey.self] = newValue }
    }

    /// The color of switches here, which their style sets.
    var switchTint: Color? {
        get { self[SwitchTintKey.self] }
        set { self[SwitchTintKey.self] = newValue }
    }

    var buttonStyle: _ButtonStyleKind {
        get { self[ButtonStyleKey.self] }
        set { self[ButtonStyleKey.self] = newValue }
    }

    /// The action that dismisses the alert or dialog around a button.
    var leavePresentation: LeavePresentation? {
        get { self[LeaveKey.self] }
        set { self[LeaveKey.self] = newValue }
    }
}

/// Dismisses an alert or a dialog.
struct LeavePresentation: Equatable {
    let node: Int
    let perform: @MainActor () -> Void

    static func == (left: LeavePresentation, right: LeavePresentation) -> Bool { left.node == right.node }
}

extension View {
    public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View {
        modifier(
            EnvironmentModifier {
                $0.buttonStyle = style._kind
                $0.customButtonStyle = nil
            })
    }

    public func controlSize(_ controlSize: ControlSize) -> some View {
        environment(\.controlSize, controlSize)
    }

    /// Disables controls if `disabled` is true. A view inside a disabled view stays disabled.
    public func disabled(_ disabled: Bool) -> some View {
        modifier(EnvironmentModifier { if disabled { $0.isEnabled = false } })
    }
}
