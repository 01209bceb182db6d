public import Foundation
import ViewTree

extension View {
    /// Puts the center of the view at a point of the space that it is offered, and takes all of that space.
    public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View {
        modifier(PlaceModifier(kind: .position, x: x, y: y))
    }

    public func position(_ position: CGPoint) -> some View { self.position(x: position.x, y: position.y) }
}
