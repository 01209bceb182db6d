import SwiftUI
import Testing
import ViewTree

private struct Item: Identifiable {
    let id: String
}

private struct Rows: View {
    @State private var items = ["a", "b", "c"].map(Item.init)
    @State private var chosen: Set<String> = []
    @Environment(\.editMode) private var outerMode

    var body: some View {
        NavigationStack {
            List(selection: $chosen) {
                ForEach(items) { item in Text(item.id).accessibilityIdentifier(item.id) }
                    .onDelete { items.remove(atOffsets: $0) }
                    .onMove { items.move(fromOffsets: $0, toOffset: $1) }
                Text("fixed").accessibilityIdentifier("fixed")
            }
            .toolbar { EditButton().accessibilityIdentifier("edit") }
            Text(chosen.sorted().joined(separator: "+")).accessibilityIdentifier("chosen")
            Inside()
        }
        Text(outerMode?.wrappedValue.isEditing == true ? "outer edits" : "outer reads")
    }

    private struct Inside: View {
        @Environment(\.editMode) private var editMode
        var body: some View { Text(editMode?.wrappedValue == .active ? "edits" : "reads") }
    }
}

@MainActor
@Suite struct `The edit mode of a list` {
    private func rows(_ host: ViewHost) -> [RenderedNode] { host.tree.root.all { $0.kind == .row } }
    private func names(_ host: ViewHost) -> [String] { rows(host).compactMap { $0.children[0].texts.first } }
    private func flags(_ host: ViewHost, _ name: String) -> [Bool] {
        rows(host).map { $0.properties[name]?.bool == true }
    }

    @Test func `begins and ends with the edit button, for the page that has it`() {
        let host = quiet(Rows())
        #expect(host.tree.root.identified(by: "edit")?.texts == ["Edit"])
        #expect(flags(host, "editing") == [false, false, false, false])
        host.tap("edit")
        #expect(host.tree.root.identified(by: "edit")?.texts == ["Done"])
        #expect(flags(host, "editing") == [true, true, true, true])
        #expect(flags(host, "deletable") == [true, true, true, false])
        #expect(host.tree.contains(text: "edits") && host.tree.contains(text: "outer reads"))
        host.tap("edit")
        #expect(flags(host, "editing") == [false, false, false, false])
        #expect(host.tree.contains(text: "reads"))
    }

    @Test func `lets rows move among those of their loop, and only then`() {
        let host = quiet(Rows())
        #expect(host.perform(.move, on: "a", 2) == .notOffered)
        host.tap("edit")
        #expect(host.perform(.move, on: "a", 3) == .handled)
        #expect(names(host) == ["b", "c", "a", "fixed"])
        #expect(host.perform(.move, on: "a", "0") == .handled)
        #expect(names(host) == ["a", "b", "c", "fixed"])
        #expect(host.perform(.move, on: "a", 4) == .invalidValue)
        #expect(host.perform(.move, on: "a", 1.5) == .invalidValue)
        #expect(host.perform(.move, on: "fixed", 0) == .notOffered)
    }

    @Test func `selects several rows by a set`() {
        let host = quiet(Rows())
        #expect(host.tap("a") == .notOffered)
        host.tap("edit")
        host.tap("a")
        host.tap("c")
        #expect(host.tree.root.identified(by: "chosen")?.properties["text"] == "a+c")
        #expect(flags(host, "selected") == [true, false, true, false])
        #expect(flags(host, "selectable") == [true, true, true, false])
        host.tap("a")
        #expect(host.tree.root.identified(by: "chosen")?.properties["text"] == "c")
        #expect(host.tap("fixed") == .notOffered)
    }

    private struct Options: View {
        @State private var choice: Int?
        @State private var mode = EditMode.active

        var body: some View {
            List(selection: $choice) {
                Section("Sizes") {
                    Text("small").tag(1).accessibilityIdentifier("small")
                    Text("large").tag(2).accessibilityIdentifier("large")
                }
            }
            .environment(\.editMode, $mode)
            Text(choice.map { "chose \($0)" } ?? "nothing")
            Button("Stop") { mode = .inactive }.accessibilityIdentifier("stop")
        }
    }

    @Test func `is not needed to select one row, and may be the app's own`() {
        let host = quiet(Options())
        #expect(flags(host, "editing") == [true, true])
        host.tap("stop")
        #expect(flags(host, "editing") == [false, false])
        #expect(host.tree.contains(text: "nothing"))
        host.tap("small")
        host.tap("large")
        #expect(host.tree.contains(text: "chose 2"))
        #expect(flags(host, "selected") == [false, true])
    }

    private struct Fixed: View {
        var body: some View {
            List { ForEach([1, 2], id: \.self) { Text("\($0)") }.onDelete(perform: nil).onMove(perform: nil) }
                .environment(\.editMode, .constant(.active))
        }
    }

    @Test func `has no controls for actions that are nil`() {
        let host = quiet(Fixed())
        #expect(flags(host, "deletable") == [false, false])
        #expect(host.tree.root.first { $0.kind == .swipeActions || $0.actions.contains(.move) } == nil)
    }
}
