import ViewTree

/// Takes the actions of the user from the views inside. A touch reaches what is behind them.
private struct HitTestingModifier: PrimitiveModifier {
    typealias Body = Never
    let isEnabled: Bool

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        guard !isEnabled else { return output }
        for index in output.elements.indices {
            output.elements[index].node = output.elements[index].node.untouchable.adding(["untouchable": true])
        }
        return output
    }
}

extension RenderedNode {
    /// The actions that report what the page shows, rather than what the user does.
    private static let reports: Set<ViewAction> = [.appear, .measure]

    fileprivate var untouchable: RenderedNode {
        RenderedNode(
            id: id, kind: kind, properties: properties, actions: actions.filter(Self.reports.contains),
            children: children.map(\.untouchable))
    }
}

extension View {
    /// Lets touches pass through the view if `enabled` is false.
    public func allowsHitTesting(_ enabled: Bool) -> some View { modifier(HitTestingModifier(isEnabled: enabled)) }
}
