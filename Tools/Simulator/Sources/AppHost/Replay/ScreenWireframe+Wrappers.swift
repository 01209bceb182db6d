import Astrolabe
import AstrolabeSessionReplay
import ViewTree

extension ScreenWireframe {
    /// Draws a node that surrounds other nodes.
    ///
    /// - Parameters:
    ///   - role: The role of the group if there are several nodes inside.
    ///   - change: Applies the node to the one node inside; without it, that node is returned unchanged.
    /// - Returns: `nil` if nothing inside can be seen.
    func wrapped(
        _ node: RenderedNode, severalAs role: Wireframe.Role = .group,
        _ change: (Wireframe.Node) -> Wireframe.Node = { $0 },
    ) -> Wireframe.Node? {
        let children = nodes(of: node.children)
        guard let first = children.first else { return nil }
        return children.count == 1 ? change(first) : group(node, role: role, children)
    }

    func clipped(_ inner: Wireframe.Node, by node: RenderedNode) -> Wireframe.Node {
        var clipped = inner
        clipped.style.radius = radius(node) ?? inner.style.radius
        return clipped
    }

    /// Adds padding to the view itself if it has neither color nor frame, which lie outside its padding. Otherwise
    /// puts a group with the padding around it.
    func padded(_ inner: Wireframe.Node, by node: RenderedNode) -> Wireframe.Node {
        func side(_ name: String) -> Double { node.properties[name]?.number ?? 0 }
        var insets = Wireframe.Insets(
            top: side("top"), leading: side("leading"), bottom: side("bottom"), trailing: side("trailing"))
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

    func framed(_ inner: Wireframe.Node, by node: RenderedNode) -> Wireframe.Node {
        let properties = node.properties
        let alignment = Wireframe.Alignment(
            horizontal: properties["horizontal"]?.string, vertical: properties["vertical"]?.string)
        let grows = [properties["maxWidth"], properties["maxHeight"]].contains { $0 == "infinity" }
        let isFramed = inner.layout.width != nil || inner.layout.height != nil
        let isAligned = alignment != nil && !inner.children.isEmpty
        // The color fills the view, not the frame around it. An image fills its frame.
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

    func painted(
        _ inner: Wireframe.Node, _ fill: Wireframe.Color?, by node: RenderedNode,
    ) -> Wireframe.Node {
        guard let fill else { return inner }
        // An image and a progress indicator have their own drawing, so the color needs a group around them.
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

    /// Draws a view with others behind or before it. A single color behind becomes the view's own fill.
    func layered(_ node: RenderedNode) -> Wireframe.Node? {
        guard let view = node.children.first.flatMap(self.node) else { return nil }
        let others = nodes(of: node.children.dropFirst().flatMap(\.children))
        guard let other = others.first else { return view }
        if node.kind == .background, others.count == 1, other.role == .shape, view.style.fill == nil {
            var result = view
            result.style.fill = other.style.fill
            result.style.radius = other.style.radius ?? view.style.radius
            return result
        }
        var layer = group(node, role: .layer, node.kind == .background ? others + [view] : [view] + others)
        layer.layout.alignment = Wireframe.Alignment(
            horizontal: node.properties["horizontal"]?.string, vertical: node.properties["vertical"]?.string)
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
