public import Foundation
import ViewTree

/// A frame with a length that depends on that of the scroll view or the window around.
private struct ContainerFrameModifier: PrimitiveModifier {
    typealias Body = Never
    let axes: Axis.Set
    let alignment: Alignment
    let length: (CGFloat, Axis) -> CGFloat

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let size = containerSize(for: node)
        var properties: [String: NodeValue] = [
            "horizontal": .string(alignment.horizontal.name), "vertical": .string(alignment.vertical.name),
        ]
        if axes.contains(.horizontal) {
            properties["width"] = .number(max(0, Double(length(size.width, .horizontal))))
        }
        if axes.contains(.vertical) { properties["height"] = .number(max(0, Double(length(size.height, .vertical)))) }
        return node.wrap(children, kind: .frame, properties: properties)
    }

    /// The visible size of the scroll view around without its margins, or that of the window.
    private func containerSize(for node: ViewNode) -> CGSize {
        let container = node.environment.scrollContainer
        if let report = container?.read(by: node) { return report.geometry.visibleRect.size }
        let window = SizeEstimate(node.environment.device)
        let estimate = container?.estimate
        return CGSize(
            width: estimate?.width ?? window.width ?? SizeEstimate.ideal,
            height: estimate?.height ?? window.height ?? SizeEstimate.ideal)
    }
}

@available(iOS 17, macOS 14, *)
extension View {
    /// Gives the view the length of the scroll view or the window around.
    public func containerRelativeFrame(_ axes: Axis.Set, alignment: Alignment = .center) -> some View {
        containerRelativeFrame(axes, alignment: alignment) { length, _ in length }
    }

    /// - Parameters:
    ///   - count: The number of views that fit beside each other.
    ///   - span: The number of them whose length this view has.
    ///   - spacing: The space between two views.
    public func containerRelativeFrame(
        _ axes: Axis.Set, count: Int, span: Int = 1, spacing: CGFloat, alignment: Alignment = .center,
    ) -> some View {
        containerRelativeFrame(axes, alignment: alignment) { length, _ in
            let each = (length - spacing * CGFloat(count - 1)) / CGFloat(max(count, 1))
            return each * CGFloat(span) + spacing * CGFloat(span - 1)
        }
    }

    /// - Parameter length: Returns the length for that of the container.
    public func containerRelativeFrame(
        _ axes: Axis.Set, alignment: Alignment = .center, _ length: @escaping (CGFloat, Axis) -> CGFloat,
    ) -> some View {
        modifier(ContainerFrameModifier(axes: axes, alignment: alignment, length: length))
    }
}
