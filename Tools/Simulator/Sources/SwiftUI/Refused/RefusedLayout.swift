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

    @available(*, unavailable, message: "SwiftUI on Linux lacks listSectionSeparator. Use listRowSeparator.")
    public func listSectionSeparator(_ visibility: Visibility, edges: Edge.Set = .all) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks listItemTint. Use tint.")
    public func listItemTint(_ tint: Color?) -> some View { self }
}
