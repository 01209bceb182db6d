import ViewTree

/// A spinner, or a progress bar.
public struct ProgressView<Label: View>: View {
    let fraction: Double?
    let label: Label?
}

extension ProgressView where Label == EmptyView {
    public init() {
        self.init(fraction: nil, label: nil)
    }

    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1) {
        self.init(fraction: value.map { Double($0 / total) }, label: nil)
    }
}

extension ProgressView where Label == Text {
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
}

extension ProgressView {
    public init(@ViewBuilder label: () -> Label) {
        self.init(fraction: nil, label: label())
    }
}

extension ProgressView: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] {
        label.map { label in
            [
                Slot(.position(0), label) {
                    if fraction == nil { $0.foreground = ForegroundLevels(primary: .secondary) }
                }
            ]
        } ?? []
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var properties: [String: NodeValue] = [
            "tint": .string(resolved(.accentColor, in: node.environment)),
            "size": .string(node.environment.controlSize.name),
        ]
        let style = node.environment.progressStyle
        let fraction = style == .circular ? nil : fraction ?? (style == .linear ? 0 : nil)
        if let fraction { properties["fraction"] = .number(min(max(fraction, 0), 1)) }
        return Output(
            RenderedNode(
                id: node.id, kind: .progress, properties: properties, children: Output(merging: children).nodes, ))
    }
}

/// The style of a progress view.
@MainActor
@preconcurrency
public protocol ProgressViewStyle {
    var _kind: _ProgressStyleKind { get }
}

public enum _ProgressStyleKind: Hashable, Sendable {
    case automatic
    case circular
    case linear
}

public struct DefaultProgressViewStyle: ProgressViewStyle {
    nonisolated public init() {}
    public var _kind: _ProgressStyleKind { .automatic }
}

/// A spinner, also for a known fraction.
public struct CircularProgressViewStyle: ProgressViewStyle {
    nonisolated public init() {}
    public var _kind: _ProgressStyleKind { .circular }
}

/// A bar. It is empty without a known fraction.
public struct LinearProgressViewStyle: ProgressViewStyle {
    nonisolated public init() {}
    public var _kind: _ProgressStyleKind { .linear }
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
        static let defaultValue = _ProgressStyleKind.automatic
    }

    fileprivate var progressStyle: _ProgressStyleKind {
        get { self[ProgressStyleKey.self] }
        set { self[ProgressStyleKey.self] = newValue }
    }
}

extension View {
    public func progressViewStyle<S: ProgressViewStyle>(_ style: S) -> some View {
        environment(\.progressStyle, style._kind)
    }
}
