public import Foundation

// Layout and scrolling that the stand-in refuses: see `RefusedTypes.swift`.

extension View {
    @available(*, unavailable, message: "SwiftUI on Linux lacks alignmentGuide. Use padding or offset.")
    public var alignmentGuide: _RefusedAlignmentGuide<Self> { _RefusedAlignmentGuide(view: self) }

    @available(*, unavailable, message: "SwiftUI on Linux lacks anchorPreference. Use GeometryReader and preference.")
    public func anchorPreference<A: Sendable, K: PreferenceKey>(
        key _: K.Type = K.self, value: Anchor<A>.Source, transform: @escaping (Anchor<A>) -> K.Value,
    ) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks overlayPreferenceValue. Use onPreferenceChange.")
    public func overlayPreferenceValue<K: PreferenceKey, T: View>(
        _ key: K.Type = K.self, @ViewBuilder _ transform: @escaping (K.Value) -> T,
    ) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks backgroundPreferenceValue. Use onPreferenceChange.")
    public func backgroundPreferenceValue<K: PreferenceKey, T: View>(
        _ key: K.Type = K.self, @ViewBuilder _ transform: @escaping (K.Value) -> T,
    ) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks containerRelativeFrame. Use GeometryReader.")
    public var containerRelativeFrame: _RefusedContainerRelativeFrame<Self> {
        _RefusedContainerRelativeFrame(view: self)
    }

    @available(*, unavailable, message: "SwiftUI on Linux lacks scrollPosition. Use ScrollViewReader.")
    public var scrollPosition: _RefusedScrollPosition<Self> { _RefusedScrollPosition(view: self) }

    @available(*, unavailable, message: "SwiftUI on Linux lacks defaultScrollAnchor. Use ScrollViewReader.")
    public func defaultScrollAnchor(_ anchor: UnitPoint?) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks onScrollGeometryChange. Use GeometryReader.")
    public func onScrollGeometryChange<T: Equatable>(
        for type: T.Type, of transform: @escaping (GeometryProxy) -> T, action: @escaping (T, T) -> Void,
    ) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks scrollTargetBehavior. Use a TabView of pages.")
    public func scrollTargetBehavior(_ behavior: ScrollTargetBehavior) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks scrollTargetLayout. Use a TabView of pages.")
    public func scrollTargetLayout(isEnabled: Bool = true) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks scrollClipDisabled. Use padding inside.")
    public func scrollClipDisabled(_ disabled: Bool = true) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks contentMargins. Use padding in the content.")
    public var contentMargins: _RefusedContentMargins<Self> { _RefusedContentMargins(view: self) }

    @available(*, unavailable, message: "SwiftUI on Linux lacks safeAreaPadding. Use padding.")
    public var safeAreaPadding: _RefusedSafeAreaPadding<Self> { _RefusedSafeAreaPadding(view: self) }

    @available(*, unavailable, message: "SwiftUI on Linux lacks listRowSpacing. Use a LazyVStack.")
    public func listRowSpacing(_ spacing: CGFloat?) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks listSectionSpacing. Use a LazyVStack.")
    public var listSectionSpacing: _RefusedListSectionSpacing<Self> { _RefusedListSectionSpacing(view: self) }

    @available(*, unavailable, message: "SwiftUI on Linux lacks listSectionSeparator. Use listRowSeparator.")
    public func listSectionSeparator(_ visibility: Visibility, edges: Edge.Set = .all) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks listItemTint. Use tint.")
    public func listItemTint(_ tint: Color?) -> some View { self }
}
