import ScreenTree

private struct TapModifier: PrimitiveModifier {
    typealias Body = Never
    let action: () -> Void

    func render(_ children: [Output], in node: ViewNode) -> Output {
        guard node.environment.isEnabled else { return Output(merging: children) }
        node.handle(.tap) { action() }
        return node.wrap(children, kind: "tapArea", properties: [:], actions: [.tap])
    }
}

extension View {
    public func onTapGesture(perform action: @escaping () -> Void) -> some View {
        modifier(TapModifier(action: action))
    }
}
