import Astrolabe
import ViewTree

extension ScreenWireframe {
    /// What surrounds other views: said of the one view inside, where that looks the same.
    func wrapper(_ node: RenderedNode) -> Wireframe.Node? {
        switch node.kind {
        case "hidden", "placeholder", "swipeActions": return nil
        case "opacity" where (node.properties["opacity"]?.number ?? 1) < 0.02: return nil
        case "background", "overlay": return layered(node)
        default: break
        }
        let children = nodes(of: node.children)
        guard let first = children.first else { return nil }
        guard children.count == 1 else { return group(node, role: role(ofSeveralIn: node), children) }
        switch node.kind {
        case "padding": return padded(first, by: node)
        case "frame": return framed(first, by: node)
        case "paint": return painted(first, color(node, "fill"), by: node)
        case "clip":
            var clipped = first
            clipped.style.radius = radius(node) ?? first.style.radius
            return clipped
        default: return first
        }
    }

    private func role(ofSeveralIn node: RenderedNode) -> Wireframe.Role {
        switch node.kind {
        case "label", "buttons": .row
        case "pageContent", "content", "message", "choices", "tabs", "tabPage": .column
        default: .group
        }
    }

    /// The padding of a view lies inside its color and its frame, so it is one's own only where there are none yet.
    private func padded(_ inner: Wireframe.Node, by node: RenderedNode) -> Wireframe.Node {
        func side(_ name: String) -> Double { node.properties[name]?.number ?? 0 }
        var insets = Wireframe.Insets(
            top: side("top"), leading: side("leading"), bottom: side("bottom"), trailing: side("trailing"), )
        let isPlain =
            inner.style.fill == nil && inner.style.radius == nil && inner.layout.width == nil
            && inner.layout.height == nil && !inner.layout.grows
        guard isPlain else {
            var outer = group(node, [inner])
            outer.layout.padding = insets
            outer.layout.grows = inner.layout.grows
            return outer
        }
        var result = inner
        if let own = inner.layout.padding {
            insets.top += own.top
            insets.leading += own.leading
            insets.bottom += own.bottom
            insets.trailing += own.trailing
        }
        result.layout.padding = insets
        return result
    }

    private func framed(_ inner: Wireframe.Node, by node: RenderedNode) -> Wireframe.Node {
        let properties = node.properties
        let alignment = Wireframe.Alignment(
            horizontal: properties["horizontal"]?.string, vertical: properties["vertical"]?.string, )
        let grows = [properties["maxWidth"], properties["maxHeight"]].contains { $0 == "infinity" }
        let isFramed = inner.layout.width != nil || inner.layout.height != nil
        let isAligned = alignment != nil && !inner.children.isEmpty
        // The color of a view fills what the view takes, not the frame around it; a picture fills its frame.
        let isFilled = inner.style.fill != nil && inner.role != .image && inner.role != .shape
        var result = inner
        if isFramed || isAligned || isFilled {
            result = group(node, [inner])
            result.layout.alignment = .center
        }
        result.layout.width = properties["width"]?.number ?? result.layout.width
        result.layout.height = properties["height"]?.number ?? result.layout.height
        result.layout.grows = grows || result.layout.grows
        result.layout.alignment = alignment ?? result.layout.alignment
        return result
    }

    private func painted(
        _ inner: Wireframe.Node, _ fill: Wireframe.Color?, by node: RenderedNode,
    ) -> Wireframe.Node {
        guard let fill else { return inner }
        // A picture and a progress indicator are drawn as what they are.
        let needsArea = inner.style.fill != nil || inner.role == .progress
        var result = needsArea ? group(node, [inner]) : inner
        if needsArea {
            result.layout.grows = inner.layout.grows
            result.style.radius = inner.style.radius
        }
        result.style.fill = fill
        result.style.radius = radius(node) ?? result.style.radius
        return result
    }

    /// A view with others behind or before it: with nothing but a color behind, that color is its own.
    private func layered(_ node: RenderedNode) -> Wireframe.Node? {
        guard let view = node.children.first.flatMap(self.node) else { return nil }
        let others = nodes(of: node.children.dropFirst().flatMap(\.children))
        guard let other = others.first else { return view }
        if node.kind == "background", others.count == 1, other.role == .shape, view.style.fill == nil {
            var result = view
            result.style.fill = other.style.fill
            result.style.radius = other.style.radius ?? view.style.radius
            return result
        }
        var layer = group(node, role: .layer, node.kind == "background" ? others + [view] : [view] + others)
        layer.layout.alignment = Wireframe.Alignment(
            horizontal: node.properties["horizontal"]?.string, vertical: node.properties["vertical"]?.string, )
        layer.layout.grows = view.layout.grows
        return layer
    }

    private func radius(_ node: RenderedNode) -> Double? {
        switch node.properties["shape"]?.string {
        case "circle", "capsule", "ellipse": 999
        default: node.properties["radius"]?.number
        }
    }
}
