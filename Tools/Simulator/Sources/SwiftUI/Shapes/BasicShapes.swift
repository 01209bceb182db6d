public import Foundation

public struct Rectangle: InsettableShape {
    nonisolated public init() {}
    nonisolated public var _outline: _ShapeOutline { _ShapeOutline("rectangle") }
    nonisolated public func path(in rect: CGRect) -> Path { Path(rect) }
    nonisolated public func inset(by amount: CGFloat) -> some InsettableShape { SmallerShape(self, amount) }
}

public struct RoundedRectangle: InsettableShape {
    nonisolated var radius: Double

    nonisolated public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .circular) {
        radius = Double(cornerRadius)
    }

    nonisolated public var animatableData: Double {
        get { radius }
        set { radius = newValue }
    }

    nonisolated public var _outline: _ShapeOutline { _ShapeOutline("rectangle", radius: radius) }
    nonisolated public func path(in rect: CGRect) -> Path { Path(roundedRect: rect, cornerRadius: radius) }
    nonisolated public func inset(by amount: CGFloat) -> some InsettableShape { SmallerShape(self, amount) }
}

public struct Circle: InsettableShape {
    nonisolated public init() {}
    nonisolated public var _outline: _ShapeOutline { _ShapeOutline("circle", isSquare: true) }

    nonisolated public func path(in rect: CGRect) -> Path {
        let side = min(rect.width, rect.height)
        return Path(ellipseIn: CGRect(x: rect.midX - side / 2, y: rect.midY - side / 2, width: side, height: side))
    }

    nonisolated public func inset(by amount: CGFloat) -> some InsettableShape { SmallerShape(self, amount) }
}

public struct Ellipse: InsettableShape {
    nonisolated public init() {}
    nonisolated public var _outline: _ShapeOutline { _ShapeOutline("ellipse") }
    nonisolated public func path(in rect: CGRect) -> Path { Path(ellipseIn: rect) }
    nonisolated public func inset(by amount: CGFloat) -> some InsettableShape { SmallerShape(self, amount) }
}

public struct Capsule: InsettableShape {
    nonisolated public init(style: RoundedCornerStyle = .circular) {}
    nonisolated public var _outline: _ShapeOutline { _ShapeOutline("capsule") }

    nonisolated public func path(in rect: CGRect) -> Path {
        Path(roundedRect: rect, cornerRadius: min(rect.width, rect.height) / 2)
    }

    nonisolated public func inset(by amount: CGFloat) -> some InsettableShape { SmallerShape(self, amount) }
}

/// A basic shape that is smaller on all sides.
private struct SmallerShape<Base: Shape>: InsettableShape {
    var shape: Base
    var amount: CGFloat

    init(_ shape: Base, _ amount: CGFloat) {
        self.shape = shape
        self.amount = amount
    }

    var animatableData: AnimatablePair<Base.AnimatableData, CGFloat> {
        get { AnimatablePair(shape.animatableData, amount) }
        set { (shape.animatableData, amount) = (newValue.first, newValue.second) }
    }

    var _outline: _ShapeOutline {
        var outline = shape._outline
        outline.inset += Double(amount)
        return outline
    }

    func path(in rect: CGRect) -> Path {
        let inner = rect.insetBy(dx: amount, dy: amount)
        guard inner.width > 0, inner.height > 0 else { return Path() }
        guard let radius = shape._outline.radius else { return shape.path(in: inner) }
        return Path(roundedRect: inner, cornerRadius: max(0, radius - amount))
    }

    func inset(by amount: CGFloat) -> SmallerShape { SmallerShape(shape, self.amount + amount) }
}
