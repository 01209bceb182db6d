public import Foundation
import ViewTree

/// A column or row of a grid.
public struct GridItem: Hashable, Sendable {
    public enum Size: Hashable, Sendable {
        case fixed(CGFloat)
        case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
        case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
    }

    public var size: Size
    public var spacing: CGFloat?

    public init(_ size: Size = .flexible(), spacing: CGFloat? = nil) {
        self.size = size
        self.spacing = spacing
    }

    /// The form on the wire: "fixed 80", "flexible 10", "adaptive 150".
    var plain: NodeValue {
        switch size {
        case .fixed(let width): .string("fixed \(SwiftUI.plain(Double(width)))")
        case .flexible(let minimum, _): .string("flexible \(SwiftUI.plain(Double(minimum)))")
        case .adaptive(let minimum, _): .string("adaptive \(SwiftUI.plain(Double(minimum)))")
        }
    }
}

/// Views in columns, evaluated when they become visible.
public struct LazyVGrid<Content: View>: View {
    let columns: [GridItem]
    let spacing: CGFloat?
    let content: Content

    public init(columns: [GridItem], spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.columns = columns
        self.spacing = spacing
        self.content = content()
    }
}

extension LazyVGrid: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { lazySlots(content, in: node) }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var properties: [String: NodeValue] = .init(present: ["spacing": spacing, "gap": columns.first?.spacing])
        properties["columns"] = .list(columns.map(\.plain))
        return lazyOutput(.grid, properties, content, children, node)
    }
}

/// Views in rows, evaluated when they become visible.
public struct LazyHGrid<Content: View>: View {
    let rows: [GridItem]
    let spacing: CGFloat?
    let content: Content

    public init(rows: [GridItem], spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.rows = rows
        self.spacing = spacing
        self.content = content()
    }
}

extension LazyHGrid: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { lazySlots(content, in: node) }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var properties: [String: NodeValue] = .init(present: ["spacing": spacing, "gap": rows.first?.spacing])
        properties["rows"] = .list(rows.map(\.plain))
        return lazyOutput(.grid, properties, content, children, node)
    }
}
