import DeviceLink
import SwiftUI
import Testing
import ViewTree

/// The search field of a page, and what depends on the search.
@MainActor
@Suite struct `A search` {
    private func field(_ host: ViewHost) -> RenderedNode? { host.tree.root.first { $0.kind == .search } }

    @discardableResult
    private func act(_ action: ViewAction, _ value: NodeValue? = nil, in host: ViewHost) -> EventOutcome? {
        field(host).map { host.send(ViewEvent(node: $0.id, action: action, value: value)) }
    }

    private struct Fruit: View {
        @State private var query = ""
        @State private var submitted = "nothing"

        var body: some View {
            NavigationStack {
                Inside(query: query)
                    .searchable(text: $query, prompt: "Fruit") {
                        ForEach(["Apple", "Pear"], id: \.self) { Text($0).searchCompletion("ripe \($0)") }
                        Text("More fruit")
                    }
                    .onSubmit(of: .search) { submitted = query }
                    .onSubmit { submitted = "a field" }
            }
            Text("submitted \(submitted)")
        }
    }

    private struct Inside: View {
        let query: String
        @Environment(\.isSearching) private var isSearching
        @Environment(\.dismissSearch) private var dismissSearch

        var body: some View {
            Text(isSearching ? "searching for \(query)" : "reading")
            Button("Done") { dismissSearch() }.accessibilityIdentifier("done")
        }
    }

    @Test func `begins in its field, and ends by its button or by the app`() {
        let host = quiet(Fruit())
        #expect(field(host)?.actions.contains(.dismiss) == false)
        act(.focus, in: host)
        act(.change, "kiwi", in: host)
        #expect(host.tree.contains(text: "searching for kiwi"))
        act(.dismiss, in: host)
        #expect(host.tree.contains(text: "reading"))
        #expect(field(host)?.properties["text"] == "")
        act(.change, "fig", in: host)
        #expect(host.tree.contains(text: "searching for fig"))
        host.tap("done")
        #expect(host.tree.contains(text: "reading"))
        #expect(act(.dismiss, in: host) == .notOffered)
    }

    @Test func `suggests completions while it lasts, of which a tap fills the field and submits it`() throws {
        let host = quiet(Fruit())
        #expect(field(host)?.children.isEmpty == true)
        act(.focus, in: host)
        let rows = try #require(field(host)).all { $0.kind == .row }
        #expect(rows.map(\.texts) == [["Apple"], ["Pear"], ["More fruit"]])
        #expect(rows.map { $0.actions.contains(.tap) } == [true, true, false])
        host.send(ViewEvent(node: rows[1].id, action: .tap))
        #expect(field(host)?.properties["text"] == "ripe Pear")
        #expect(host.tree.contains(text: "submitted ripe Pear"))
        #expect(host.tree.contains(text: "searching for ripe Pear"))
        #expect(field(host)?.children.isEmpty == true)
        act(.change, "ripe", in: host)
        #expect(field(host)?.children.isEmpty == false)
        act(.dismiss, in: host)
        #expect(field(host)?.children.isEmpty == true)
    }

    @Test func `runs the action for the return key of its field alone`() {
        let host = quiet(Fruit())
        act(.change, "fig", in: host)
        act(.submit, in: host)
        #expect(host.tree.contains(text: "submitted fig"))
    }

    @Test func `hides its suggestions after the return key, until its field is tapped`() {
        let host = quiet(Fruit())
        act(.change, "fig", in: host)
        act(.submit, in: host)
        #expect(field(host)?.children.isEmpty == true)
        act(.focus, in: host)
        #expect(field(host)?.texts == ["Apple", "Pear", "More fruit"])
    }

    private struct Appearing: View {
        let journal: Journal
        @State private var query = ""
        @State private var scope = 0

        var body: some View {
            NavigationStack {
                Text("page")
                    .searchable(text: $query) {
                        Text("Pear").searchCompletion("pear")
                            .onAppear { journal.note("appears") }.onDisappear { journal.note("disappears") }
                    }
                    .searchScopes($scope) { Text("All").tag(0).onAppear { journal.note("scope") } }
            }
        }
    }

    @Test func `has suggestions and scopes that appear with it, and not with the page`() {
        let journal = Journal()
        let host = quiet(Appearing(journal: journal))
        #expect(journal.take() == [])
        act(.focus, in: host)
        #expect(journal.take().sorted() == ["appears", "scope"])
        act(.submit, in: host)
        #expect(journal.take() == ["disappears"])
    }

    private struct Around: View {
        let isSplit: Bool
        @State private var query = ""

        var body: some View {
            container
                .searchable(text: $query) { Text("Pear").searchCompletion("pear") }
            Text("for \(query)")
        }

        @ViewBuilder private var container: some View {
            if isSplit {
                NavigationSplitView {
                    Inside(query: query).navigationTitle("First")
                } detail: {
                    Text("detail").navigationTitle("Detail")
                }
            } else {
                NavigationStack {
                    NavigationLink("More") { Text("more").navigationTitle("More") }
                        .accessibilityIdentifier("more").navigationTitle("First")
                }
            }
        }
    }

    /// The titles of the pages that have a search field.
    private func searched(_ host: ViewHost) -> [String?] {
        host.tree.root.all { page in page.kind == .page && page.children.contains { $0.kind == .search } }
            .map { $0.properties["title"]?.string }
    }

    @Test(arguments: [false, true]) func `is on the first page of a stack or a split view that it is around`(
        isSplit: Bool,
    ) {
        for device in [DeviceProfile.standard, DeviceName.iPadPro11.profile.turned(true)] {
            var traits = DeviceTraits()
            traits.device = device
            let host = ViewHost(Around(isSplit: isSplit), traits: traits) { Issue.record("\($0)") }
            act(.focus, in: host)
            act(.change, "fig", in: host)
            #expect(host.tree.contains(text: "for fig"))
            #expect(field(host)?.texts == ["Pear"])
            #expect(searched(host) == ["First"])
        }
    }

    @Test func `stays on the page that another one covers`() throws {
        let host = quiet(Around(isSplit: false))
        host.tap("more")
        #expect(searched(host).isEmpty)
        let page = try #require(host.tree.root.first { $0.kind == .page && $0.actions.contains(.back) })
        host.send(ViewEvent(node: page.id, action: .back))
        #expect(searched(host) == ["First"])
    }

    private struct Presented: View {
        @State private var query = ""
        @State private var isPresented = true
        @State private var scope = 1
        let activation: SearchScopeActivation

        var body: some View {
            NavigationStack {
                Text("scope \(scope)")
                    .searchable(text: $query, isPresented: $isPresented)
                    .searchScopes($scope, activation: activation) {
                        Text("All").tag(0)
                        Text("Mine").tag(1)
                    }
            }
            Text(isPresented ? "presented" : "closed")
            Button("Open") { isPresented = true }.accessibilityIdentifier("open")
        }
    }

    @Test func `is opened and closed by a binding`() {
        let host = quiet(Presented(activation: .automatic))
        #expect(field(host)?.properties["focused"] == true)
        act(.dismiss, in: host)
        #expect(host.tree.contains(text: "closed"))
        #expect(field(host)?.properties["focused"] == nil)
        host.tap("open")
        #expect(field(host)?.properties["focused"] == true)
    }

    @Test func `has scopes from the first letter on, or from its begin on`() throws {
        let host = quiet(Presented(activation: .automatic))
        #expect(field(host)?.children.isEmpty == true)
        act(.change, "fig", in: host)
        act(.change, "", in: host)
        let scopes = try #require(field(host)?.children.first)
        #expect(scopes.kind == .picker && scopes.properties["style"] == "segmented")
        #expect(scopes.properties["selected"] == 1)
        host.send(ViewEvent(node: scopes.id, action: .change, value: 0))
        #expect(host.tree.contains(text: "scope 0"))
        act(.dismiss, in: host)
        #expect(field(host)?.children.isEmpty == true)
        #expect(field(quiet(Presented(activation: .onSearchPresentation)))?.children.isEmpty == false)
    }
}
