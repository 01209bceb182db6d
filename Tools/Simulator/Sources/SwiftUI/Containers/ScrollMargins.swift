public import Foundation
import ViewTree

/// A part of a scroll view that has margins.
@available(iOS 17, macOS 14, *)
public struct ContentMarginPlacement: Hashable, Sendable {
    private enum Kind: Hashable, Sendable {
        case automatic
        case scrollContent
        case scrollIndicators
    }

    private let kind: Kind

    public static let automatic = ContentMarginPlacement(kind: .automatic)
    public static let scrollContent = ContentMarginPlacement(kind: .scrollContent)
    /// The indicators, which the page does not draw.
    public static let scrollIndicators = ContentMarginPlacement(kind: .scrollIndicators)

    fileprivate var appliesToContent: Bool { kind != .scrollIndicators }
}

/// The lengths at the edges of a view; one that is not set is `nil`.
private struct Margins: Hashable, Sendable {
    var top: Double?
    var leading: Double?
    var bottom: Double?
    var trailing: Double?

    init() {}

    init(_ edges: Edge.Set, _ length: Double) {
        if edges.contains(.top) { top = length }
        if edges.contains(.leading) { leading = length }
        if edges.contains(.bottom) { bottom = length }
        if edges.contains(.trailing) { trailing = length }
    }

    func over(_ other: Margins) -> Margins {
        var merged = other
        merged.top = top ?? other.top
        merged.leading = leading ?? other.leading
        merged.bottom = bottom ?? other.bottom
        merged.trailing = trailing ?? other.trailing
        return merged
    }

    /// The lengths as properties of a scroll view.
    var properties: [String: NodeValue] {
        named("marginTop", "marginLeading", "marginBottom", "marginTrailing")
    }

    /// The lengths as properties of a padding.
    var padding: [String: NodeValue] { named("top", "leading", "bottom", "trailing") }

    private func named(_ names: String...) -> [String: NodeValue] {
        let lengths = zip(names, [top, leading, bottom, trailing]).compactMap { name, length in
            length.map { (name, NodeValue.number($0)) }
        }
        return Dictionary(uniqueKeysWithValues: lengths)
    }
}

extension EnvironmentValues {
    private enum MarginsKey: EnvironmentKey {
        static let defaultValue = Margins()
    }

    private enum PropertiesKey: EnvironmentKey {
        static let defaultValue: [String: NodeValue] = [:]
    }

    fileprivate var contentMargins: Margins {
        get { self[MarginsKey.self] }
        set { self[MarginsKey.self] = newValue }
    }

    /// The properties that the modifiers around give to the next scroll view inside, beside its margins.
    fileprivate var scrollLook: [String: NodeValue] {
        get { self[PropertiesKey.self] }
        set { self[PropertiesKey.self] = newValue }
    }

    /// The properties of a scroll view here.
    var scrollProperties: [String: NodeValue] { scrollLook.merging(contentMargins.properties) { $1 } }

    /// Makes the modifiers around a scroll view apply to it alone, and not to those inside.
    mutating func enterScrollView() {
        contentMargins = Margins()
        scrollLook = [:]
        scrollObservers = []
    }
}

/// Insets the content: that of a scroll view inside of its edge, and that of another view by padding.
private struct SafeAreaPaddingModifier: PrimitiveModifier {
    typealias Body = Never
    let margins: Margins

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        guard let only = output.elements.first?.node, output.elements.count == 1,
            [.scroll, .list, .form].contains(only.kind)
        else { return node.wrap(children, kind: .padding, properties: margins.padding) }
        // Paddings add up.
        var properties = margins.properties
        for (name, value) in properties {
            let before = only.properties[name]?.number ?? 0
            properties[name] = .number(before + (value.number ?? 0))
        }
        output.elements[0].node = only.adding(properties)
        return output
    }
}

/// A way in which a scroll view comes to rest.
@available(iOS 17, macOS 14, *)
public struct ScrollTargetBehavior: Hashable, Sendable {
    fileprivate let name: String

    private init(_ name: String) {
        self.name = name
    }

    /// Rests at the edge of a view of the target layout.
    public static let viewAligned = ScrollTargetBehavior("view")
    /// Rests at a page, of which each is a view of the target layout.
    public static let paging = ScrollTargetBehavior("page")

    public static func viewAligned(limitBehavior: LimitBehavior) -> ScrollTargetBehavior {
        ScrollTargetBehavior(limitBehavior.isByOne ? "page" : "view")
    }

    /// The number of views that one movement of the finger passes.
    public struct LimitBehavior: Hashable, Sendable {
        fileprivate let isByOne: Bool

        public static let automatic = LimitBehavior(isByOne: false)
        public static let always = LimitBehavior(isByOne: true)
        public static let never = LimitBehavior(isByOne: false)
        public static let alwaysByOne = LimitBehavior(isByOne: true)
    }
}

@available(iOS 17, macOS 14, *)
extension View {
    /// Sets the margins between the content of the scroll views here and their edges.
    public func contentMargins(
        _ edges: Edge.Set = .all, _ insets: EdgeInsets, for placement: ContentMarginPlacement = .automatic,
    ) -> some View {
        margins(
            Margins(edges.intersection(.top), Double(insets.top))
                .over(Margins(edges.intersection(.leading), Double(insets.leading)))
                .over(Margins(edges.intersection(.bottom), Double(insets.bottom)))
                .over(Margins(edges.intersection(.trailing), Double(insets.trailing))), placement)
    }

    /// - Parameter length: `nil` for the system's margins.
    public func contentMargins(
        _ edges: Edge.Set = .all, _ length: CGFloat?, for placement: ContentMarginPlacement = .automatic,
    ) -> some View {
        margins(length.map { Margins(edges, Double($0)) } ?? Margins(), placement)
    }

    public func contentMargins(
        _ length: CGFloat, for placement: ContentMarginPlacement = .automatic,
    ) -> some View {
        margins(Margins(.all, Double(length)), placement)
    }

    private func margins(_ margins: Margins, _ placement: ContentMarginPlacement) -> some View {
        modifier(
            EnvironmentModifier {
                if placement.appliesToContent { $0.contentMargins = $0.contentMargins.over(margins) }
            })
    }

    /// Insets the safe area: the content of a scroll view scrolls under the insets, and other views have padding.
    public func safeAreaPadding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        modifier(SafeAreaPaddingModifier(margins: Margins(edges, Double(length ?? 16))))
    }

    public func safeAreaPadding(_ length: CGFloat) -> some View { safeAreaPadding(.all, length) }

    public func safeAreaPadding(_ insets: EdgeInsets) -> some View {
        modifier(
            SafeAreaPaddingModifier(
                margins: Margins(.top, Double(insets.top)).over(Margins(.leading, Double(insets.leading)))
                    .over(Margins(.bottom, Double(insets.bottom))).over(Margins(.trailing, Double(insets.trailing)))))
    }

    /// Sets where scroll views here come to rest.
    ///
    /// Partly: At views of the target layout, also for pages. A trackpad and a finger stop there, a wheel near it.
    public func scrollTargetBehavior(_ behavior: ScrollTargetBehavior) -> some View {
        modifier(EnvironmentModifier { $0.scrollLook["snaps"] = .string(behavior.name) })
    }

    /// Makes each view of this stack a place where a scroll view comes to rest.
    public func scrollTargetLayout(isEnabled: Bool = true) -> some View {
        modifier(AnnotationModifier(properties: isEnabled ? ["scrollTargets": true] : [:]))
    }

    /// Shows what is outside of the scroll views here.
    ///
    /// Partly: Up to 60 points across the direction in which they scroll.
    public func scrollClipDisabled(_ disabled: Bool = true) -> some View {
        modifier(EnvironmentModifier { $0.scrollLook["unclipped"] = disabled ? true : nil })
    }

    /// Sets the part of the content that scroll views here show at first, and keep while it grows.
    public func defaultScrollAnchor(_ anchor: UnitPoint?) -> some View {
        modifier(
            EnvironmentModifier {
                $0.scrollLook["anchor"] = anchor.map { [.number(Double($0.x)), .number(Double($0.y))] }
            })
    }
}
