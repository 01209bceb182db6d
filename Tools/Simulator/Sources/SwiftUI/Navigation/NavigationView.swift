/// A stack of pages, in the form before iOS 16.
public struct NavigationView<Content: View>: View {
    let content: Content

    public init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }

    public var body: some View { NavigationStack { content } }
}

/// The style of a `NavigationView`. On a phone every style is a stack.
@MainActor
@preconcurrency
public protocol NavigationViewStyle {}

public struct StackNavigationViewStyle: NavigationViewStyle {
    nonisolated public init() {}
}

public struct DefaultNavigationViewStyle: NavigationViewStyle {
    nonisolated public init() {}
}

extension NavigationViewStyle where Self == StackNavigationViewStyle {
    public static var stack: StackNavigationViewStyle { StackNavigationViewStyle() }
}

extension NavigationViewStyle where Self == DefaultNavigationViewStyle {
    public static var automatic: DefaultNavigationViewStyle { DefaultNavigationViewStyle() }
}

/// The presentation of a view, in the form before iOS 15.
@MainActor
@preconcurrency
public struct PresentationMode {
    public let isPresented: Bool
    let target: DismissTarget?

    /// Dismisses the view if it is presented.
    public mutating func dismiss() { target?.action() }
}

extension EnvironmentValues {
    /// The presentation of the view. `presentationMode.wrappedValue.dismiss()` dismisses it.
    @MainActor public var presentationMode: Binding<PresentationMode> {
        .constant(PresentationMode(isPresented: dismissTarget != nil, target: dismissTarget))
    }
}

extension View {
    public func navigationViewStyle<S: NavigationViewStyle>(_ style: S) -> some View { self }

    public func navigationBarTitle(_ titleKey: LocalizedStringKey) -> some View { navigationTitle(titleKey) }
    public func navigationBarTitle(_ title: Text) -> some View { navigationTitle(title) }

    public func navigationBarTitle(
        _ titleKey: LocalizedStringKey, displayMode: NavigationBarItem.TitleDisplayMode,
    ) -> some View {
        navigationTitle(titleKey).navigationBarTitleDisplayMode(displayMode)
    }

    public func navigationBarTitle(_ title: Text, displayMode: NavigationBarItem.TitleDisplayMode) -> some View {
        navigationTitle(title).navigationBarTitleDisplayMode(displayMode)
    }

    @_disfavoredOverload
    public func navigationBarTitle<S: StringProtocol>(_ title: S) -> some View { navigationTitle(title) }

    @_disfavoredOverload
    public func navigationBarTitle<S: StringProtocol>(
        _ title: S, displayMode: NavigationBarItem.TitleDisplayMode,
    ) -> some View {
        navigationTitle(title).navigationBarTitleDisplayMode(displayMode)
    }

    public func navigationBarItems<L: View, T: View>(leading: L, trailing: T) -> some View {
        toolbar {
            ToolbarItem(placement: .navigationBarLeading) { leading }
            ToolbarItem(placement: .navigationBarTrailing) { trailing }
        }
    }

    public func navigationBarItems<L: View>(leading: L) -> some View {
        toolbar { ToolbarItem(placement: .navigationBarLeading) { leading } }
    }

    public func navigationBarItems<T: View>(trailing: T) -> some View {
        toolbar { ToolbarItem(placement: .navigationBarTrailing) { trailing } }
    }
}
