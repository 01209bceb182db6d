import DeviceLink
public import Foundation

/// The columns of a split view that a wide screen shows.
public struct NavigationSplitViewVisibility: Hashable, Codable, Sendable {
    private let name: String

    /// All columns in landscape, and the last one in portrait.
    public static let automatic = NavigationSplitViewVisibility(name: "automatic")
    public static let all = NavigationSplitViewVisibility(name: "all")
    /// The last two columns.
    public static let doubleColumn = NavigationSplitViewVisibility(name: "doubleColumn")
    public static let detailOnly = NavigationSplitViewVisibility(name: "detailOnly")

    static func automatic(in environment: EnvironmentValues) -> NavigationSplitViewVisibility {
        environment.device.isLandscape ? .doubleColumn : .detailOnly
    }
}

/// A column of a split view.
@available(iOS 17, macOS 14, *)
public struct NavigationSplitViewColumn: Hashable, Sendable {
    private let name: String

    public static let sidebar = NavigationSplitViewColumn(name: "sidebar")
    public static let content = NavigationSplitViewColumn(name: "content")
    public static let detail = NavigationSplitViewColumn(name: "detail")
}

/// The style of a split view.
///
/// Partly: In each style the columns of a wide screen are side by side.
@MainActor
@preconcurrency
public protocol NavigationSplitViewStyle {}

public struct AutomaticNavigationSplitViewStyle: NavigationSplitViewStyle {
    nonisolated public init() {}
}

public struct BalancedNavigationSplitViewStyle: NavigationSplitViewStyle {
    nonisolated public init() {}
}

public struct ProminentDetailNavigationSplitViewStyle: NavigationSplitViewStyle {
    nonisolated public init() {}
}

extension NavigationSplitViewStyle where Self == AutomaticNavigationSplitViewStyle {
    public static var automatic: AutomaticNavigationSplitViewStyle { AutomaticNavigationSplitViewStyle() }
}

extension NavigationSplitViewStyle where Self == BalancedNavigationSplitViewStyle {
    public static var balanced: BalancedNavigationSplitViewStyle { BalancedNavigationSplitViewStyle() }
}

extension NavigationSplitViewStyle where Self == ProminentDetailNavigationSplitViewStyle {
    public static var prominentDetail: ProminentDetailNavigationSplitViewStyle {
        ProminentDetailNavigationSplitViewStyle()
    }
}

/// An item that the system puts into a bar.
@available(iOS 17, macOS 14, *)
public struct ToolbarDefaultItemKind: Sendable {
    public static let sidebarToggle = ToolbarDefaultItemKind()
}

extension View {
    /// Sets the style of split views. On a phone all are the same.
    public func navigationSplitViewStyle<S: NavigationSplitViewStyle>(_ style: S) -> some View { self }

    /// Sets the width of this column on a wide screen.
    ///
    /// Partly: Not of the last column, which has the rest. A minimum and a maximum change nothing.
    public func navigationSplitViewColumnWidth(_ width: CGFloat) -> some View {
        modifier(BarModifier { $0.columnWidth = Double(width) })
    }

    /// Sets the width of this column on a wide screen. The user does not change it.
    ///
    /// Partly: Not of the last column, which has the rest. A minimum and a maximum change nothing.
    public func navigationSplitViewColumnWidth(
        min: CGFloat? = nil, ideal: CGFloat, max: CGFloat? = nil,
    ) -> some View {
        navigationSplitViewColumnWidth(ideal)
    }

    /// Removes the button that shows and hides the columns.
    @available(iOS 17, macOS 14, *)
    public func toolbar(removing defaultItemKind: ToolbarDefaultItemKind?) -> some View {
        modifier(BarModifier { $0.hidesSidebarToggle = defaultItemKind != nil })
    }
}
