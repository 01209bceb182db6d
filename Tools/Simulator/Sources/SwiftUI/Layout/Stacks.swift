public import Foundation
import ViewTree

/// Views in a row.
public struct HStack<Content: View>: View {
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

extension HStack: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), content)] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        stack(.hstack, alignment.name, spacing, children, node)
    }

    func rendersLike(_ other: Self) -> Bool { alignment == other.alignment && spacing == other.spacing }
}

/// Views in a column.
public struct VStack<Content: View>: View {
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

extension VStack: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), content)] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        stack(.vstack, alignment.name, spacing, children, node)
    }

    func rendersLike(_ other: Self) -> Bool { alignment == other.alignment && spacing == other.spacing }
}

/// Views on top of each other, the last in front.
public struct ZStack<Content: View>: View {
    let alignment: Alignment
    let content: Content

    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.content = content()
    }
}

extension ZStack: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), content)] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let output = Output(merging: children)
        return Output(
            RenderedNode(
                id: node.id, kind: .zstack,
                properties: [
                    "horizontal": .string(alignment.horizontal.name), "vertical": .string(alignment.vertical.name),
                ],
                children: output.nodes,
            ),
            preferences: output.preferences,
        )
    }

    func rendersLike(_ other: Self) -> Bool { alignment == other.alignment }
}

/// Returns a stack's rendered node. The page chooses a default for a missing spacing.
@MainActor
func stack(_ kind: NodeKind, _ alignment: String, _ spacing: CGFloat?, _ children: [Output], _ node: ViewNode) -> Output
{
    let output = Output(merging: children)
    var properties: [String: NodeValue] = ["alignment": .string(alignment)]
    if let spacing { properties["spacing"] = .number(Double(spacing)) }
    return Output(
        RenderedNode(id: node.id, kind: kind, properties: properties, children: output.nodes),
        preferences: output.preferences,
    )
}

/// A view that takes all remaining space.
public struct Spacer: View {
    let minLength: CGFloat?

    public init(minLength: CGFloat? = nil) {
        self.minLength = minLength
    }
}

extension Spacer: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { [] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        Output(
            RenderedNode(
                id: node.id, kind: .spacer, properties: minLength.map { ["minLength": .number(Double($0))] } ?? [:]))
    }
}

/// A thin line between views.
public struct Divider: View {
    public init() {}
}

extension Divider: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { [] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        Output(RenderedNode(id: node.id, kind: .divider))
    }
}
