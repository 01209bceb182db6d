/// The purpose of a page's bar.
public struct ToolbarRole: Hashable, Sendable {
    let name: String?

    public static let automatic = ToolbarRole(name: nil)
    public static let navigationStack = ToolbarRole(name: nil)
    public static let browser = ToolbarRole(name: "browser")
    /// A bar over content that the user edits. The button that leads back has no title.
    public static let editor = ToolbarRole(name: "editor")
}

/// A second line under the title of a page.
private struct SubtitleModifier: PrimitiveModifier {
    typealias Body = Never
    let subtitle: Text

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        output.preferences.subtitle = subtitle.text(in: node.environment)
        return output
    }
}

extension View {
    public func toolbarRole(_ role: ToolbarRole) -> some View {
        modifier(BarModifier { $0.toolbarRole = role.name ?? $0.toolbarRole })
    }

    /// Sets a second line under the title of the page.
    @available(iOS 26, macOS 11, *)
    public func navigationSubtitle(_ subtitle: Text) -> some View { modifier(SubtitleModifier(subtitle: subtitle)) }

    @available(iOS 26, macOS 11, *)
    public func navigationSubtitle(_ subtitleKey: LocalizedStringKey) -> some View {
        navigationSubtitle(Text(subtitleKey))
    }

    @available(iOS 26, macOS 11, *)
    @_disfavoredOverload
    public func navigationSubtitle<S: StringProtocol>(_ subtitle: S) -> some View {
        navigationSubtitle(Text(subtitle))
    }
}
