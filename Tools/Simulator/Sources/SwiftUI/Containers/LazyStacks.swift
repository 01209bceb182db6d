public import Foundation
import ViewTree

/// Views in a column, evaluated when they become visible.
public struct LazyVStack<Content: View>: View {
    let alignment: HorizontalAlignment
    let spacing: CGFloat?
    let content: Content

    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content,
    ) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }
}

extension LazyVStack: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { lazySlots(content, in: node) }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var properties: [String: NodeValue] = .init(present: ["spacing": spacing])
        properties["alignment"] = .string(alignment.name)
        return lazyOutput(.vstack, properties, content, children, node)
    }
}

/// Views in a row, evaluated when they become visible.
public struct LazyHStack<Content: View>: View {
    let alignment: VerticalAlignment
    let spacing: CGFloat?
    let content: Content

    public init(
        alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content,
    ) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }
}

extension LazyHStack: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { lazySlots(content, in: node) }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var properties: [String: NodeValue] = .init(present: ["spacing": spacing])
        properties["alignment"] = .string(alignment.name)
        return lazyOutput(.hstack, properties, content, children, node)
    }
}
