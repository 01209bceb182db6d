import ViewTree

/// The parts of a view's frame that are matched.
public struct MatchedGeometryProperties: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    public static let position = MatchedGeometryProperties(rawValue: 1)
    public static let size = MatchedGeometryProperties(rawValue: 2)
    public static let frame: MatchedGeometryProperties = [.position, .size]
}

private struct MatchedModifier: PrimitiveModifier {
    typealias Body = Never
    let id: AnyHashable
    let namespace: Namespace.ID
    let properties: MatchedGeometryProperties

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        guard let names = namespace.names else { return output }
        let matched: NodeValue = [
            .string(names.name(of: id)), .bool(properties.contains(.position)), .bool(properties.contains(.size)),
        ]
        for index in output.elements.indices {
            output.elements[index].node = output.elements[index].node.adding(["matched": matched])
        }
        return output
    }
}

extension View {
    /// Lets the view come, in an animated change, from the frame of the view with the same id that goes.
    ///
    /// Partly: Scaled between the frames, whatever the anchor. A view that stays does not follow another one.
    public func matchedGeometryEffect<ID: Hashable>(
        id: ID, in namespace: Namespace.ID, properties: MatchedGeometryProperties = .frame,
        anchor: UnitPoint = .center,
    ) -> some View {
        modifier(MatchedModifier(id: AnyHashable(id), namespace: namespace, properties: properties))
    }

    @available(*, unavailable, message: "SwiftUI on Linux lacks matchedGeometryEffect with isSource. Leave it out.")
    public func matchedGeometryEffect<ID: Hashable>(
        id: ID, in namespace: Namespace.ID, properties: MatchedGeometryProperties = .frame,
        anchor: UnitPoint = .center, isSource: Bool,
    ) -> some View { self }
}
