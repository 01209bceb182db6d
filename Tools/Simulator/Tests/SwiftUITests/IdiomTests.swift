import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite struct `The idiom of recent years` {
    private func nodes(_ host: ViewHost, _ kind: NodeKind) -> [RenderedNode] { host.tree.root.all { $0.kind == kind } }

    private struct Item: Identifiable, Hashable {
        let id: Int
        var name: String
    }

    private struct Rows: View {
        @State private var items = [Item(id: 1, name: "a"), Item(id: 2, name: "b"), Item(id: 3, name: "c")]
        @State private var pinned = "none"

        var body: some View {
            NavigationStack {
                List {
                    ForEach($items, editActions: .all) { $item in
                        Text(item.name).accessibilityIdentifier(item.name)
                            .swipeActions(edge: .leading) {
                                Button("Pin \(item.name)", systemImage: "pin") { pinned = item.name }
                                    .accessibilityIdentifier("pin-\(item.name)")
                            }
                    }
                }
                .scrollContentBackground(.hidden)
                .toolbar { EditButton().accessibilityIdentifier("edit") }
            }
            Text("pinned \(pinned), \(items.map(\.name).joined())")
        }
    }

    @Test func `has swipe actions at both edges of a row`() {
        let host = quiet(Rows())
        let row = nodes(host, .row)[0]
        let edges = row.children.filter { $0.kind == .swipeActions }.map { $0.properties["edge"]?.string ?? "trailing" }
        #expect(edges.sorted() == ["leading", "trailing"])
        host.tap("pin-b")
        #expect(host.tree.contains(text: "pinned b"))
    }

    @Test func `lets a loop over bindings delete and move its elements`() {
        let host = quiet(Rows())
        let delete = nodes(host, .row)[0].first { $0.kind == .button && $0.texts == ["Delete"] }
        host.send(ViewEvent(node: delete?.id ?? 0, action: .tap))
        #expect(host.tree.contains(text: "pinned none, bc"))
        host.tap("edit")
        #expect(host.perform(.move, on: "b", 2) == .handled)
        #expect(host.tree.contains(text: "pinned none, cb"))
    }

    @Test func `hides the background of a list`() {
        let lists = nodes(quiet(Rows()), .list)
        #expect(lists.map { $0.properties["backgroundHidden"] } == [true])
    }

    private struct Tabs: View {
        @State private var chosen = "home"

        var body: some View {
            TabView(selection: $chosen) {
                Tab("Home", systemImage: "house", value: "home") { Text("at home") }.badge(3)
                Tab("Saved", systemImage: "star", value: "saved") { Text("saved things") }
                Tab(value: "search", role: .search) { Text("searching") }
            }
            .accessibilityIdentifier("tabs")
            Text("chosen \(chosen)")
        }
    }

    @Test func `has tabs with their labels and values`() {
        let host = quiet(Tabs())
        let tabs = nodes(host, .tab)
        #expect(tabs.map(\.texts) == [["Home"], ["Saved"], ["Search"]])
        #expect(tabs.map { $0.properties["badge"] } == ["3", nil, nil])
        let bar = nodes(host, .tabBar)[0]
        #expect(host.send(ViewEvent(node: bar.id, action: .change, value: 1)) == .handled)
        #expect(host.tree.contains(text: "chosen saved"))
        #expect(nodes(host, .tab).map { $0.properties["selected"]?.bool } == [false, true, false])
    }

    private struct Schemes: View {
        @State private var isDark = true
        @State private var isShown = false
        @Environment(\.colorScheme) private var scheme

        var body: some View {
            Inside().preferredColorScheme(isDark ? .dark : nil)
            Button("light") { isDark = false }.accessibilityIdentifier("light")
            Button("sheet") { isShown = true }.accessibilityIdentifier("sheet")
                .sheet(isPresented: $isShown) { Text("shown").preferredColorScheme(.dark) }
        }

        struct Inside: View {
            @Environment(\.colorScheme) private var scheme
            var body: some View { Text(scheme == .dark ? "is dark" : "is light") }
        }
    }

    @Test func `prefers a color scheme for the window, and for a sheet alone`() {
        let host = quiet(Schemes())
        #expect(host.tree.root.properties["colorScheme"] == "dark")
        #expect(host.tree.contains(text: "is dark"))
        host.tap("light")
        #expect(host.tree.root.properties["colorScheme"] == "light")
        #expect(host.tree.contains(text: "is light"))
        host.tap("sheet")
        #expect(host.tree.root.properties["colorScheme"] == "light")
        #expect(nodes(host, .sheet).map { $0.properties["colorScheme"] } == ["dark"])
    }

    private struct Untouchable: View {
        @State private var count = 0
        @State private var isEnabled = false

        var body: some View {
            Button("Count") { count += 1 }.accessibilityIdentifier("count").allowsHitTesting(isEnabled)
            Button("Enable") { isEnabled = true }.accessibilityIdentifier("enable")
            Text("count \(count)")
        }
    }

    @Test func `takes no touches in a view without hit testing`() {
        let host = quiet(Untouchable())
        #expect(host.tap("count") == .notOffered)
        host.tap("enable")
        #expect(host.tap("count") == .handled)
        #expect(host.tree.contains(text: "count 1"))
    }

    private struct Choices: View {
        @State private var choice = 2

        var body: some View {
            NavigationStack {
                Form {
                    Picker("Size", selection: $choice) {
                        Text("Small").tag(1)
                        Text("Large").tag(2)
                    }
                    .pickerStyle(.navigationLink)
                }
            }
        }
    }

    @Test func `opens a page for the choices of a picker, which a choice closes`() throws {
        let host = quiet(Choices())
        let link = try #require(nodes(host, .link).first)
        #expect(link.texts == ["Size", "Large"])
        host.send(ViewEvent(node: link.id, action: .tap))
        let small = try #require(nodes(host, .button).first { $0.texts.contains("Small") })
        #expect(nodes(host, .page).last?.properties["title"] == "Size")
        host.send(ViewEvent(node: small.id, action: .tap))
        #expect(nodes(host, .page).count == 1)
        #expect(nodes(host, .link)[0].texts == ["Size", "Small"])
    }

    @Test func `has rows of cells in a grid`() {
        let host = quiet(
            Grid(alignment: .leading, horizontalSpacing: 12) {
                GridRow {
                    Text("a")
                    Text("b")
                    Text("c")
                }
                Divider()
                GridRow { Text("wide").gridCellColumns(2) }
            })
        let grid = nodes(host, .grid)[0]
        #expect(grid.properties["columns"] == ["content", "content", "content"])
        #expect(grid.children.map { $0.properties["row"]?.number } == [1, 1, 1, 2, 3])
        #expect(grid.children.map { $0.properties["span"] } == [nil, nil, nil, "all", 2])
    }

    @Test func `says that there is no content, in the user's language`() {
        let host = quiet(
            VStack {
                ContentUnavailableView("Empty", systemImage: "tray", description: Text("Add one."))
                ContentUnavailableView.search(text: "tea")
            })
        #expect(host.tree.contains(text: "Empty") && host.tree.contains(text: "Add one."))
        #expect(host.tree.contains(text: "No Results for “tea”"))
        #expect(nodes(host, .image).compactMap { $0.properties["symbol"] } == ["tray", "magnifyingglass"])
    }

    @Test func `has springs by their duration and bounce, and by their physics`() {
        #expect(Animation.smooth == .spring(response: 0.5, dampingFraction: 1))
        #expect(Animation.bouncy(duration: 0.4) == .spring(response: 0.4, dampingFraction: 0.7))
        #expect(Animation.snappy == .spring(duration: 0.5, bounce: 0.15))
        let stiff = Animation.interpolatingSpring(mass: 1, stiffness: 4 * .pi * .pi, damping: 2 * .pi)
        #expect(stiff == .spring(response: 1, dampingFraction: 0.5))
    }
}
