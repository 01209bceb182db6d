/// The purpose of a tab.
@available(iOS 18, macOS 15, *)
public struct TabRole: Hashable, Sendable {
    /// A tab that searches. Its label is the system's if it has none.
    public static let search = TabRole()
}

/// A page of a tab view with its tab, in the form since iOS 18.
@available(iOS 18, macOS 15, *)
public struct Tab<Value, Content: View, Label: View>: View {
    let tag: AnyHashable?
    let content: Content
    let label: Label

    public var body: some View { content.modifier(OptionalTagModifier(tag: tag)).tabItem { label } }
}

@available(iOS 18, macOS 15, *)
extension Tab where Value: Hashable {
    public init(
        value: Value, role: TabRole? = nil, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label,
    ) {
        self.init(tag: AnyHashable(value), content: content(), label: label())
    }
}

@available(iOS 18, macOS 15, *)
extension Tab where Value: Hashable, Label == SwiftUI.Label<Text, Image> {
    public init(
        _ titleKey: LocalizedStringKey, systemImage: String, value: Value, role: TabRole? = nil,
        @ViewBuilder content: () -> Content,
    ) {
        self.init(value: value, content: content) { SwiftUI.Label(titleKey, systemImage: systemImage) }
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, systemImage: String, value: Value, role: TabRole? = nil, @ViewBuilder content: () -> Content,
    ) {
        self.init(value: value, content: content) { SwiftUI.Label(title, systemImage: systemImage) }
    }

    public init(
        _ titleKey: LocalizedStringKey, image: String, value: Value, role: TabRole? = nil,
        @ViewBuilder content: () -> Content,
    ) {
        self.init(value: value, content: content) { SwiftUI.Label(titleKey, image: image) }
    }
}

@available(iOS 18, macOS 15, *)
extension Tab where Value == Never {
    public init(role: TabRole? = nil, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        self.init(tag: nil, content: content(), label: label())
    }
}

@available(iOS 18, macOS 15, *)
extension Tab where Value == Never, Label == SwiftUI.Label<Text, Image> {
    public init(
        _ titleKey: LocalizedStringKey, systemImage: String, role: TabRole? = nil, @ViewBuilder content: () -> Content,
    ) {
        self.init(content: content) { SwiftUI.Label(titleKey, systemImage: systemImage) }
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, systemImage: String, role: TabRole? = nil, @ViewBuilder content: () -> Content,
    ) {
        self.init(content: content) { SwiftUI.Label(title, systemImage: systemImage) }
    }

    public init(
        _ titleKey: LocalizedStringKey, image: String, role: TabRole? = nil, @ViewBuilder content: () -> Content,
    ) {
        self.init(content: content) { SwiftUI.Label(titleKey, image: image) }
    }
}

/// The label of a tab that searches.
public struct DefaultTabLabel: View {
    @Environment(\.locale) private var locale

    public var body: some View {
        Label(SystemWord.search.text(for: locale), systemImage: "magnifyingglass")
    }
}

@available(iOS 18, macOS 15, *)
extension Tab where Value: Hashable, Label == DefaultTabLabel {
    public init(value: Value, role: TabRole?, @ViewBuilder content: () -> Content) {
        self.init(value: value, content: content) { DefaultTabLabel() }
    }
}

@available(iOS 18, macOS 15, *)
extension Tab where Value == Never, Label == DefaultTabLabel {
    public init(role: TabRole?, @ViewBuilder content: () -> Content) {
        self.init(content: content) { DefaultTabLabel() }
    }
}

private struct OptionalTagModifier: PrimitiveModifier {
    typealias Body = Never
    let tag: AnyHashable?

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        guard let tag else { return output }
        for index in output.elements.indices { output.elements[index].traits.tag = tag }
        return output
    }
}
