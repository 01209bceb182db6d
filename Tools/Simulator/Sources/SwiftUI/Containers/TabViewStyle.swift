/// The way in which a tab view shows its pages.
@MainActor
@preconcurrency
public protocol TabViewStyle {
    var _pages: _TabPages? { get }
}

/// Pages that the user swipes through.
public struct _TabPages: Hashable, Sendable {
    let showsIndex: Bool
}

/// A bar with a tab for each page.
public struct DefaultTabViewStyle: TabViewStyle {
    nonisolated public init() {}
    public var _pages: _TabPages? { nil }
}

/// Pages that the user swipes through, with a dot for each.
public struct PageTabViewStyle: TabViewStyle {
    /// The visibility of the dots.
    public struct IndexDisplayMode: Hashable, Sendable {
        let isShown: Bool

        /// Shows the dots if there are several pages.
        public static let automatic = IndexDisplayMode(isShown: true)
        public static let always = IndexDisplayMode(isShown: true)
        public static let never = IndexDisplayMode(isShown: false)
    }

    private let indexDisplayMode: IndexDisplayMode

    nonisolated public init(indexDisplayMode: IndexDisplayMode = .automatic) {
        self.indexDisplayMode = indexDisplayMode
    }

    public var _pages: _TabPages? { _TabPages(showsIndex: indexDisplayMode.isShown) }
}

extension TabViewStyle where Self == DefaultTabViewStyle {
    public static var automatic: DefaultTabViewStyle { DefaultTabViewStyle() }
}

/// A bar with tabs on a phone. On an iPad the tabs are not in a sidebar.
@available(iOS 18, macOS 15, *)
public struct SidebarAdaptableTabViewStyle: TabViewStyle {
    nonisolated public init() {}
    public var _pages: _TabPages? { nil }
}

@available(iOS 18, macOS 15, *)
extension TabViewStyle where Self == SidebarAdaptableTabViewStyle {
    public static var sidebarAdaptable: SidebarAdaptableTabViewStyle { SidebarAdaptableTabViewStyle() }
}

extension TabViewStyle where Self == PageTabViewStyle {
    public static var page: PageTabViewStyle { PageTabViewStyle() }

    public static func page(indexDisplayMode: PageTabViewStyle.IndexDisplayMode) -> PageTabViewStyle {
        PageTabViewStyle(indexDisplayMode: indexDisplayMode)
    }
}

/// The appearance of the dots of a tab view with pages.
@MainActor
@preconcurrency
public protocol IndexViewStyle {
    var _hasBackground: Bool { get }
}

/// Dots, on a background if the app wants one.
public struct PageIndexViewStyle: IndexViewStyle {
    /// The visibility of the background. By default the phone shows it only while a finger is on the dots.
    public struct BackgroundDisplayMode: Hashable, Sendable {
        let isShown: Bool

        public static let automatic = BackgroundDisplayMode(isShown: false)
        public static let interactive = BackgroundDisplayMode(isShown: false)
        public static let always = BackgroundDisplayMode(isShown: true)
        public static let never = BackgroundDisplayMode(isShown: false)
    }

    private let backgroundDisplayMode: BackgroundDisplayMode

    nonisolated public init(backgroundDisplayMode: BackgroundDisplayMode = .automatic) {
        self.backgroundDisplayMode = backgroundDisplayMode
    }

    public var _hasBackground: Bool { backgroundDisplayMode.isShown }
}

extension IndexViewStyle where Self == PageIndexViewStyle {
    public static var page: PageIndexViewStyle { PageIndexViewStyle() }

    public static func page(backgroundDisplayMode: PageIndexViewStyle.BackgroundDisplayMode) -> PageIndexViewStyle {
        PageIndexViewStyle(backgroundDisplayMode: backgroundDisplayMode)
    }
}

extension EnvironmentValues {
    private enum IndexBackgroundKey: EnvironmentKey {
        static let defaultValue = false
    }

    /// True if the dots of pages lie on a background.
    var indexHasBackground: Bool {
        get { self[IndexBackgroundKey.self] }
        set { self[IndexBackgroundKey.self] = newValue }
    }
}

extension View {
    public func indexViewStyle<S: IndexViewStyle>(_ style: S) -> some View {
        environment(\.indexHasBackground, style._hasBackground)
    }
}

extension EnvironmentValues {
    private enum TabPagesKey: EnvironmentKey {
        static var defaultValue: _TabPages? { nil }
    }

    var tabPages: _TabPages? {
        get { self[TabPagesKey.self] }
        set { self[TabPagesKey.self] = newValue }
    }
}

extension View {
    public func tabViewStyle<S: TabViewStyle>(_ style: S) -> some View { environment(\.tabPages, style._pages) }
}
