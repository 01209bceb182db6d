public import Foundation
import ViewTree

private struct PositionModifier: PrimitiveModifier, Animatable {
    typealias Body = Never
    var x: CGFloat
    var y: CGFloat

    nonisolated var animatableData: AnimatablePair<CGFloat, CGFloat> {
        get { AnimatablePair(x, y) }
        set { (x, y) = (newValue.first, newValue.second) }
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        node.wrap(children, kind: .position, properties: ["x": .number(Double(x)), "y": .number(Double(y))])
    }
}

extension View {
    /// Puts the center of the view at a point of the space that it is offered, and takes all of that space.
    public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View { modifier(PositionModifier(x: x, y: y)) }

    public func position(_ position: CGPoint) -> some View { self.position(x: position.x, y: position.y) }
}
