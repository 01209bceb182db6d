public import Foundation
import ViewTree

/// A shape that can be filled.
///
/// Partly: Five shapes. An app cannot define its own.
@MainActor
@preconcurrency
public protocol Shape: View {
    nonisolated var _outline: _ShapeOutline { get }
}

/// The outlines that the stand-in supports.
public struct _ShapeOutline: Hashable, Sendable {
    let kind: String
    let radius: Double?

    init(_ kind: String, radius: Double? = nil) {
        self.kind = kind
        self.radius = radius
    }
}

extension Shape {
    nonisolated var outline: [String: NodeValue] {
        var properties: [String: NodeValue] = ["shape": .string(_outline.kind)]
        if let radius = _outline.radius { properties["radius"] = .number(radius) }
        return properties
    }

    public func fill<S: ShapeStyle>(_ content: S) -> some View { PaintedShape(shape: self, fill: content) }

    public func stroke<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1) -> some View {
        PaintedShape(shape: self, stroke: content, lineWidth: Double(lineWidth))
    }

    public var body: some View { PaintedShape(shape: self, fill: HierarchicalShapeStyle.primary) }
}

public struct Rectangle: Shape {
    public init() {}
    nonisolated public var _outline: _ShapeOutline { _ShapeOutline("rectangle") }
}

public struct RoundedRectangle: Shape {
    nonisolated let radius: Double

    nonisolated public init(cornerRadius: CGFloat) {
        radius = Double(cornerRadius)
    }

    nonisolated public var _outline: _ShapeOutline { _ShapeOutline("rectangle", radius: radius) }
}

public struct Circle: Shape {
    nonisolated public init() {}
    nonisolated public var _outline: _ShapeOutline { _ShapeOutline("circle") }
}

public struct Ellipse: Shape {
    nonisolated public init() {}
    nonisolated public var _outline: _ShapeOutline { _ShapeOutline("ellipse") }
}

public struct Capsule: Shape {
    nonisolated public init() {}
    nonisolated public var _outline: _ShapeOutline { _ShapeOutline("capsule") }
}

private struct PaintedShape<S: Shape>: View, PrimitiveView {
    typealias Body = Never
    let shape: S
    var fill: (any ShapeStyle)?
    var stroke: (any ShapeStyle)?
    var lineWidth = 1.0

    func slots(in node: ViewNode) -> [Slot] { [] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var properties = shape.outline
        if let fill { properties["fill"] = .string(resolved(fill, in: node.environment)) }
        if let stroke {
            properties["stroke"] = .string(resolved(stroke, in: node.environment))
            properties["lineWidth"] = .number(lineWidth)
        }
        return Output(RenderedNode(id: node.id, kind: .shape, properties: properties))
    }
}

extension LinearGradient: View, PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { [] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        Output(
            RenderedNode(
                id: node.id, kind: .color, properties: ["fill": .string(resolved(self, in: node.environment))], ))
    }
}
