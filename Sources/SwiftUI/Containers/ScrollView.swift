public import Foundation

/// Shows a part of what is larger than the screen; the page moves it.
public struct ScrollView<Content: View>: View {
    let axes: Axis.Set
    let showsIndicators: Bool
    let content: Content

    public init(_ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) {
        self.axes = axes
        self.showsIndicators = showsIndicators
        self.content = content()
    }
}

extension ScrollView: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), content)] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let output = Output(merging: children)
        var actions: [ViewAction] = []
        if let refresh = node.environment.refresh {
            actions.append(.refresh)
            let graph = node.graph
            node.handle(.refresh) { _ = graph.run(.userInitiated) { await refresh() } }
        }
        return Output(
            RenderedNode(
                id: node.id, kind: "scroll",
                properties: [
                    "horizontal": .bool(axes.contains(.horizontal)), "vertical": .bool(axes.contains(.vertical)),
                    "indicators": .bool(showsIndicators),
                ],
                actions: actions, children: output.nodes,
            ),
            preferences: output.preferences,
        )
    }
}

/// A column or a grid that evaluates those of its views that have been in sight, and a first few.
///
/// The page says when the placeholder at the end comes into sight; then the next few are evaluated.
final class LazyWindow {
    /// How many views are evaluated at first and with each further step.
    static let step = 30

    var limit = LazyWindow.step
}

extension ViewNode {
    fileprivate var window: LazyWindow {
        if let window = storage as? LazyWindow { return window }
        let window = LazyWindow()
        storage = window
        return window
    }
}

/// The children of a lazy container: those of its `ForEach` one by one where that is all it holds.
@MainActor
private func lazySlots(_ content: any View, in node: ViewNode) -> [Slot] {
    guard let list = content as? any LazyContent else { return [Slot(.position(0), content)] }
    return list.slots(in: node, limit: node.window.limit)
}

@MainActor
private func lazyOutput(
    _ kind: String, _ properties: [String: NodeValue], _ content: any View, _ children: [Output], _ node: ViewNode,
) -> Output {
    var output = Output(merging: children)
    if let list = content as? any LazyContent, list.count > node.window.limit {
        let rest = list.count - node.window.limit
        output.elements.append(
            Element(
                node: RenderedNode(
                    id: node.wrapperID(around: -1), kind: "placeholder", properties: ["count": .number(Double(rest))],
                    actions: [.appear],
                )
            )
        )
        node.handle(.appear) {
            node.window.limit += LazyWindow.step
            node.graph.setNeedsUpdate(node)
        }
    }
    return Output(
        RenderedNode(id: node.id, kind: kind, properties: properties, children: output.nodes),
        preferences: output.preferences,
    )
}

/// A `ForEach` whose elements a lazy container takes one after the other.
@MainActor
protocol LazyContent {
    var count: Int { get }
    func slots(in node: ViewNode, limit: Int) -> [Slot]
}

extension ForEach: LazyContent where Content: View {
    var count: Int { data.count }

    func slots(in node: ViewNode, limit: Int) -> [Slot] {
        ForEach<Data.SubSequence, ID, Content>(data: data.prefix(limit), content: content, id: id).slots(in: node)
    }
}

/// Views in a column, evaluated as they come into sight.
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
        return lazyOutput("vstack", properties, content, children, node)
    }
}

/// Views in a row, evaluated as they come into sight.
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
        return lazyOutput("hstack", properties, content, children, node)
    }
}

/// One column of a grid, or one row.
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

    /// "fixed 80", "flexible 10", "adaptive 150".
    var plain: NodeValue {
        switch size {
        case .fixed(let width): .string("fixed \(SwiftUI.plain(Double(width)))")
        case .flexible(let minimum, _): .string("flexible \(SwiftUI.plain(Double(minimum)))")
        case .adaptive(let minimum, _): .string("adaptive \(SwiftUI.plain(Double(minimum)))")
        }
    }
}

/// Views in columns, evaluated as they come into sight.
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
        return lazyOutput("grid", properties, content, children, node)
    }
}

/// Views in rows, evaluated as they come into sight.
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
        return lazyOutput("grid", properties, content, children, node)
    }
}
