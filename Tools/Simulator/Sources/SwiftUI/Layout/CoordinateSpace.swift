import ViewTree

/// The space in which a frame is given.
public enum CoordinateSpace: Hashable {
    /// The screen.
    case global
    /// The view itself.
    case local
    /// The view around this one with this name.
    case named(AnyHashable)

    public var isGlobal: Bool { self == .global }
    public var isLocal: Bool { self == .local }
}

private enum CoordinateSpacesKey: EnvironmentKey {
    static var defaultValue: [AnyHashable: Int] { [:] }
}

extension EnvironmentValues {
    /// The nodes of the named coordinate spaces around a view.
    var coordinateSpaces: [AnyHashable: Int] {
        get { self[CoordinateSpacesKey.self] }
        set { self[CoordinateSpacesKey.self] = newValue }
    }
}

private struct CoordinateSpaceModifier: PrimitiveModifier {
    typealias Body = Never
    let name: AnyHashable

    func slots(content: any View, in node: ViewNode) -> [Slot] {
        let id = node.id
        return [Slot(.position(0), content) { $0.coordinateSpaces[name] = id }]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let output = Output(merging: children)
        return Output(
            RenderedNode(id: node.id, kind: .coordinateSpace, children: output.nodes), preferences: output.preferences,
        )
    }
}

extension View {
    /// Names the view's coordinate space, so that `GeometryProxy.frame(in:)` can refer to it.
    public func coordinateSpace<T: Hashable>(name: T) -> some View {
        modifier(CoordinateSpaceModifier(name: AnyHashable(name)))
    }
}
