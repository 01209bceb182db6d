import Combine
import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite struct `Containers` {
    private struct Tabs: View {
        let journal: Journal
        @State private var chosen = "b"

        var body: some View {
            TabView(selection: $chosen) {
                Page(name: "a", journal: journal).tabItem { Label("First", systemImage: "a.circle") }.tag("a")
                Page(name: "b", journal: journal).tabItem { Text("Second") }.badge(3).tag("b")
            }
        }
    }

    private struct Page: View {
        let name: String
        let journal: Journal
        @State private var taps = 0

        var body: some View {
            Button("\(name) \(taps)") { taps += 1 }.accessibilityIdentifier(name)
                .onAppear { journal.note("\(name) appeared") }
                .onDisappear { journal.note("\(name) disappeared") }
        }
    }

    @Test func `have content at an edge beside them, which keeps the title of the page`() {
        struct Page: View {
            var body: some View {
                NavigationStack {
                    List { Text("Row") }
                        .navigationTitle("Title")
                        .safeAreaInset(edge: .bottom, spacing: 0) { Text("Bottom") }
                        .safeAreaInset(edge: .top, alignment: .leading) { Text("Top") }
                        .safeAreaInset(edge: .leading) { Text("Side") }
                }
            }
        }
        let page = ViewHost(Page()).tree.root.first { $0.kind == .page }
        #expect(page?.properties["title"] == "Title")
        #expect(page?.first { $0.kind == .pageContent }?.texts == ["Side", "Top", "Row", "Bottom"])
    }

    @Test func `that scroll hide the indicators of their axes, or of one`() {
        func indicators<V: View>(_ view: V) -> NodeValue? {
            ViewHost(view).tree.root.first { $0.kind == .scroll }?.properties["indicators"]
        }
        let across = ScrollView(.horizontal) { Text("A") }
        #expect(indicators(across) == true)
        #expect(indicators(ScrollView(showsIndicators: false) { Text("A") }) == false)
        #expect(indicators(across.scrollIndicators(.hidden)) == false)
        #expect(indicators(across.scrollIndicators(.hidden, axes: .vertical)) == true)
        #expect(
            indicators(across.scrollIndicators(.visible).scrollIndicators(.never)) == true, "the innermost applies")
    }

    @Test func `with tabs show the chosen page, and keep the others`() throws {
        let journal = Journal()
        let host = ViewHost(Tabs(journal: journal))
        let bar = try #require(host.tree.root.first { $0.kind == .tabBar })
        #expect(bar.texts == ["First", "Second"])
        #expect(bar.children.map { $0.properties["selected"] } == [false, true])
        host.tap("b")
        host.send(ViewEvent(node: bar.id, action: .change, value: 0))
        #expect(host.tap("b") == .gone)
        #expect(host.tree.contains(text: "a 0"))
        host.send(ViewEvent(node: bar.id, action: .change, value: 1))
        #expect(host.tree.contains(text: "b 1"))
        #expect(
            journal.lines == ["b appeared", "b disappeared", "a appeared", "a disappeared", "b appeared"])
    }

    private struct Endless: View {
        let journal: Journal
        var body: some View {
            ScrollView {
                LazyVStack {
                    ForEach(0..<1_000, id: \.self) { row in Row(number: row) }
                }
            }
        }
    }

    private struct Row: View {
        let number: Int
        var body: some View { Text("row \(number)") }
    }

    @Test func `that are lazy evaluate what comes into sight, and no more`() throws {
        let host = ViewHost(Endless(journal: Journal()))
        #expect(host.evaluations["Row"] == 30)
        let rest = try #require(host.tree.root.first { $0.kind == .placeholder })
        #expect(rest.properties["count"] == 970)
        host.send(ViewEvent(node: rest.id, action: .appear))
        #expect(host.evaluations["Row"] == 60)
        #expect(host.tree.contains(text: "row 59"))
    }

    @Test func `of rows make sections of those that are in none`() throws {
        let host = ViewHost(
            List {
                Text("loose")
                Section("Named") {
                    ForEach(0..<2) { Text("\($0)") }
                }
                Text("loose again")
            })
        let list = try #require(host.tree.root.first { $0.kind == .list })
        try #require(list.children.map(\.kind) == [.section, .section, .section])
        #expect(list.children.map(\.texts) == [["loose"], ["Named", "0", "1"], ["loose again"]])
        #expect(list.children[1].children.map(\.kind) == [.header, .row, .row])
    }

    private struct Pulled: View {
        @StateObject private var model = Model()
        var body: some View {
            List { Text("loaded \(model.count) times") }
                .refreshable { @MainActor in model.count += 1 }
        }
    }

    @Test func `can be pulled to load again`() async throws {
        let host = ViewHost(Pulled())
        let list = try #require(host.tree.root.first { $0.actions.contains(.refresh) })
        host.send(ViewEvent(node: list.id, action: .refresh))
        await host.waitUntilSettled()
        #expect(host.tree.contains(text: "loaded 1 times"))
    }

    @Test func `apply a modifier of a group to each of its views`() {
        let host = ViewHost(
            VStack {
                Group {
                    Text("a")
                    Text("b")
                }
                .padding(4)
            })
        let paddings = host.tree.root.all { $0.kind == .padding }
        #expect(paddings.map(\.texts) == [["a"], ["b"]])
        #expect(Set(paddings.map(\.id)).count == 2)
    }
}

@MainActor
@Suite struct `An app` {
    private struct Sample: App {
        @StateObject private var model = Model()
        @Environment(\.scenePhase) private var phase

        var body: some Scene {
            WindowGroup {
                Text("\(model.count) \(phase == .active ? "active" : "away")")
                Button("Add") { model.count += 1 }.accessibilityIdentifier("add")
            }
        }
    }

    @Test func `has objects and an environment as a view has`() {
        let host = ViewHost(app: Sample())
        host.tap("add")
        #expect(host.tree.contains(text: "1 active"))
        host.traits.scenePhase = .background
        #expect(host.tree.contains(text: "1 away"))
    }
}

@MainActor
@Suite struct `A picture` {
    private struct Gallery: View {
        let url: URL?
        var body: some View {
            AsyncImage(url: url) { phase in
                if let image = phase.image {
                    image.resizable()
                } else {
                    Text(phase.error == nil ? "loading" : "failed")
                }
            }
        }
    }

    private let url = URL(string: "https://shop.example.com/a.png")

    @Test func `is fetched once, kept by its bytes, and named by them`() async throws {
        let bytes = Data([0x89, 0x50, 0x4E, 0x47, 1, 2, 3])
        let host = ViewHost(Gallery(url: url), images: ImageLoader { _ in bytes })
        #expect(host.tree.contains(text: "loading"))
        await host.waitUntilSettled()
        let name = try #require(host.tree.root.first { $0.kind == .image }?.properties["resource"]?.string)
        #expect(host.resource(name)?.type == "image/png")
        #expect(host.resource(name)?.data == bytes)
        #expect(host.resource("other") == nil)
    }

    @Test func `that is none, or does not come, is a failure`() async {
        for loader in [ImageLoader { _ in Data("<html>".utf8) }, ImageLoader { _ in throw URLError(.timedOut) }] {
            let host = ViewHost(Gallery(url: url), images: loader)
            await host.waitUntilSettled()
            #expect(host.tree.contains(text: "failed"))
        }
    }
}
