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

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, image name: String) {
        self.init(title: { Text(title) }, icon: { Image(name) })
    }

    public init(_ titleKey: LocalizedStringKey, image name: String) {
        self.init(title: { Text(titleKey) }, icon: { Image(name) })
    }
}

extension Label: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] {
        guard let style = node.environment.customLabelStyle else {
            return [Slot(.position(0), icon), Slot(.position(1), title)]
        }
        let configuration = LabelStyleConfiguration(
            title: LabelStyleConfiguration.Title(content: title), icon: LabelStyleConfiguration.Icon(content: icon))
        return [Slot(.branch(true), style.body(configuration)) { $0.customLabelStyle = nil }]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        if node.environment.customLabelStyle != nil { return Output(merging: children) }
        let style = node.environment.shownLabelStyle
        let icon = children[0].nodes
        let title = children[1].nodes
        return Output(
            RenderedNode(
                id: node.id, kind: .label,
                properties: style == .titleAndIcon
                    ? [:]
                    : ["label": .string(title.flatMap(\.texts).joined(separator: " "))],
                children: (style == .titleOnly ? [] : icon) + (style == .iconOnly ? [] : title),
            )
        )
    }
}

/// The appearance of labels.
@MainActor
@preconcurrency
public protocol LabelStyle: _ControlStyle {
    associatedtype Body: View
    typealias Configuration = LabelStyleConfiguration

    @ViewBuilder
    @MainActor
    @preconcurrency
    func makeBody(configuration: Configuration) -> Body
}

/// The parts of a label.
public struct LabelStyleConfiguration {
    public struct Title: View {
        let content: any View
    }

    public struct Icon: View {
        let content: any View
    }

    public let title: Title
    public let icon: Icon
}

extension LabelStyleConfiguration.Title: PrimitiveView {
    public typealias Body = Never
    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), content)] }
}

extension LabelStyleConfiguration.Icon: PrimitiveView {
    public typealias Body = Never
    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), content)] }
}

extension Label where Title == LabelStyleConfiguration.Title, Icon == LabelStyleConfiguration.Icon {
    /// Creates a label in the style around the current one.
    public init(_ configuration: LabelStyleConfiguration) {
        self.init(title: { configuration.title }, icon: { configuration.icon })
    }
}

enum LabelStyleKind: Hashable, Sendable {
    case automatic
    case iconOnly
    case titleOnly
    case titleAndIcon
}

/// A style that the page draws.
protocol SystemLabelStyle {
    var kind: LabelStyleKind { get }
}

/// The style that depends on the place: a bar shows the icon alone.
public struct DefaultLabelStyle: LabelStyle, SystemLabelStyle {
    nonisolated public init() {}
    public func makeBody(configuration: Configuration) -> some View { Label(configuration) }
    nonisolated var kind: LabelStyleKind { .automatic }
}

public struct IconOnlyLabelStyle: LabelStyle, SystemLabelStyle {
    nonisolated public init() {}
    public func makeBody(configuration: Configuration) -> some View { configuration.icon }
    nonisolated var kind: LabelStyleKind { .iconOnly }
}

public struct TitleOnlyLabelStyle: LabelStyle, SystemLabelStyle {
    nonisolated public init() {}
    public func makeBody(configuration: Configuration) -> some View { configuration.title }
    nonisolated var kind: LabelStyleKind { .titleOnly }
}

public struct TitleAndIconLabelStyle: LabelStyle, SystemLabelStyle {
    nonisolated public init() {}
    public func makeBody(configuration: Configuration) -> some View { Label(configuration) }
    nonisolated var kind: LabelStyleKind { .titleAndIcon }
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

extension LabelStyle where Self == DefaultLabelStyle {
    public static var automatic: DefaultLabelStyle { DefaultLabelStyle() }
}

extension EnvironmentValues {
    private enum LabelStyleKey: EnvironmentKey {
        static let defaultValue = LabelStyleKind.automatic
    }

    private enum IsInBarKey: EnvironmentKey {
        static let defaultValue = false
    }

    var labelStyle: LabelStyleKind {
        get { self[LabelStyleKey.self] }
        set { self[LabelStyleKey.self] = newValue }
    }

    /// True for the items of a page's bars.
    var isInBar: Bool {
        get { self[IsInBarKey.self] }
        set { self[IsInBarKey.self] = newValue }
    }

    fileprivate var shownLabelStyle: LabelStyleKind {
        labelStyle == .automatic ? (isInBar ? .iconOnly : .titleAndIcon) : labelStyle
    }
}

extension View {
    public func labelStyle<S: LabelStyle>(_ style: S) -> some View {
        let system = (style as? any SystemLabelStyle)?.kind
        let custom: CustomStyle<LabelStyleConfiguration>? =
            system != nil ? nil : CustomStyle(style) { $0.makeBody(configuration: $1) }
        return modifier(
            EnvironmentModifier {
                $0.customLabelStyle = custom
                if let system { $0.labelStyle = system }
            })
    }
}
