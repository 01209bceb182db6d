import ViewTree

/// The placement of a page's search field.
public struct SearchFieldPlacement: Hashable, Sendable {
    let name: String

    public static let automatic = SearchFieldPlacement(name: "automatic")
    public static let toolbar = SearchFieldPlacement(name: "toolbar")

    /// The time at which the field under the bar is shown. The page shows it always.
    public enum NavigationBarDrawerDisplayMode: Hashable, Sendable {
        case automatic
        case always
    }

    public static let navigationBarDrawer = SearchFieldPlacement(name: "navigationBarDrawer")

    public static func navigationBarDrawer(
        displayMode: NavigationBarDrawerDisplayMode,
    ) -> SearchFieldPlacement { navigationBarDrawer }
}

private struct SearchModifier: PrimitiveModifier {
    typealias Body = Never
    let text: Binding<String>
    let prompt: Text?

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let text = text
        node.handle(.change) { value in
            guard let new = value?.string, new.count <= 1_000 else { return false }
            text.wrappedValue = new
            return true
        }
        var output = Output(merging: children)
        let prompt = prompt?.text(in: node.environment) ?? SystemWord.search.text(in: node.environment)
        output.preferences.search = RenderedNode(
            id: node.id, kind: .search,
            properties: [
                "text": .string(text.wrappedValue),
                "placeholder": .string(prompt),
            ],
            actions: [.change],
        )
        return output
    }
}

extension View {
    /// Adds a search field to the page's bar.
    public func searchable(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil,
    ) -> some View {
        modifier(SearchModifier(text: text, prompt: prompt))
    }

    public func searchable(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey,
    ) -> some View {
        searchable(text: text, placement: placement, prompt: Text(prompt))
    }

    @_disfavoredOverload
    public func searchable<S: StringProtocol>(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: S,
    ) -> some View {
        searchable(text: text, placement: placement, prompt: Text(prompt))
    }
}
