import ViewTree

/// Colors at the points of a grid, and their mixes between.
///
/// Partly: A view, and no style of shapes. Straight edges, one color space, and the same colors on a dark phone.
@available(iOS 18, macOS 15, *)
public struct MeshGradient: View {
    public typealias Body = Never

    let width: Int
    let height: Int
    let points: [SIMD2<Float>]
    let colors: [Color]
    let background: Color
    let smoothsColors: Bool

    /// - Parameters:
    ///   - width: The number of points in a row.
    ///   - height: The number of rows.
    ///   - points: The places from 0 to 1, one row after another.
    ///   - colors: The color at each point.
    public init(
        width: Int, height: Int, points: [SIMD2<Float>], colors: [Color], background: Color = .clear,
        smoothsColors: Bool = true, colorSpace: Gradient.ColorSpace = .device,
    ) {
        self.width = width
        self.height = height
        self.points = points
        self.colors = colors
        self.background = background
        self.smoothsColors = smoothsColors
    }
}

extension MeshGradient: PrimitiveView {
    func slots(in node: ViewNode) -> [Slot] { [] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let environment = node.environment
        let mesh = zip(points, colors).map { point, color -> NodeValue in
            [.number(Double(point.x)), .number(Double(point.y)), .string(resolved(color, in: environment))]
        }
        var properties: [String: NodeValue] = [
            "fill": .string(resolved(background, in: environment)), "meshWidth": .number(Double(width)),
            "mesh": .list(width * height == mesh.count && width > 1 && height > 1 ? mesh : []),
        ]
        if smoothsColors { properties["smooth"] = true }
        return Output(RenderedNode(id: node.id, kind: .color, properties: properties))
    }
}
