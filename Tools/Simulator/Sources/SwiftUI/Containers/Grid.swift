public import Foundation
import ViewTree

/// Rows of cells in columns, each as wide as its widest cell. A view outside of a row spans all columns.
public struct Grid<Content: View>: View {
    let alignment: Alignment
    let horizontalSpacing: CGFloat?
    let verticalSpacing: CGFloat?
    let content: Content

    public init(
        alignment: Alignment = .center, horizontalSpacing: CGFloat? = nil, verticalSpacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content,
    ) {
        self.alignment = alignment
        self.horizontalSpacing = horizontalSpacing
        self.verticalSpacing = verticalSpacing
        self.content = content()
    }
}

extension Grid: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), content)] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let output = Output(merging: children)
        let rows = output.elements.map { element in element.traits.gridCells ?? [element.node.adding(["span": "all"])] }
        let columns = rows.map(Self.width).max() ?? 1
        var properties: [String: NodeValue] = .init(present: ["spacing": verticalSpacing, "gap": horizontalSpacing])
        properties["columns"] = .list(Array(repeating: "content", count: max(columns, 1)))
        properties["horizontal"] = .string(alignment.horizontal.name)
        properties["vertical"] = .string(alignment.vertical.name)
        let alignments = Self.alignments(rows)
        let cells = rows.enumerated().flatMap { index, cells in
            zip(cells, Self.columns(cells)).map { cell, column in
                var place: [String: NodeValue] = ["row": .number(Double(index + 1))]
                if cell.properties["span"] == nil { place["columnAlignment"] = alignments[column] }
                return cell.adding(place)
            }
        }
        return Output(
            RenderedNode(id: node.id, kind: .grid, properties: properties, children: cells),
            preferences: output.preferences)
    }

    /// The columns that the cells of a row take.
    private static func width(_ cells: [RenderedNode]) -> Int { cells.reduce(0) { $0 + width($1) } }

    private static func width(_ cell: RenderedNode) -> Int {
        cell.properties["span"] == "all" ? 1 : Int(cell.properties["span"]?.number ?? 1)
    }

    /// The first column of each cell of a row.
    private static func columns(_ cells: [RenderedNode]) -> [Int] {
        cells.indices.map { width(Array(cells[..<$0])) }
    }

    /// The alignments of columns, by the first cell of each that sets one.
    private static func alignments(_ rows: [[RenderedNode]]) -> [Int: NodeValue] {
        var alignments: [Int: NodeValue] = [:]
        for cells in rows {
            for (cell, column) in zip(cells, columns(cells)) where alignments[column] == nil {
                alignments[column] = cell.properties["columnAlignment"]
            }
        }
        return alignments
    }
}

/// A row of a grid: each of its views is a cell.
public struct GridRow<Content: View>: View {
    let alignment: VerticalAlignment?
    let content: Content

    public init(alignment: VerticalAlignment? = nil, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.content = content()
    }
}

extension GridRow: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), content)] }

    /// A row outside of a grid is a group of its cells.
    func render(_ children: [Output], in node: ViewNode) -> Output {
        let output = Output(merging: children)
        var cells = output.nodes
        if let alignment { cells = cells.map { $0.adding(["alignSelf": .string(alignment.name)]) } }
        let row = RenderedNode(id: node.id, kind: .group, children: cells)
        var element = Element(node: row)
        element.traits.gridCells = cells
        var rendered = Output()
        rendered.elements = [element]
        rendered.preferences = output.preferences
        return rendered
    }
}

extension View {
    /// Lets a cell of a grid take several columns.
    public func gridCellColumns(_ count: Int) -> some View {
        modifier(AnnotationModifier(properties: ["span": .number(Double(max(count, 1)))]))
    }

    /// Sets the alignment of all cells in the column of this one.
    public func gridColumnAlignment(_ guide: HorizontalAlignment) -> some View {
        modifier(AnnotationModifier(properties: ["columnAlignment": .string(guide.name)]))
    }

    /// Lets a cell of a grid take the size that the others need along these axes, and ask for none itself.
    public func gridCellUnsizedAxes(_ axes: Axis.Set) -> some View {
        var properties: [String: NodeValue] = [:]
        if axes.contains(.horizontal) { properties["unsizedAcross"] = true }
        if axes.contains(.vertical) { properties["unsizedDown"] = true }
        return modifier(AnnotationModifier(properties: properties))
    }

    @available(*, unavailable, message: "SwiftUI on Linux lacks gridCellAnchor. Use frame in the cell.")
    public func gridCellAnchor(_ anchor: UnitPoint) -> some View { self }
}
