/// A symbol, a title and a description in the middle of a screen without content.
@available(iOS 17, macOS 14, *)
public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: View {
    let label: Label
    let description: Description
    let actions: Actions

    public init(
        @ViewBuilder label: () -> Label, @ViewBuilder description: () -> Description = { EmptyView() },
        @ViewBuilder actions: () -> Actions = { EmptyView() },
    ) {
        self.label = label()
        self.description = description()
        self.actions = actions()
    }

    public var body: some View {
        VStack(spacing: 16) {
            VStack(spacing: 8) {
                label.labelStyle(UnavailableLabelStyle())
                description.font(.subheadline).foregroundStyle(.secondary).multilineTextAlignment(.center)
            }
            actions.font(.subheadline)
        }
        .padding(.horizontal, 32)
        .padding(.vertical, 16)
        .frame(maxWidth: .infinity, maxHeight: .infinity)
    }
}

private struct UnavailableLabelStyle: LabelStyle {
    func makeBody(configuration: Configuration) -> some View {
        VStack(spacing: 12) {
            configuration.icon.font(.system(size: 48)).foregroundStyle(.secondary)
            configuration.title.font(.title2.bold()).multilineTextAlignment(.center)
        }
    }
}

@available(iOS 17, macOS 14, *)
extension ContentUnavailableView where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
    public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) {
        self.init(label: { SwiftUI.Label(title, systemImage: name) }, description: { description })
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage name: String, description: Text? = nil) {
        self.init(label: { SwiftUI.Label(title, systemImage: name) }, description: { description })
    }

    public init(_ title: LocalizedStringKey, image name: String, description: Text? = nil) {
        self.init(label: { SwiftUI.Label(title, image: name) }, description: { description })
    }
}

/// The words for a search without results.
@available(iOS 17, macOS 14, *)
public struct SearchUnavailableContent {
    /// The title.
    public struct Label: View {
        let text: String?
        @Environment(\.locale) private var locale

        public var body: some View {
            let language = Translations.main.language(for: locale)
            let words = text.map { SystemWord.noResultsFor.text(in: language).replacing("%@", with: $0) }
            SwiftUI.Label(words ?? SystemWord.noResults.text(in: language), systemImage: "magnifyingglass")
        }
    }

    /// The advice under the title.
    public struct Description: View {
        @Environment(\.locale) private var locale

        public var body: some View { Text(SystemWord.checkSpelling.text(for: locale)) }
    }
}

@available(iOS 17, macOS 14, *)
extension ContentUnavailableView
where
    Label == SearchUnavailableContent.Label, Description == SearchUnavailableContent.Description,
    Actions == EmptyView
{
    /// Tells that a search has no results.
    public static var search: ContentUnavailableView { make(nil) }

    public static func search(text: String) -> ContentUnavailableView { make(text) }

    private static func make(_ text: String?) -> ContentUnavailableView {
        ContentUnavailableView(
            label: { SearchUnavailableContent.Label(text: text) },
            description: { SearchUnavailableContent.Description() })
    }
}
