public import Foundation
import ViewTree

/// A view behind or before another, with its size.
struct LayerModifier<Layer: View>: PrimitiveModifier {
    typealias Body = Never
    let kind: NodeKind
    let alignment: Alignment
    let layer: Layer

    func slots(content: any View, in node: ViewNode) -> [Slot] {
        [Slot(.position(0), content), Slot(.position(1), layer)]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = children[0]
        output.preferences.merge(children[1].preferences)
        let layers = children[1].nodes
        for index in output.elements.indices {
            let inner = output.elements[index].node
            let around = output.elements.count == 1 ? node.id : node.wrapperID(kind, around: inner.id)
            output.elements[index].node = RenderedNode(
                id: around, kind: kind,
                properties: [
                    "horizontal": .string(alignment.horizontal.name), "vertical": .string(alignment.vertical.name),
                ],
                children: [
                    inner,
                    RenderedNode(
                        id: node.wrapperID(.layer, around: around), kind: .layer, children: index == 0 ? layers : []),
                ],
            )
        }
        return output
    }
}

/// A style behind a view.
private struct PaintModifier<S: ShapeStyle>: PrimitiveModifier {
    typealias Body = Never
    let style: S
    let shape: (any Shape)?

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var (properties, actions) = shape?.form(in: node) ?? ([:], [])
        properties["fill"] = .string(resolved(style, in: node.environment))
        return node.wrap(children, kind: .paint, properties: properties, actions: actions)
    }
}

/// Cuts off what is outside of a shape.
private struct ClipModifier<S: Shape>: PrimitiveModifier {
    typealias Body = Never
    let shape: S

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let (properties, actions) = shape.form(in: node)
        return node.wrap(children, kind: .clip, properties: properties, actions: actions)
    }
}

private struct BorderModifier<S: ShapeStyle>: PrimitiveModifier {
    typealias Body = Never
    let style: S
    let width: CGFloat

    func render(_ children: [Output], in node: ViewNode) -> Output {
        node.wrap(
            children, kind: .border,
            properties: [
                "stroke": .string(resolved(style, in: node.environment)), "lineWidth": .number(Double(width)),
            ],
        )
    }
}

extension View {
    public func background<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View {
        modifier(LayerModifier(kind: .background, alignment: alignment, layer: content()))
    }

    public func background<S: ShapeStyle>(_ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View {
        modifier(PaintModifier(style: style, shape: nil))
    }

    public func background<S: ShapeStyle, T: Shape>(_ style: S, in shape: T) -> some View {
        modifier(PaintModifier(style: style, shape: shape))
    }

    public func overlay<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View {
        modifier(LayerModifier(kind: .overlay, alignment: alignment, layer: content()))
    }

    /// Puts a view behind this one.
    @_disfavoredOverload
    public func background<V: View>(_ background: V, alignment: Alignment = .center) -> some View {
        modifier(LayerModifier(kind: .background, alignment: alignment, layer: background))
    }

    /// Puts a view in front of this one.
    @_disfavoredOverload
    public func overlay<V: View>(_ overlay: V, alignment: Alignment = .center) -> some View {
        modifier(LayerModifier(kind: .overlay, alignment: alignment, layer: overlay))
    }

    /// Puts a filled shape in front of this view.
    public func overlay<S: ShapeStyle, T: Shape>(_ style: S, in shape: T) -> some View {
        modifier(LayerModifier(kind: .overlay, alignment: .center, layer: shape.fill(style)))
    }

    public func border<S: ShapeStyle>(_ content: S, width: CGFloat = 1) -> some View {
        modifier(BorderModifier(style: content, width: width))
    }

    public func clipShape<S: Shape>(_ shape: S) -> some View {
        modifier(ClipModifier(shape: shape))
    }

    public func clipped() -> some View { clipShape(Rectangle()) }
    public func cornerRadius(_ radius: CGFloat) -> some View { clipShape(RoundedRectangle(cornerRadius: radius)) }

    public func shadow(
        color: Color = Color(white: 0, opacity: 0.33), radius: CGFloat, x: CGFloat = 0, y: CGFloat = 0,
    ) -> some View {
        modifier(
            WrapModifier(
                kind: .shadow,
                properties: [
                    "color": .string(color.description), "radius": .number(Double(radius)), "x": .number(Double(x)),
                    "y": .number(Double(y)),
                ],
            )
        )
    }

    /// Sets the shape of the view that accepts taps.
    public func contentShape<S: Shape>(_ shape: S) -> some View {
        modifier(WrapModifier(kind: .contentShape, properties: shape._outline.properties))
    }
}
