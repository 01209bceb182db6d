import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite struct `Presentations` {
    private struct Screen: View {
        let journal: Journal
        @State private var isUp = false
        @State private var asks = false
        @State private var offers = false

        var body: some View {
            VStack {
                Button("Sheet") { isUp = true }.accessibilityIdentifier("sheet")
                Button("Ask") { asks = true }.accessibilityIdentifier("ask")
                Button("Offer") { offers = true }.accessibilityIdentifier("offer")
            }
            .onDisappear { journal.note("screen disappeared") }
            .sheet(isPresented: $isUp, onDismiss: { journal.note("dismissed") }) {
                Inside(journal: journal)
            }
            .alert("Sure?", isPresented: $asks) {
                Button("Yes", role: .destructive) { journal.note("yes") }.accessibilityIdentifier("yes")
                Button("No", role: .cancel) {}
            } message: {
                Text("It cannot be undone.")
            }
            .confirmationDialog("Which?", isPresented: $offers, titleVisibility: .visible) {
                Button("This") { journal.note("this") }.accessibilityIdentifier("this")
            }
        }
    }

    private struct Inside: View {
        let journal: Journal
        @State private var count = 0
        @Environment(\.dismiss) private var dismiss

        var body: some View {
            Button("Count \(count)") { count += 1 }.accessibilityIdentifier("count")
            Button("Close") { dismiss() }.accessibilityIdentifier("close")
                .onAppear { journal.note("sheet appeared") }.onDisappear { journal.note("sheet disappeared") }
        }
    }

    @Test func `shares a text or an address in a sheet, which shows what is shared`() throws {
        struct Sharing: View {
            let page = URL(string: "https://shop.example/orders/7")
            var body: some View {
                if let page {
                    ShareLink(item: page, subject: Text("Order 7"), message: Text("It is on its way."))
                        .accessibilityIdentifier("share-page")
                }
                ShareLink("Send", item: "words").accessibilityIdentifier("share-words")
                ShareLink(items: ["one", "two"]) { Text("Both") }.accessibilityIdentifier("share-both")
            }
        }
        let host = ViewHost(Sharing())
        #expect(host.tree.root.texts == ["Share…", "Send", "Both"])
        func shared(by identifier: String) -> [String] {
            host.tap(identifier)
            let sheet = host.tree.root.first { $0.kind == .sheet }
            let list = sheet?.first { $0.kind == .list }?.texts ?? []
            if let sheet { host.send(ViewEvent(node: sheet.id, action: .dismiss)) }
            #expect(host.tree.root.first { $0.kind == .sheet } == nil)
            return list
        }
        #expect(shared(by: "share-page") == ["Order 7", "https://shop.example/orders/7", "It is on its way."])
        #expect(shared(by: "share-words") == ["words"])
        #expect(shared(by: "share-both") == ["one", "two"])
        host.traits.locale = Locale(identifier: "de_DE")
        #expect(host.tree.root.texts.first == "Teilen …")
    }

    @Test func `come over what presents them, which stays`() throws {
        let journal = Journal()
        let host = ViewHost(Screen(journal: journal))
        host.tap("sheet")
        host.tap("count")
        #expect(host.tree.root.children.map(\.kind) == [.content, .sheet])
        #expect(host.tree.contains(text: "Count 1"))
        host.tap("close")
        #expect(journal.take() == ["sheet appeared", "sheet disappeared", "dismissed"])
        host.tap("sheet")
        #expect(host.tree.contains(text: "Count 0"))
        let sheet = try #require(host.tree.root.first { $0.kind == .sheet })
        #expect(host.send(ViewEvent(node: sheet.id, action: .dismiss)) == .handled)
        #expect(journal.take() == ["sheet appeared", "sheet disappeared", "dismissed"])
        #expect(host.tree.root.children.map(\.kind) == [.content])
    }

    @Test func `that ask are taken down by each of their buttons, before it acts`() {
        let journal = Journal()
        let host = ViewHost(Screen(journal: journal))
        host.tap("ask")
        #expect(host.tree.root.first { $0.kind == .alert }?.texts == ["It cannot be undone.", "Yes", "No"])
        host.tap("yes")
        #expect(journal.lines == ["yes"])
        #expect(host.tree.root.first { $0.kind == .alert } == nil)
    }

    @Test func `that offer can always be cancelled`() throws {
        let host = ViewHost(Screen(journal: Journal()))
        host.tap("offer")
        let dialog = try #require(host.tree.root.first { $0.kind == .dialog })
        #expect(dialog.texts == ["This", "Cancel"])
        host.send(ViewEvent(node: dialog.id, action: .dismiss))
        #expect(host.tree.root.first { $0.kind == .dialog } == nil)
    }

    private struct Item: Identifiable {
        let id: Int
    }

    private struct Items: View {
        @State private var item: Item?
        let journal: Journal

        var body: some View {
            Button("One") { item = Item(id: 1) }.accessibilityIdentifier("one")
            Button("Two") { item = Item(id: 2) }.accessibilityIdentifier("two")
                .sheet(item: $item) { Text("item \($0.id)").onAppear { journal.note("appeared") } }
        }
    }

    @Test func `of another item are other presentations`() {
        let journal = Journal()
        let host = ViewHost(Items(journal: journal))
        host.tap("one")
        host.tap("two")
        #expect(host.tree.contains(text: "item 2"))
        #expect(journal.lines == ["appeared", "appeared"])
    }

    private struct Covers: View {
        @State private var isSheetUp = false
        @State private var item: Item?

        var body: some View {
            Button("Open") { isSheetUp = true }.accessibilityIdentifier("open")
                .sheet(isPresented: $isSheetUp) {
                    Button("Cover") { item = Item(id: 1) }.accessibilityIdentifier("cover")
                        .fullScreenCover(item: $item) { item in
                            Button("Item \(item.id)") { self.item = nil }.accessibilityIdentifier("item")
                        }
                }
        }
    }

    @Test func `over the full screen cover everything under them`() {
        let host = ViewHost(Covers())
        host.tap("open")
        #expect(host.tree.contains("open"))
        host.tap("cover")
        #expect(host.tree.root.children.map(\.kind) == [.content, .sheet, .sheet])
        #expect(host.tree.root.texts == ["Item 1"])
        host.tap("item")
        #expect(host.tree.root.texts == ["Open", "Cover"])
    }
}

@MainActor
@Suite struct `A navigation stack` {
    private struct Shop: View {
        @State private var path: [Int] = []

        var body: some View {
            NavigationStack(path: $path) {
                List {
                    NavigationLink("One", value: 1).accessibilityIdentifier("one")
                    NavigationLink("About") { Text("about us").navigationTitle("About") }
                        .accessibilityIdentifier("about")
                }
                .navigationTitle("Shop")
                .toolbar {
                    ToolbarItem(placement: .navigationBarTrailing) {
                        Button("Deep") { path = [1, 2, 3] }.accessibilityIdentifier("deep")
                    }
                    ToolbarItem(placement: .navigationBarLeading) { Text("\(path.count) pages") }
                }
                .navigationDestination(for: Int.self) { number in
                    Detail(number: number)
                }
            }
        }
    }

    private struct Detail: View {
        let number: Int
        @State private var taps = 0
        @Environment(\.dismiss) private var dismiss

        var body: some View {
            Button("Page \(number), \(taps)") { taps += 1 }.accessibilityIdentifier("page")
            Button("Leave") { dismiss() }.accessibilityIdentifier("leave")
            NavigationLink("Next", value: number + 1).accessibilityIdentifier("next")
                .navigationTitle("Detail \(number)")
        }
    }

    private func titles(_ host: ViewHost) -> [String] {
        var titles: [String] = []
        func visit(_ node: RenderedNode) {
            if node.kind == .page { titles.append(node.properties["title"]?.string ?? "") }
            for child in node.children { visit(child) }
        }
        visit(host.tree.root)
        return titles
    }

    @Test func `opens pages by value, and keeps those below as they are`() {
        let host = ViewHost(Shop())
        host.tap("one")
        host.tap("page")
        host.tap("next")
        #expect(titles(host) == ["Shop", "Detail 1", "Detail 2"])
        #expect(host.tree.contains(text: "Page 2, 0"))
        #expect(!host.tree.contains(text: "Page 1"))
        host.tap("leave")
        #expect(host.tree.contains(text: "Page 1, 1"))
        #expect(host.issues.isEmpty)
    }

    @Test func `follows its path, and writes it`() {
        let host = ViewHost(Shop())
        host.tap("deep")
        #expect(titles(host) == ["Shop", "Detail 1", "Detail 2", "Detail 3"])
        host.tap("leave")
        host.tap("leave")
        host.tap("leave")
        #expect(host.tree.contains(text: "0 pages"))
    }

    @Test func `opens pages that a link holds`() {
        let host = ViewHost(Shop())
        host.tap("about")
        #expect(host.tree.contains(text: "about us"))
        #expect(titles(host) == ["Shop", "About"])
    }

    @Test func `says that a value has no destination`() {
        let host = quiet(NavigationStack { NavigationLink("Go", value: "nowhere").accessibilityIdentifier("go") })
        host.tap("go")
        #expect(host.issues == [.noDestination(type: "String")])
    }
    private struct Nested: View {
        var body: some View {
            NavigationStack {
                NavigationLink("In") { Inner() }.accessibilityIdentifier("in")
                    .navigationTitle("Outer")
            }
        }
    }

    private struct Inner: View {
        var body: some View {
            NavigationStack {
                NavigationLink("Deeper") { Text("deep").navigationTitle("Deep") }.accessibilityIdentifier("deeper")
            }
            .navigationTitle("Inner")
            .toolbar { Button("Edit") {}.accessibilityIdentifier("edit") }
        }
    }

    /// The titles of the pages that have a back button.
    private func backTitles(_ host: ViewHost) -> [String?] {
        host.tree.root.all { $0.actions.contains(.back) }.map { $0.properties["title"]?.string }
    }

    private func goBack(_ host: ViewHost) throws {
        let page = try #require(host.tree.root.first { $0.actions.contains(.back) })
        #expect(host.send(ViewEvent(node: page.id, action: .back)) == .handled)
    }

    @Test func `in a page of another stack has one bar with one back button`() throws {
        let host = ViewHost(Nested())
        #expect(backTitles(host).isEmpty)
        host.tap("in")
        #expect(backTitles(host) == ["Inner"])
        let bars = host.tree.root.all { $0.kind == .page && $0.properties["barHidden"] != true }
        #expect(bars.map { $0.properties["title"] } == ["Inner"])
        #expect(bars.first?.identified(by: "edit") != nil)
        host.tap("deeper")
        #expect(backTitles(host) == ["Deep"])
        try goBack(host)
        #expect(backTitles(host) == ["Inner"])
        try goBack(host)
        #expect(backTitles(host).isEmpty)
        #expect(titles(host) == ["Outer"])
    }

    @Test func `in a sheet has no back button on its first page`() {
        struct Presenting: View {
            @State private var isUp = true
            var body: some View {
                Text("below").sheet(isPresented: $isUp) { NavigationStack { Inner() } }
            }
        }
        let host = ViewHost(Presenting())
        #expect(host.tree.contains("edit"))
        #expect(backTitles(host).isEmpty)
    }

    private struct Draft: View {
        @State private var isEditing = true
        @State private var path: [Int] = []

        var body: some View {
            Text("under").sheet(isPresented: $isEditing) {
                NavigationStack(path: $path) {
                    Button("Next") { path = [1] }.accessibilityIdentifier("next")
                        .interactiveDismissDisabled().presentationDetents([.medium])
                        .presentationBackground(.thinMaterial).presentationDragIndicator(.visible)
                        .navigationDestination(for: Int.self) { _ in Text("page") }
                }
            }
        }
    }

    @Test func `have the values of the visible page of a stack inside`() {
        let host = quiet(Draft())
        var sheet: RenderedNode? { host.tree.root.first { $0.kind == .sheet } }
        #expect(sheet?.properties["detents"] == ["medium"])
        #expect(sheet?.properties["background"] == "material:thin")
        #expect(sheet?.properties["dragIndicator"] == true)
        #expect(sheet?.actions.contains(.dismiss) == false)
        host.tap("next")
        #expect(sheet?.properties["detents"] == nil)
        #expect(sheet?.properties["background"] == nil)
        #expect(sheet?.actions.contains(.dismiss) == true)
    }

    @Test func `have an indicator for dragging if they have several heights, or the app wants one`() {
        func indicator<V: View>(_ content: @escaping (Text) -> V, covers: Bool = false) -> NodeValue? {
            let root =
                covers
                ? AnyView(Text("under").fullScreenCover(isPresented: .constant(true)) { content(Text("over")) })
                : AnyView(Text("under").sheet(isPresented: .constant(true)) { content(Text("over")) })
            return quiet(root).tree.root.first { $0.kind == .sheet }?.properties["dragIndicator"]
        }
        #expect(indicator { $0 } == nil)
        #expect(indicator { $0.presentationDetents([.medium]) } == nil)
        #expect(indicator { $0.presentationDetents([.medium, .large]) } == true)
        #expect(indicator { $0.presentationDetents([.medium, .large]).presentationDragIndicator(.hidden) } == nil)
        #expect(indicator { $0.presentationDragIndicator(.visible) } == true)
        #expect(indicator({ $0.presentationDragIndicator(.visible) }, covers: true) == nil)
    }
}
