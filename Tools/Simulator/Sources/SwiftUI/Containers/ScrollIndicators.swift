/// The visibility of the indicators of scroll views.
public struct ScrollIndicatorVisibility: Hashable, Sendable {
    private enum Kind: Hashable, Sendable {
        case automatic
        case visible
        case hidden
        case never
    }

    private let kind: Kind

    public static var automatic: ScrollIndicatorVisibility { ScrollIndicatorVisibility(kind: .automatic) }
    public static var visible: ScrollIndicatorVisibility { ScrollIndicatorVisibility(kind: .visible) }
    public static var hidden: ScrollIndicatorVisibility { ScrollIndicatorVisibility(kind: .hidden) }
    /// Hides them, also where `hidden` lets a platform with a mouse show them.
    public static var never: ScrollIndicatorVisibility { ScrollIndicatorVisibility(kind: .never) }

    var isHidden: Bool { kind == .hidden || kind == .never }
}

extension EnvironmentValues {
    private enum HorizontalKey: EnvironmentKey {
        static let defaultValue = ScrollIndicatorVisibility.automatic
    }

    private enum VerticalKey: EnvironmentKey {
        static let defaultValue = ScrollIndicatorVisibility.automatic
    }

    public var horizontalScrollIndicatorVisibility: ScrollIndicatorVisibility {
        get { self[HorizontalKey.self] }
        set { self[HorizontalKey.self] = newValue }
    }

    public var verticalScrollIndicatorVisibility: ScrollIndicatorVisibility {
        get { self[VerticalKey.self] }
        set { self[VerticalKey.self] = newValue }
    }
}

extension View {
    /// Sets whether the scroll views here have indicators along these axes.
    ///
    /// Partly: The page draws none, as a phone at rest.
    public func scrollIndicators(
        _ visibility: ScrollIndicatorVisibility, axes: Axis.Set = [.vertical, .horizontal],
    ) -> some View {
        modifier(
            EnvironmentModifier {
                if axes.contains(.horizontal) { $0.horizontalScrollIndicatorVisibility = visibility }
                if axes.contains(.vertical) { $0.verticalScrollIndicatorVisibility = visibility }
            })
    }
}
