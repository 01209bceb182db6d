public import Foundation
import ViewTree

/// Turns a view in space, as seen from before it.
private struct Rotation3DModifier: PrimitiveModifier, Animatable {
    typealias Body = Never
    var degrees: Double
    let axis: [Double]
    let anchor: UnitPoint
    let anchorZ: Double
    let perspective: Double

    nonisolated var animatableData: Double {
        get { degrees }
        set { degrees = newValue }
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        node.wrap(
            children, kind: .rotation,
            properties: [
                "degrees": .number(degrees), "anchor": .string(anchor.plain), "axis": .list(axis.map { .number($0) }),
                "anchorZ": .number(anchorZ), "perspective": .number(perspective),
            ])
    }
}

extension View {
    /// Turns the view in space around an axis through the anchor. The layout stays that of the view before.
    public func rotation3DEffect(
        _ angle: Angle, axis: (x: CGFloat, y: CGFloat, z: CGFloat), anchor: UnitPoint = .center, anchorZ: CGFloat = 0,
        perspective: CGFloat = 1,
    ) -> some View {
        modifier(
            Rotation3DModifier(
                degrees: angle.degrees, axis: [axis.x, axis.y, axis.z].map { Double($0) }, anchor: anchor,
                anchorZ: Double(anchorZ), perspective: Double(perspective)))
    }
}
