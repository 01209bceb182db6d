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
        if let fraction { properties["fraction"] = .number(min(max(fraction, 0), 1)) }
        return Output(
            RenderedNode(
                id: node.id, kind: .progress, properties: properties, children: Output(merging: children).nodes, ))
    }
}
