public import Foundation

/// A shape that is turned, scaled or moved in its rectangle.
private struct TransformedShape<Base: Shape>: Shape {
    var shape: Base
    var degrees = 0.0
    var scale = AnimatablePair<CGFloat, CGFloat>(1, 1)
    var offset = AnimatablePair<CGFloat, CGFloat>(0, 0)
    var anchor = UnitPoint.center

    var animatableData:
        AnimatablePair<
            Base.AnimatableData,
            AnimatablePair<Double, AnimatablePair<AnimatablePair<CGFloat, CGFloat>, AnimatablePair<CGFloat, CGFloat>>>
        >
    {
        get { AnimatablePair(shape.animatableData, AnimatablePair(degrees, AnimatablePair(scale, offset))) }
        set {
            shape.animatableData = newValue.first
            degrees = newValue.second.first
            (scale, offset) = (newValue.second.second.first, newValue.second.second.second)
        }
    }

    var _outline: _ShapeOutline { .path(like: shape._outline) }

    func path(in rect: CGRect) -> Path {
        let center = CGPoint(x: rect.minX + rect.width * anchor.x, y: rect.minY + rect.height * anchor.y)
        return shape.path(in: rect).applying(
            CGAffineTransform(translationX: -center.x, y: -center.y)
                .concatenating(CGAffineTransform(scaleX: scale.first, y: scale.second))
                .concatenating(CGAffineTransform(rotationAngle: CGFloat(degrees * .pi / 180)))
                .concatenating(
                    CGAffineTransform(translationX: center.x + offset.first, y: center.y + offset.second)))
    }
}

extension Shape {
    /// Turns the outline around a point of its rectangle.
    nonisolated public func rotation(_ angle: Angle, anchor: UnitPoint = .center) -> some Shape {
        TransformedShape(shape: self, degrees: angle.degrees, anchor: anchor)
    }

    nonisolated public func scale(_ scale: CGFloat, anchor: UnitPoint = .center) -> some Shape {
        self.scale(x: scale, y: scale, anchor: anchor)
    }

    nonisolated public func scale(x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center) -> some Shape {
        TransformedShape(shape: self, scale: AnimatablePair(x, y), anchor: anchor)
    }

    nonisolated public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some Shape {
        TransformedShape(shape: self, offset: AnimatablePair(x, y))
    }

    nonisolated public func offset(_ offset: CGSize) -> some Shape {
        self.offset(x: offset.width, y: offset.height)
    }
}

/// The radii of the corners of a rectangle, in points.
public struct RectangleCornerRadii: Hashable, Sendable {
    public var topLeading: CGFloat
    public var bottomLeading: CGFloat
    public var bottomTrailing: CGFloat
    public var topTrailing: CGFloat

    public init(
        topLeading: CGFloat = 0, bottomLeading: CGFloat = 0, bottomTrailing: CGFloat = 0, topTrailing: CGFloat = 0,
    ) {
        self.topLeading = topLeading
        self.bottomLeading = bottomLeading
        self.bottomTrailing = bottomTrailing
        self.topTrailing = topTrailing
    }
}

/// A rectangle with a radius for each corner. The leading side is the left one.
public struct UnevenRoundedRectangle: InsettableShape {
    var cornerRadii: RectangleCornerRadii
    private var amount: CGFloat = 0

    nonisolated public init(cornerRadii: RectangleCornerRadii, style: RoundedCornerStyle = .continuous) {
        self.cornerRadii = cornerRadii
    }

    nonisolated public init(
        topLeadingRadius: CGFloat = 0, bottomLeadingRadius: CGFloat = 0, bottomTrailingRadius: CGFloat = 0,
        topTrailingRadius: CGFloat = 0, style: RoundedCornerStyle = .continuous,
    ) {
        cornerRadii = RectangleCornerRadii(
            topLeading: topLeadingRadius, bottomLeading: bottomLeadingRadius, bottomTrailing: bottomTrailingRadius,
            topTrailing: topTrailingRadius)
    }

    nonisolated public func path(in rect: CGRect) -> Path {
        let rect = rect.insetBy(dx: amount, dy: amount)
        let most = max(min(rect.width, rect.height) / 2, 0)
        func radius(_ radius: CGFloat) -> CGFloat { min(max(radius - amount, 0), most) }
        let corners: [(center: CGPoint, radius: CGFloat, from: Double)] = [
            (CGPoint(x: rect.maxX, y: rect.minY), radius(cornerRadii.topTrailing), -90),
            (CGPoint(x: rect.maxX, y: rect.maxY), radius(cornerRadii.bottomTrailing), 0),
            (CGPoint(x: rect.minX, y: rect.maxY), radius(cornerRadii.bottomLeading), 90),
            (CGPoint(x: rect.minX, y: rect.minY), radius(cornerRadii.topLeading), 180),
        ]
        var path = Path()
        for (corner, radius, from) in corners {
            let center = CGPoint(
                x: corner.x + (corner.x == rect.minX ? radius : -radius),
                y: corner.y + (corner.y == rect.minY ? radius : -radius))
            path.addRelativeArc(center: center, radius: radius, startAngle: .degrees(from), delta: .degrees(90))
        }
        path.closeSubpath()
        return path
    }

    nonisolated public func inset(by amount: CGFloat) -> UnevenRoundedRectangle {
        var copy = self
        copy.amount += amount
        return copy
    }
}

extension Shape where Self == UnevenRoundedRectangle {
    public static func rect(
        topLeadingRadius: CGFloat = 0, bottomLeadingRadius: CGFloat = 0, bottomTrailingRadius: CGFloat = 0,
        topTrailingRadius: CGFloat = 0, style: RoundedCornerStyle = .continuous,
    ) -> UnevenRoundedRectangle {
        UnevenRoundedRectangle(
            topLeadingRadius: topLeadingRadius, bottomLeadingRadius: bottomLeadingRadius,
            bottomTrailingRadius: bottomTrailingRadius, topTrailingRadius: topTrailingRadius, style: style)
    }
}
