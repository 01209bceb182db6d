public import Foundation
import ViewTree

/// A modifier that wraps the view in a rendered node.
struct WrapModifier: PrimitiveModifier {
    typealias Body = Never
    let kind: NodeKind
    let properties: [String: NodeValue]

    func render(_ children: [Output], in node: ViewNode) -> Output {
        node.wrap(children, kind: kind, properties: properties)
    }
}

extension [String: NodeValue] {
    /// Creates the modifier without missing properties.
    init(present pairs: KeyValuePairs<String, CGFloat?>) {
        self.init()
        for (key, value) in pairs {
            if let value { self[key] = value.isInfinite ? "infinity" : .number(Double(value)) }
        }
    }
}

extension View {
    public func padding(_ insets: EdgeInsets) -> some View {
        modifier(
            WrapModifier(
                kind: .padding,
                properties: .init(present: [
                    "top": insets.top, "leading": insets.leading, "bottom": insets.bottom,
                    "trailing": insets.trailing,
                ]),
            )
        )
    }

    /// - Parameter length: Default: 16 points.
    public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        let length = length ?? 16
        return padding(
            EdgeInsets(
                top: edges.contains(.top) ? length : 0, leading: edges.contains(.leading) ? length : 0,
                bottom: edges.contains(.bottom) ? length : 0, trailing: edges.contains(.trailing) ? length : 0,
            )
        )
    }

    public func padding(_ length: CGFloat) -> some View { padding(.all, length) }

    public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center) -> some View {
        modifier(FrameModifier(width: width, height: height, alignment: alignment))
    }

    public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center,
    ) -> some View {
        var properties: [String: NodeValue] = .init(present: [
            "minWidth": minWidth, "idealWidth": idealWidth, "maxWidth": maxWidth, "minHeight": minHeight,
            "idealHeight": idealHeight, "maxHeight": maxHeight,
        ])
        properties["horizontal"] = .string(alignment.horizontal.name)
        properties["vertical"] = .string(alignment.vertical.name)
        return modifier(WrapModifier(kind: .frame, properties: properties))
    }

    public func fixedSize() -> some View { fixedSize(horizontal: true, vertical: true) }

    public func fixedSize(horizontal: Bool, vertical: Bool) -> some View {
        modifier(
            WrapModifier(
                kind: .fixedSize, properties: ["horizontal": .bool(horizontal), "vertical": .bool(vertical)]))
    }

    public func aspectRatio(_ aspectRatio: CGFloat? = nil, contentMode: ContentMode) -> some View {
        var properties: [String: NodeValue] = .init(present: ["ratio": aspectRatio])
        properties["mode"] = contentMode == .fit ? "fit" : "fill"
        return modifier(WrapModifier(kind: .aspectRatio, properties: properties))
    }

    public func scaledToFit() -> some View { aspectRatio(contentMode: .fit) }
    public func scaledToFill() -> some View { aspectRatio(contentMode: .fill) }

    public func layoutPriority(_ value: Double) -> some View {
        modifier(WrapModifier(kind: .layoutPriority, properties: ["priority": .number(value)]))
    }

    public func zIndex(_ value: Double) -> some View {
        modifier(WrapModifier(kind: .zIndex, properties: ["value": .number(value)]))
    }

    public func ignoresSafeArea(edges: Edge.Set = .all) -> some View {
        modifier(WrapModifier(kind: .ignoresSafeArea, properties: ["edges": .number(Double(edges.rawValue))]))
    }

    public func edgesIgnoringSafeArea(_ edges: Edge.Set) -> some View { ignoresSafeArea(edges: edges) }

    /// Hides the view but keeps its place.
    public func hidden() -> some View { modifier(WrapModifier(kind: .hidden, properties: [:])) }
}

/// The way in which a shape is scaled to another size.
public enum ContentMode: Hashable, CaseIterable, Sendable {
    case fit
    case fill
}

struct FrameModifier: PrimitiveModifier, Animatable {
    typealias Body = Never
    var width: CGFloat?
    var height: CGFloat?
    let alignment: Alignment

    nonisolated var animatableData: AnimatablePair<CGFloat, CGFloat> {
        get { AnimatablePair(width ?? 0, height ?? 0) }
        set {
            if width != nil { width = newValue.first }
            if height != nil { height = newValue.second }
        }
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var properties: [String: NodeValue] = .init(present: ["width": width, "height": height])
        properties["horizontal"] = .string(alignment.horizontal.name)
        properties["vertical"] = .string(alignment.vertical.name)
        return node.wrap(children, kind: .frame, properties: properties)
    }
}
