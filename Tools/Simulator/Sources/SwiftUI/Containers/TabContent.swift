/// A page of a tab view with its tab, for a selection of some type.
@available(iOS 18, macOS 15, *)
@MainActor
@preconcurrency
public protocol TabContent<TabValue>: View {
    associatedtype TabValue: Hashable
}

@available(iOS 18, macOS 15, *)
extension Tab: TabContent where Value: Hashable {
    public typealias TabValue = Value
}

@available(iOS 18, macOS 15, *)
extension ForEach: TabContent where Content: TabContent {
    public typealias TabValue = Content.TabValue
}

/// A tab with a modifier.
@available(iOS 18, macOS 15, *)
public struct _ModifiedTab<Base: TabContent, Content: View>: TabContent {
    public typealias TabValue = Base.TabValue
    let content: Content

    public var body: some View { content }
}

@available(iOS 18, macOS 15, *)
extension TabContent {
    /// Adds a number to the tab, unless it is 0.
    public func badge(_ count: Int) -> some TabContent<TabValue> { modified { $0.badge(count) } }
    public func badge(_ label: Text?) -> some TabContent<TabValue> { modified { $0.badge(label) } }

    private func modified<V: View>(_ change: (AnyView) -> V) -> _ModifiedTab<Self, V> {
        _ModifiedTab(content: change(AnyView(self)))
    }
}

/// Builds the tabs of a tab view, whose values have the type of its selection.
@available(iOS 18, macOS 15, *)
@MainActor
@resultBuilder
public struct TabContentBuilder<TabValue: Hashable> {
    public static func buildExpression<Content: TabContent<TabValue>>(_ content: Content) -> Content { content }

    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> {
        TupleView(children: repeat each content)
    }

    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

    public static func buildEither<TrueContent: View, FalseContent: View>(
        first: TrueContent
    ) -> _ConditionalContent<TrueContent, FalseContent> {
        ViewBuilder.buildEither(first: first)
    }

    public static func buildEither<TrueContent: View, FalseContent: View>(
        second: FalseContent
    ) -> _ConditionalContent<TrueContent, FalseContent> {
        ViewBuilder.buildEither(second: second)
    }
}

@available(iOS 18, macOS 15, *)
extension TabView {
    /// Creates tabs whose values are those of the selection.
    public init(
        selection: Binding<SelectionValue>, @TabContentBuilder<SelectionValue> content: () -> Content,
    ) {
        self.init(selection: selection, pages: content())
    }
}
