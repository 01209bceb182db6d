import ViewTree

/// A title with an icon.
public struct Label<Title: View, Icon: View>: View {
    let title: Title
    let icon: Icon

    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        self.title = title()
        self.icon = icon()
    }
}

extension Label where Title == Text, Icon == Image {
    public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
        self.init(title: { Text(titleKey) }, icon: { Image(systemName: name) })
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage name: String) {
        self.init(title: { Text(title) }, icon: { Image(systemName: name) })
    }

    public init(_ titleKey: LocalizedStringKey, image name: String) {
        self.init(title: { Text(titleKey) }, icon: { Image(name) })
    }
}

extension Label: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), icon), Slot(.position(1), title)] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let style = node.environment.labelStyle
        let icon = children[0].nodes
        let title = children[1].nodes
        return Output(
            RenderedNode(
                id: node.id, kind: .label,
                properties: style == .automatic
                    ? [:]
                    : ["label": .string(title.flatMap(\.texts).joined(separator: " "))],
                children: (style == .titleOnly ? [] : icon) + (style == .iconOnly ? [] : title),
            )
        )
    }
}

/// The parts of a label that are shown.
@MainActor
@preconcurrency
public protocol LabelStyle {
    var _kind: _LabelStyleKind { get }
}

public enum _LabelStyleKind: Hashable, Sendable {
    case automatic
    case iconOnly
    case titleOnly
}

public struct IconOnlyLabelStyle: LabelStyle {
    public init() {}
    public var _kind: _LabelStyleKind { .iconOnly }
}

public struct TitleOnlyLabelStyle: LabelStyle {
    public init() {}
    public var _kind: _LabelStyleKind { .titleOnly }
}

public struct TitleAndIconLabelStyle: LabelStyle {
    public init() {}
    public var _kind: _LabelStyleKind { .automatic }
}

extension LabelStyle where Self == IconOnlyLabelStyle {
    public static var iconOnly: IconOnlyLabelStyle { IconOnlyLabelStyle() }
}

extension LabelStyle where Self == TitleOnlyLabelStyle {
    public static var titleOnly: TitleOnlyLabelStyle { TitleOnlyLabelStyle() }
}

extension LabelStyle where Self == TitleAndIconLabelStyle {
    public static var titleAndIcon: TitleAndIconLabelStyle { TitleAndIconLabelStyle() }
}

extension EnvironmentValues {
    private enum LabelStyleKey: EnvironmentKey {
        static let defaultValue = _LabelStyleKind.automatic
    }

    var labelStyle: _LabelStyleKind {
        get { self[LabelStyleKey.self] }
        set { self[LabelStyleKey.self] = newValue }
    }
}

extension View {
    public func labelStyle<S: LabelStyle>(_ style: S) -> some View { environment(\.labelStyle, style._kind) }
}
