public import Foundation

/// An outline that fills the space that it is offered.
///
///     struct Triangle: Shape {
///         func path(in rect: CGRect) -> Path {
///             var path = Path()
///             path.addLines([.init(x: rect.midX, y: rect.minY), .init(x: rect.maxX, y: rect.maxY)])
///             path.addLine(to: CGPoint(x: rect.minX, y: rect.maxY))
///             path.closeSubpath()
///             return path
///         }
///     }
nonisolated public protocol Shape: Sendable, Animatable, View {
    /// Returns the outline in a rectangle.
    nonisolated func path(in rect: CGRect) -> Path

    nonisolated var _outline: _ShapeOutline { get }
}

/// A shape that can be made smaller on all sides.
nonisolated public protocol InsettableShape: Shape {
    associatedtype InsetShape: InsettableShape
    nonisolated func inset(by amount: CGFloat) -> InsetShape
}

/// The form in which the page draws a shape: by a name, or as a path.
public struct _ShapeOutline: Hashable, Sendable {
    let kind: String
    var radius: Double?
    var inset = 0.0
    /// True if the shape takes a square of the space that it is offered.
    var isSquare = false

    init(_ kind: String, radius: Double? = nil, isSquare: Bool = false) {
        self.kind = kind
        self.radius = radius
        self.isSquare = isSquare
    }

    static func path(like other: _ShapeOutline) -> _ShapeOutline {
        _ShapeOutline("path", isSquare: other.isSquare)
    }

    /// True if the page knows the form by its name.
    var isNamed: Bool { kind != "path" }
}

extension Shape {
    nonisolated public var _outline: _ShapeOutline { _ShapeOutline("path") }

    @MainActor
    @preconcurrency
    public func fill<S: ShapeStyle>(_ content: S, style: FillStyle = FillStyle()) -> some View {
        PaintedShape(shape: self, paint: .fill(content, style))
    }

    @MainActor
    @preconcurrency
    public func fill(style: FillStyle = FillStyle()) -> some View {
        fill(HierarchicalShapeStyle.primary, style: style)
    }

    @MainActor
    @preconcurrency
    public func stroke<S: ShapeStyle>(_ content: S, style: StrokeStyle) -> some View {
        PaintedShape(shape: self, paint: .stroke(content, style))
    }

    @MainActor
    @preconcurrency
    public func stroke<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1) -> some View {
        stroke(content, style: StrokeStyle(lineWidth: lineWidth))
    }

    @MainActor
    @preconcurrency
    public func stroke(style: StrokeStyle) -> some View { stroke(HierarchicalShapeStyle.primary, style: style) }

    @MainActor
    @preconcurrency
    public func stroke(lineWidth: CGFloat = 1) -> some View { stroke(style: StrokeStyle(lineWidth: lineWidth)) }

    /// Returns the part of the outline between two fractions of its length.
    nonisolated public func trim(from startFraction: CGFloat = 0, to endFraction: CGFloat = 1) -> some Shape {
        TrimmedShape(shape: self, from: startFraction, to: endFraction)
    }

    @MainActor
    @preconcurrency
    public var body: some View {
        PaintedShape(shape: self, paint: .fill(HierarchicalShapeStyle.primary, FillStyle()))
    }
}

extension InsettableShape {
    /// Draws the outline inside the shape.
    @MainActor
    @preconcurrency
    public func strokeBorder<S: ShapeStyle>(_ content: S, style: StrokeStyle) -> some View {
        inset(by: style.lineWidth / 2).stroke(content, style: style)
    }

    @MainActor
    @preconcurrency
    public func strokeBorder<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1) -> some View {
        strokeBorder(content, style: StrokeStyle(lineWidth: lineWidth))
    }

    @MainActor
    @preconcurrency
    public func strokeBorder(lineWidth: CGFloat = 1) -> some View {
        strokeBorder(HierarchicalShapeStyle.primary, lineWidth: lineWidth)
    }
}

extension Path: Shape {
    nonisolated public func path(in rect: CGRect) -> Path { self }
}

/// A shape of any type.
public struct AnyShape: Shape {
    private let make: @Sendable (CGRect) -> Path
    public let _outline: _ShapeOutline

    public init<S: Shape>(_ shape: S) {
        make = { shape.path(in: $0) }
        _outline = shape._outline
    }

    public func path(in rect: CGRect) -> Path { make(rect) }
}

private struct TrimmedShape<Base: Shape>: Shape {
    var shape: Base
    var from: CGFloat
    var to: CGFloat

    var animatableData: AnimatablePair<Base.AnimatableData, AnimatablePair<CGFloat, CGFloat>> {
        get { AnimatablePair(shape.animatableData, AnimatablePair(from, to)) }
        set {
            shape.animatableData = newValue.first
            (from, to) = (newValue.second.first, newValue.second.second)
        }
    }

    var _outline: _ShapeOutline { .path(like: shape._outline) }

    func path(in rect: CGRect) -> Path { shape.path(in: rect).trimmedPath(from: from, to: to) }
}
