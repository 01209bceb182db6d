import ViewTree

/// The part of a search that the modifiers around its `searchable` show.
@MainActor
final class SearchFollower {
    private(set) var isSearching = false
    private(set) var showsSuggestions = false
    private weak var node: ViewNode?

    init(_ node: ViewNode) {
        self.node = node
    }

    fileprivate static func of(_ node: ViewNode) -> SearchFollower {
        if let follower = node.storage as? SearchFollower { return follower }
        let follower = SearchFollower(node)
        node.storage = follower
        return follower
    }

    /// Takes the state of the search inside, and passes it on to the modifiers around.
    func follow(isSearching: Bool, showsSuggestions: Bool) {
        guard let node, node.isAlive else { return }
        node.environment.searchFollower?.follow(isSearching: isSearching, showsSuggestions: showsSuggestions)
        guard (isSearching, showsSuggestions) != (self.isSearching, self.showsSuggestions) else { return }
        (self.isSearching, self.showsSuggestions) = (isSearching, showsSuggestions)
        node.graph.setNeedsUpdate(node)
    }
}

extension EnvironmentValues {
    private enum SearchFollowerKey: EnvironmentKey {
        static var defaultValue: SearchFollower? { nil }
    }

    var searchFollower: SearchFollower? {
        get { self[SearchFollowerKey.self] }
        set { self[SearchFollowerKey.self] = newValue }
    }
}

/// Views below an active search field, in place of the page's content. A tap on a completion fills the field, and
/// submits it.
private struct SuggestionsModifier<Suggestions: View>: PrimitiveModifier {
    typealias Body = Never
    let suggestions: Suggestions

    func slots(content: any View, in node: ViewNode) -> [Slot] {
        let follower = SearchFollower.of(node)
        return [
            Slot(.position(0), content) { $0.searchFollower = follower },
            Slot(.position(1), suggestions, isVisible: follower.showsSuggestions) { $0.leaveContainers() },
        ]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = children[0]
        output.preferences.presentations += children[1].preferences.presentations
        guard let search = output.preferences.search, SearchFollower.of(node).showsSuggestions else { return output }
        let rows = children[1].elements.map { row($0, for: search, in: node) }
        guard !rows.isEmpty else { return output }
        let list = RenderedNode(id: node.wrapperID(.choices), kind: .choices, children: rows)
        output.preferences.search = search.replacingChildren(with: search.children + [list])
        output.placeSearch()
        return output
    }

    private func row(_ element: Element, for search: RenderedNode, in node: ViewNode) -> RenderedNode {
        let id = node.wrapperID(.row, around: element.node.id)
        guard let completion = element.traits.searchCompletion else {
            return RenderedNode(id: id, kind: .row, children: [element.node])
        }
        let graph = node.graph
        node.handle(.tap, on: id) {
            let field = graph.node(search.id)
            if field?.handler(for: .change)?(.string(completion)) == true { _ = field?.handler(for: .submit)?(nil) }
        }
        return RenderedNode(id: id, kind: .row, actions: [.tap], children: [element.node])
    }
}

/// Choices of where to search, below an active search field.
private struct ScopesModifier<Scope: Hashable, Scopes: View>: PrimitiveModifier {
    typealias Body = Never
    let scope: Binding<Scope>
    let activation: SearchScopeActivation
    let scopes: Scopes

    /// Remembers that the user has typed in the present search.
    @MainActor
    private final class ScopesState {
        let follower: SearchFollower
        var isShown = false

        init(_ node: ViewNode) {
            follower = SearchFollower(node)
        }
    }

    private func state(_ node: ViewNode) -> ScopesState {
        if let state = node.storage as? ScopesState { return state }
        let state = ScopesState(node)
        node.storage = state
        return state
    }

    func slots(content: any View, in node: ViewNode) -> [Slot] {
        let follower = state(node).follower
        let choice = Picker(selection: scope) {
            scopes
        } label: {
            EmptyView()
        }
        return [
            Slot(.position(0), content) { $0.searchFollower = follower },
            Slot(.position(1), choice, isVisible: follower.isSearching) {
                $0.leaveContainers()
                $0.pickerStyle = .segmented
            },
        ]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = children[0]
        guard let search = output.preferences.search else { return output }
        let state = state(node)
        let isTyped = activation.isOnPresentation || search.properties["text"] != ""
        state.isShown = state.follower.isSearching && (state.isShown || isTyped)
        guard state.isShown else { return output }
        output.preferences.search = search.replacingChildren(with: children[1].nodes + search.children)
        output.placeSearch()
        return output
    }
}

/// The time at which the scopes of a search are shown.
@available(iOS 16.4, macOS 13.3, *)
public struct SearchScopeActivation: Sendable {
    let isOnPresentation: Bool

    /// On a phone, when the user types.
    public static let automatic = onTextEntry
    public static let onTextEntry = SearchScopeActivation(isOnPresentation: false)
    public static let onSearchPresentation = SearchScopeActivation(isOnPresentation: true)
}

/// The fields whose return key runs an action.
public struct SubmitTriggers: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static let text = SubmitTriggers(rawValue: 1)
    public static let search = SubmitTriggers(rawValue: 2)
}

extension View {
    /// Shows suggestions below the search field of a `searchable` inside, while the user searches.
    public func searchSuggestions<S: View>(@ViewBuilder _ suggestions: () -> S) -> some View {
        modifier(SuggestionsModifier(suggestions: suggestions()))
    }

    /// Fills the search field with a text when the user taps the suggestion.
    public func searchCompletion(_ completion: String) -> some View {
        modifier(TraitModifier { $0.searchCompletion = completion })
    }

    /// Adds a search field with suggestions.
    public func searchable<S: View>(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil,
        @ViewBuilder suggestions: () -> S,
    ) -> some View {
        searchable(text: text, placement: placement, prompt: prompt).searchSuggestions(suggestions)
    }

    public func searchable<S: View>(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey,
        @ViewBuilder suggestions: () -> S,
    ) -> some View {
        searchable(text: text, placement: placement, prompt: prompt).searchSuggestions(suggestions)
    }

    @_disfavoredOverload
    public func searchable<V: View, S: StringProtocol>(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: S,
        @ViewBuilder suggestions: () -> V,
    ) -> some View {
        searchable(text: text, placement: placement, prompt: prompt).searchSuggestions(suggestions)
    }

    /// Shows scopes below the search field of a `searchable` inside, when the user types.
    public func searchScopes<V: Hashable, S: View>(
        _ scope: Binding<V>, @ViewBuilder scopes: () -> S,
    ) -> some View {
        modifier(ScopesModifier(scope: scope, activation: .automatic, scopes: scopes()))
    }

    @available(iOS 16.4, macOS 13.3, *)
    public func searchScopes<V: Hashable, S: View>(
        _ scope: Binding<V>, activation: SearchScopeActivation, @ViewBuilder _ scopes: () -> S,
    ) -> some View {
        modifier(ScopesModifier(scope: scope, activation: activation, scopes: scopes()))
    }

    @available(*, unavailable, message: "SwiftUI on Linux lacks searchable with tokens. Use searchScopes.")
    public func searchable<C: RandomAccessCollection & RangeReplaceableCollection, T: View>(
        text: Binding<String>, tokens: Binding<C>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil,
        @ViewBuilder token: @escaping (C.Element) -> T,
    ) -> some View where C.Element: Identifiable { self }
}
