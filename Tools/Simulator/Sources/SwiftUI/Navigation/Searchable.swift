import ViewTree

/// The placement of a page's search field.
///
/// Partly: Compiled. The field is always under the bar.
public struct SearchFieldPlacement: Hashable, Sendable {
    let name: String

    public static let automatic = SearchFieldPlacement(name: "automatic")
    public static let toolbar = SearchFieldPlacement(name: "toolbar")
    public static let sidebar = SearchFieldPlacement(name: "sidebar")

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

/// A search that the user, the app's binding or a view inside begins and ends.
@MainActor
private final class SearchState {
    var isActive = false
    /// True after a submit, until the user types or taps the field.
    var hidesSuggestions = false
    let dismissal = DismissTarget()
}

private struct SearchModifier: PrimitiveModifier {
    typealias Body = Never
    let text: Binding<String>
    /// True while the user searches; `nil` if the app does not decide that.
    let isPresented: Binding<Bool>?
    let prompt: Text?

    private func state(_ node: ViewNode) -> SearchState {
        if let state = node.storage as? SearchState { return state }
        let state = SearchState()
        node.storage = state
        return state
    }

    private func isActive(_ node: ViewNode) -> Bool { isPresented?.wrappedValue ?? state(node).isActive }

    private func setActive(_ isActive: Bool, _ node: ViewNode) {
        if let isPresented {
            if isPresented.wrappedValue != isActive { isPresented.wrappedValue = isActive }
        } else if state(node).isActive != isActive {
            state(node).isActive = isActive
            node.graph.setNeedsUpdate(node)
        }
    }

    private func setHidesSuggestions(_ hides: Bool, _ node: ViewNode) {
        guard state(node).hidesSuggestions != hides else { return }
        state(node).hidesSuggestions = hides
        node.graph.setNeedsUpdate(node)
    }

    /// Ends the search and empties the field, as its Cancel button does.
    private func end(_ node: ViewNode) {
        if !text.wrappedValue.isEmpty { text.wrappedValue = "" }
        setActive(false, node)
    }

    func slots(content: any View, in node: ViewNode) -> [Slot] {
        let isActive = isActive(node)
        let state = state(node)
        let dismissal = state.dismissal
        dismissal.action = { [weak node] in if let node { end(node) } }
        node.environment.searchFollower?.follow(
            isSearching: isActive, showsSuggestions: isActive && !state.hidesSuggestions)
        return [
            Slot(.position(0), content) {
                $0.isSearching = isActive
                $0.dismissSearch = DismissSearchAction(target: dismissal)
                $0.searchFollower = nil
            }
        ]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let text = text
        let isActive = isActive(node)
        let submit = node.environment.searchSubmitActions
        node.handle(.focus) {
            setHidesSuggestions(false, node)
            setActive(true, node)
        }
        node.handle(.dismiss) { end(node) }
        node.handle(.submit) {
            setHidesSuggestions(true, node)
            for action in submit.actions { action() }
        }
        node.handle(.change) { value in
            guard let new = value?.string, new.count <= 1_000 else { return false }
            setHidesSuggestions(false, node)
            if !new.isEmpty { setActive(true, node) }
            text.wrappedValue = new
            return true
        }
        var output = Output(merging: children)
        let prompt = prompt?.text(in: node.environment) ?? SystemWord.search.text(in: node.environment)
        var properties: [String: NodeValue] = ["text": .string(text.wrappedValue), "placeholder": .string(prompt)]
        if isActive { properties["focused"] = true }
        output.preferences.search = RenderedNode(
            id: node.id, kind: .search, properties: properties,
            actions: [.change, .submit, .focus] + (isActive ? [.dismiss] : []))
        output.placeSearch()
        return output
    }

    func didChangeVisibility(_ node: ViewNode) {
        guard !node.isAlive else { return }
        node.environment.searchFollower?.follow(isSearching: false, showsSuggestions: false)
    }
}

/// Ends the search of the page.
@MainActor
@preconcurrency
public struct DismissSearchAction {
    let target: DismissTarget?

    public func callAsFunction() { target?.action() }
}

extension EnvironmentValues {
    private enum IsSearchingKey: EnvironmentKey {
        static let defaultValue = false
    }

    private enum DismissSearchKey: EnvironmentKey {
        static var defaultValue: DismissTarget? { nil }
    }

    /// True while the user searches by the field of a `searchable` around the view.
    public internal(set) var isSearching: Bool {
        get { self[IsSearchingKey.self] }
        set { self[IsSearchingKey.self] = newValue }
    }

    /// Ends the search of the `searchable` around the view, and empties its field.
    public internal(set) var dismissSearch: DismissSearchAction {
        get { DismissSearchAction(target: self[DismissSearchKey.self]) }
        set { self[DismissSearchKey.self] = newValue.target }
    }
}

extension View {
    /// Adds a search field to the page's bar.
    public func searchable(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil,
    ) -> some View {
        modifier(SearchModifier(text: text, isPresented: nil, prompt: prompt))
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

    /// Adds a search field that the binding opens and closes.
    @available(iOS 17, macOS 14, *)
    public func searchable(
        text: Binding<String>, isPresented: Binding<Bool>, placement: SearchFieldPlacement = .automatic,
        prompt: Text? = nil,
    ) -> some View {
        modifier(SearchModifier(text: text, isPresented: isPresented, prompt: prompt))
    }

    @available(iOS 17, macOS 14, *)
    public func searchable(
        text: Binding<String>, isPresented: Binding<Bool>, placement: SearchFieldPlacement = .automatic,
        prompt: LocalizedStringKey,
    ) -> some View {
        searchable(text: text, isPresented: isPresented, placement: placement, prompt: Text(prompt))
    }

    @_disfavoredOverload
    @available(iOS 17, macOS 14, *)
    public func searchable<S: StringProtocol>(
        text: Binding<String>, isPresented: Binding<Bool>, placement: SearchFieldPlacement = .automatic, prompt: S,
    ) -> some View {
        searchable(text: text, isPresented: isPresented, placement: placement, prompt: Text(prompt))
    }
}
