/// A stack of pages, in the form before iOS 16. Two or three views are columns on a wide screen.
public struct NavigationView<Content: View>: View {
    let content: Content
    @Environment(\.isNavigationStack) private var isStack

    public init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }

    public var body: some View {
        if let columns = (content as? any ViewList)?.children, columns.count > 1 {
            if isStack {
                NavigationStack { AnyView(columns[0]) }
            } else if columns.count == 2 {
                NavigationSplitView {
                    AnyView(columns[0])
                } detail: {
                    AnyView(columns[1])
                }
            } else {
                NavigationSplitView {
                    AnyView(columns[0])
                } content: {
                    AnyView(columns[1])
                } detail: {
                    AnyView(columns[2])
                }
            }
        } else {
            NavigationStack { content }
        }
    }
}

/// The views of a builder's closure.
@MainActor
private protocol ViewList {
    var children: [any View] { get }
}

extension TupleView: ViewList {}

/// The style of a `NavigationView`.
@MainActor
@preconcurrency
public protocol NavigationViewStyle {
    var _isStack: Bool { get }
}

/// Shows the first view alone, and the pages that its links open.
public struct StackNavigationViewStyle: NavigationViewStyle {
    nonisolated public init() {}
    public var _isStack: Bool { true }
}

/// On a wide screen, columns for several views.
public struct ColumnNavigationViewStyle: NavigationViewStyle {
    nonisolated public init() {}
    public var _isStack: Bool { false }
}

public struct DoubleColumnNavigationViewStyle: NavigationViewStyle {
    nonisolated public init() {}
    public var _isStack: Bool { false }
}

public struct DefaultNavigationViewStyle: NavigationViewStyle {
    nonisolated public init() {}
    public var _isStack: Bool { false }
}

extension NavigationViewStyle where Self == StackNavigationViewStyle {
    public static var stack: StackNavigationViewStyle { StackNavigationViewStyle() }
}

extension NavigationViewStyle where Self == ColumnNavigationViewStyle {
    public static var columns: ColumnNavigationViewStyle { ColumnNavigationViewStyle() }
}

extension NavigationViewStyle where Self == DefaultNavigationViewStyle {
    public static var automatic: DefaultNavigationViewStyle { DefaultNavigationViewStyle() }
}

extension EnvironmentValues {
    private enum IsNavigationStackKey: EnvironmentKey {
        static let defaultValue = false
    }

    var isNavigationStack: Bool {
        get { self[IsNavigationStackKey.self] }
        set { self[IsNavigationStackKey.self] = newValue }
    }
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
    public func navigationViewStyle<S: NavigationViewStyle>(_ style: S) -> some View {
        environment(\.isNavigationStack, style._isStack)
    }

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
