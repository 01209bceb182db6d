public import Foundation
import ViewTree

extension View {
    /// Turns the view in space around an axis through the anchor. The layout stays that of the view before.
    public func rotation3DEffect(
        _ angle: Angle, axis: (x: CGFloat, y: CGFloat, z: CGFloat), anchor: UnitPoint = .center, anchorZ: CGFloat = 0,
        perspective: CGFloat = 1,
    ) -> some View {
        modifier(
            RotationModifier(
                degrees: angle.degrees, anchor: anchor,
                space: [
                    "axis": .list([axis.x, axis.y, axis.z].map { .number(Double($0)) }),
                    "anchorZ": .number(Double(anchorZ)), "perspective": .number(Double(perspective)),
                ]))
    }
}
