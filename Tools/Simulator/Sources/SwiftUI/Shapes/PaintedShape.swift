import Foundation
import ViewTree

/// A shape that is filled or whose outline is drawn.
///
/// The page draws the basic shapes by their names. Others become a path in the rectangle that the page reports. Until
/// it has reported it, the path is made for an estimate, and the page scales it.
struct PaintedShape<S: Shape>: View, PrimitiveView, Animatable {
    typealias Body = Never

    enum Paint {
        case fill(any ShapeStyle, FillStyle)
        case stroke(any ShapeStyle, StrokeStyle)
    }

    var shape: S
    var paint: Paint

    nonisolated var animatableData: AnimatablePair<S.AnimatableData, StrokeStyle.AnimatableData> {
        get {
            guard case .stroke(_, let style) = paint else { return AnimatablePair(shape.animatableData, .zero) }
            return AnimatablePair(shape.animatableData, style.animatableData)
        }
        set {
            shape.animatableData = newValue.first
            guard case .stroke(let content, var style) = paint else { return }
            style.animatableData = newValue.second
            paint = .stroke(content, style)
        }
    }

    func slots(in node: ViewNode) -> [Slot] { [] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let outline = shape._outline
        var properties: [String: NodeValue] = [:]
        var isNamed = outline.isNamed
        switch paint {
        case .fill(let content, let style):
            properties["fill"] = .string(resolved(content, in: node.environment))
            if style.isEOFilled { properties["evenOdd"] = true }
            isNamed = isNamed && outline.inset == 0
        case .stroke(let content, let style):
            let color = resolved(content, in: node.environment)
            properties["stroke"] = .string(color)
            properties.merge(style.properties) { $1 }
            isNamed = isNamed && style.isPlain && !color.contains(":")
        }
        guard !isNamed else {
            properties.merge(outline.properties) { $1 }
            return Output(RenderedNode(id: node.id, kind: .shape, properties: properties))
        }
        properties.merge(shape.measuredPath(in: node)) { $1 }
        return Output(RenderedNode(id: node.id, kind: .shape, properties: properties, actions: [.measure]))
    }
}

extension Shape {
    /// The form of a shape around or behind a view: a name, or else a path in the view's rectangle.
    @MainActor
    func form(in node: ViewNode) -> (properties: [String: NodeValue], actions: [ViewAction]) {
        _outline.isNamed && _outline.inset == 0
            ? (_outline.properties, []) : (measuredPath(in: node), [.measure])
    }

    /// Returns the path for the size of the node, which the page reports.
    @MainActor
    fileprivate func measuredPath(in node: ViewNode) -> [String: NodeValue] {
        let size = node.extent.current(for: node)
        node.acceptMeasurements()
        var properties: [String: NodeValue] = [
            "shape": "path",
            "path": .string(path(in: CGRect(x: 0, y: 0, width: size.width, height: size.height)).svg),
            "size": [.number(size.width), .number(size.height)],
        ]
        if _outline.isSquare { properties["square"] = true }
        return properties
    }
}

extension _ShapeOutline {
    var properties: [String: NodeValue] {
        var properties: [String: NodeValue] = ["shape": .string(kind)]
        if let radius { properties["radius"] = .number(radius) }
        if inset != 0 { properties["inset"] = .number(inset) }
        return properties
    }
}

extension StrokeStyle {
    /// True if the width is all there is.
    fileprivate var isPlain: Bool { self == StrokeStyle(lineWidth: lineWidth) }

    fileprivate var properties: [String: NodeValue] {
        var properties: [String: NodeValue] = ["lineWidth": .number(Double(lineWidth))]
        if lineCap != .butt { properties["lineCap"] = .string(String(describing: lineCap)) }
        if lineJoin != .miter { properties["lineJoin"] = .string(String(describing: lineJoin)) }
        if miterLimit != 10 { properties["miterLimit"] = .number(Double(miterLimit)) }
        if !dash.isEmpty { properties["dash"] = .list(dash.map { .number(Double($0)) }) }
        if dashPhase != 0 { properties["dashPhase"] = .number(Double(dashPhase)) }
        return properties
    }
}

extension Path {
    /// The commands of an SVG path, with coordinates in hundredths of a point.
    var svg: String {
        func point(_ point: CGPoint) -> String {
            [point.x, point.y].map { plain((Double($0) * 100).rounded() / 100) }.joined(separator: " ")
        }
        return elements.map { element in
            switch element {
            case .move(let end): "M " + point(end)
            case .line(let end): "L " + point(end)
            case .quadCurve(let end, let control): "Q " + [control, end].map(point).joined(separator: " ")
            case .curve(let end, let first, let second): "C " + [first, second, end].map(point).joined(separator: " ")
            case .closeSubpath: "Z"
            }
        }
        .joined(separator: " ")
    }
}

extension LinearGradient: View, PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { [] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        Output(
            RenderedNode(
                id: node.id, kind: .color, properties: ["fill": .string(resolved(self, in: node.environment))]))
    }
}
