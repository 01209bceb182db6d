import ViewTree

/// A spinner, or a progress bar.
public struct ProgressView<Label: View, CurrentValueLabel: View>: View {
    let fraction: Double?
    let label: Label?
    var currentValueLabel: CurrentValueLabel?
}

extension ProgressView where Label == EmptyView, CurrentValueLabel == EmptyView {
    public init() {
        self.init(fraction: nil, label: nil)
    }

    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1) {
        self.init(fraction: value.map { Double($0 / total) }, label: nil)
    }
}

extension ProgressView where Label == Text, CurrentValueLabel == EmptyView {
    public init(_ titleKey: LocalizedStringKey) {
        self.init(fraction: nil, label: Text(titleKey))
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S) {
        self.init(fraction: nil, label: Text(title))
    }

    public init<V: BinaryFloatingPoint>(_ titleKey: LocalizedStringKey, value: V?, total: V = 1) {
        self.init(fraction: value.map { Double($0 / total) }, label: Text(titleKey))
    }

    @_disfavoredOverload
    public init<S: StringProtocol, V: BinaryFloatingPoint>(_ title: S, value: V?, total: V = 1) {
        self.init(fraction: value.map { Double($0 / total) }, label: Text(title))
    }
}

extension ProgressView where CurrentValueLabel == EmptyView {
    public init(@ViewBuilder label: () -> Label) {
        self.init(fraction: nil, label: label())
    }

    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1, @ViewBuilder label: () -> Label) {
        self.init(fraction: value.map { Double($0 / total) }, label: label())
    }
}

extension ProgressView {
    /// - Parameter currentValueLabel: The value in words, under the bar.
    public init<V: BinaryFloatingPoint>(
        value: V?, total: V = 1, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel,
    ) {
        self.init(
            fraction: value.map { Double($0 / total) }, label: label(), currentValueLabel: currentValueLabel())
    }
}

extension ProgressView: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] {
        if let style = node.environment.customProgressStyle {
            let configuration = ProgressViewStyleConfiguration(
                fractionCompleted: fraction.map { min(max($0, 0), 1) },
                label: label.map { ProgressViewStyleConfiguration.Label(content: $0) },
                currentValueLabel: currentValueLabel.map {
                    ProgressViewStyleConfiguration.CurrentValueLabel(content: $0)
                })
            return [Slot(.branch(true), style.body(configuration)) { $0.customProgressStyle = nil }]
        }
        var slots: [Slot] = []
        if let label {
            slots.append(
                Slot(.position(0), label) {
                    if fraction == nil { $0.foreground = ForegroundLevels(primary: .secondary) }
                })
        }
        if let currentValueLabel {
            slots.append(
                Slot(.position(1), currentValueLabel) {
                    $0.foreground = ForegroundLevels(primary: .secondary)
                    $0.font = .caption
                })
        }
        return slots
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        if node.environment.customProgressStyle != nil { return Output(merging: children) }
        var properties: [String: NodeValue] = [
            "tint": .string(resolved(node.environment.progressTint ?? .accentColor, in: node.environment)),
            "size": .string(node.environment.controlSize.name),
        ]
        let style = node.environment.progressStyle
        let fraction = style == .circular ? nil : fraction ?? (style == .linear ? 0 : nil)
        if let fraction { properties["fraction"] = .number(min(max(fraction, 0), 1)) }
        var parts = Output(merging: children).nodes
        if currentValueLabel != nil, let value = children.last {
            parts = Output(merging: children.dropLast()).nodes
            parts.append(RenderedNode(id: node.wrapperID(.footer), kind: .footer, children: value.nodes))
        }
        return Output(RenderedNode(id: node.id, kind: .progress, properties: properties, children: parts))
    }
}

/// The style of a progress view.
@MainActor
@preconcurrency
public protocol ProgressViewStyle: _ControlStyle {
    associatedtype Body: View
    typealias Configuration = ProgressViewStyleConfiguration

    @ViewBuilder
    @MainActor
    @preconcurrency
    func makeBody(configuration: Configuration) -> Body
}

/// The parts of a progress view.
public struct ProgressViewStyleConfiguration {
    public struct Label: View {
        let content: any View
    }

    public struct CurrentValueLabel: View {
        let content: any View
    }

    /// From 0 to 1; `nil` if the progress is not known.
    public let fractionCompleted: Double?
    public let label: Label?
    public let currentValueLabel: CurrentValueLabel?
}

extension ProgressViewStyleConfiguration.Label: PrimitiveView {
    public typealias Body = Never
    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), content)] }
}

extension ProgressViewStyleConfiguration.CurrentValueLabel: PrimitiveView {
    public typealias Body = Never
    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), content)] }
}

extension ProgressView
where
    Label == ProgressViewStyleConfiguration.Label,
    CurrentValueLabel == ProgressViewStyleConfiguration.CurrentValueLabel
{
    /// Creates a progress view in the style around the current one.
    public init(_ configuration: ProgressViewStyleConfiguration) {
        self.init(
            fraction: configuration.fractionCompleted, label: configuration.label,
            currentValueLabel: configuration.currentValueLabel)
    }
}

enum ProgressStyleKind: Hashable, Sendable {
    case automatic
    case circular
    case linear
}

/// A style that the page draws.
@MainActor
private protocol SystemProgressStyle {
    var kind: ProgressStyleKind { get }
    var tint: Color? { get }
}

public struct DefaultProgressViewStyle: ProgressViewStyle, SystemProgressStyle {
    nonisolated public init() {}
    public func makeBody(configuration: Configuration) -> some View { ProgressView(configuration) }
    fileprivate var kind: ProgressStyleKind { .automatic }
    fileprivate var tint: Color? { nil }
}

/// A spinner, also for a known fraction.
public struct CircularProgressViewStyle: ProgressViewStyle, SystemProgressStyle {
    fileprivate let tint: Color?

    nonisolated public init() {
        tint = nil
    }

    nonisolated public init(tint: Color) {
        self.tint = tint
    }

    public func makeBody(configuration: Configuration) -> some View { ProgressView(configuration) }
    fileprivate var kind: ProgressStyleKind { .circular }
}

/// A bar. It is empty without a known fraction.
public struct LinearProgressViewStyle: ProgressViewStyle, SystemProgressStyle {
    fileprivate let tint: Color?

    nonisolated public init() {
        tint = nil
    }

    nonisolated public init(tint: Color) {
        self.tint = tint
    }

    public func makeBody(configuration: Configuration) -> some View { ProgressView(configuration) }
    fileprivate var kind: ProgressStyleKind { .linear }
}

extension ProgressViewStyle where Self == DefaultProgressViewStyle {
    public static var automatic: DefaultProgressViewStyle { DefaultProgressViewStyle() }
}

extension ProgressViewStyle where Self == CircularProgressViewStyle {
    public static var circular: CircularProgressViewStyle { CircularProgressViewStyle() }
}

extension ProgressViewStyle where Self == LinearProgressViewStyle {
    public static var linear: LinearProgressViewStyle { LinearProgressViewStyle() }
}

extension EnvironmentValues {
    private enum ProgressStyleKey: EnvironmentKey {
        static let defaultValue = ProgressStyleKind.automatic
    }

    private enum ProgressTintKey: EnvironmentKey {
        static let defaultValue: Color? = nil
    }

    private enum CustomProgressKey: EnvironmentKey {
        static var defaultValue: CustomStyle<ProgressViewStyleConfiguration>? { nil }
    }

    fileprivate var progressStyle: ProgressStyleKind {
        get { self[ProgressStyleKey.self] }
        set { self[ProgressStyleKey.self] = newValue }
    }

    fileprivate var progressTint: Color? {
        get { self[ProgressTintKey.self] }
        set { self[ProgressTintKey.self] = newValue }
    }

    fileprivate var customProgressStyle: CustomStyle<ProgressViewStyleConfiguration>? {
        get { self[CustomProgressKey.self] }
        set { self[CustomProgressKey.self] = newValue }
    }
}

extension View {
    public func progressViewStyle<S: ProgressViewStyle>(_ style: S) -> some View {
        let system = style as? any SystemProgressStyle
        let custom: CustomStyle<ProgressViewStyleConfiguration>? =
            system != nil ? nil : CustomStyle(style) { $0.makeBody(configuration: $1) }
        let (kind, tint) = (system?.kind, system?.tint)
        return modifier(
            EnvironmentModifier {
                $0.customProgressStyle = custom
                guard let kind else { return }
                $0.progressStyle = kind
                $0.progressTint = tint
            })
    }
}
