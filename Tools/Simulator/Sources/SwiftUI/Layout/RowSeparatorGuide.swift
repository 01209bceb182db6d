public import Foundation
import ViewTree

/// The size of a view, and the places of its alignment guides.
public struct ViewDimensions: Hashable, Sendable {
    public let width: CGFloat
    public let height: CGFloat

    public subscript(guide: HorizontalAlignment) -> CGFloat {
        switch guide {
        case .leading: 0
        case .center: width / 2
        case .trailing: width
        }
    }

    /// The baselines are at the bottom.
    public subscript(guide: VerticalAlignment) -> CGFloat {
        switch guide {
        case .top: 0
        case .center: height / 2
        case .bottom, .firstTextBaseline, .lastTextBaseline: height
        }
    }

    public subscript(explicit guide: HorizontalAlignment) -> CGFloat? { nil }
    public subscript(explicit guide: VerticalAlignment) -> CGFloat? { nil }
}

/// An end of the line under a row of a list.
public struct _RowSeparatorGuide: Hashable, Sendable {
    let property: String

    public static let listRowSeparatorLeading = _RowSeparatorGuide(property: "lineStart")
    public static let listRowSeparatorTrailing = _RowSeparatorGuide(property: "lineEnd")
}

private struct RowSeparatorModifier: PrimitiveModifier {
    typealias Body = Never
    let guide: _RowSeparatorGuide
    let place: (ViewDimensions) -> CGFloat

    /// The page knows the width of the view, so it gets the place as points and a share of the width.
    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        let base = Double(place(ViewDimensions(width: 0, height: 0)))
        let share = Double(place(ViewDimensions(width: 1_000, height: 0))) - base
        for index in output.elements.indices {
            output.elements[index].node = output.elements[index].node.adding([
                guide.property: .list([.number(base), .number(share / 1_000)])
            ])
        }
        return output
    }
}

extension View {
    /// Sets where the line under the row begins or ends.
    public func alignmentGuide(
        _ guide: _RowSeparatorGuide, computeValue: @escaping (ViewDimensions) -> CGFloat,
    ) -> some View {
        modifier(RowSeparatorModifier(guide: guide, place: computeValue))
    }
}
