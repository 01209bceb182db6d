import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite struct `A preference` {
    private struct Names: PreferenceKey {
        static var defaultValue: [String] { [] }
        static func reduce(value: inout [String], nextValue: () -> [String]) { value += nextValue() }
    }

    private struct Screen: View {
        @State private var names: [String] = []
        @State private var isLong = false

        var body: some View {
            VStack {
                Text("a").preference(key: Names.self, value: ["a"])
                if isLong { Text("b").preference(key: Names.self, value: ["b"]) }
                Text("c").preference(key: Names.self, value: ["c"]).transformPreference(Names.self) { $0.append("d") }
            }
            .onPreferenceChange(Names.self) { names = $0 }
            Text(names.joined()).accessibilityIdentifier("names")
            Button("Long") { isLong = true }.accessibilityIdentifier("long")
        }
    }

    @Test func `reaches the views around in the order of the views, and again when it changes`() {
        let host = quiet(Screen())
        #expect(host.tree.root.identified(by: "names")?.properties["text"] == "acd")
        host.tap("long")
        #expect(host.tree.root.identified(by: "names")?.properties["text"] == "abcd")
        #expect(host.issues.isEmpty)
    }
}

@MainActor
@Suite struct `A list over bindings` {
    private struct Row: Identifiable {
        let id: Int
        var name: String
    }

    private struct Rows: View {
        @State private var rows = [Row(id: 1, name: "one"), Row(id: 2, name: "two"), Row(id: 3, name: "three")]

        var body: some View {
            List {
                ForEach($rows) { $row in TextField("Name", text: $row.name).accessibilityIdentifier("row-\(row.id)") }
                    .onDelete { rows.remove(atOffsets: $0) }
            }
            Text(rows.map(\.name).joined(separator: " ")).accessibilityIdentifier("names")
            Button("Move") { rows.move(fromOffsets: [0], toOffset: rows.count) }.accessibilityIdentifier("move")
        }
    }

    @Test func `writes the elements, and deletes the row that is swiped away`() throws {
        let host = quiet(Rows())
        host.enter("2", into: "row-2")
        #expect(host.tree.root.identified(by: "names")?.properties["text"] == "one 2 three")
        host.tap("move")
        #expect(host.tree.root.identified(by: "names")?.properties["text"] == "2 three one")
        let row = try #require(host.tree.root.first { $0.kind == .row && $0.identified(by: "row-3") != nil })
        let delete = try #require(row.first { $0.kind == .button })
        host.send(ViewEvent(node: delete.id, action: .tap))
        #expect(host.tree.root.identified(by: "names")?.properties["text"] == "2 one")
        host.enter("1", into: "row-1")
        #expect(host.tree.root.identified(by: "names")?.properties["text"] == "2 1")
    }

    private struct Changes: View {
        @State private var count = 1
        let note: (String) -> Void

        var body: some View {
            Button("\(count)") { count += 1 }.accessibilityIdentifier("count")
                .onChange(of: count, initial: true) { old, new in note("\(old)>\(new)") }
                .onChange(of: count) { note("changed") }
        }
    }

    @Test func `and any other view may ask for the old and the new value of a change`() {
        let journal = Journal()
        let host = quiet(Changes(note: journal.note))
        host.tap("count")
        #expect(journal.lines == ["1>1", "1>2", "changed"])
    }

    private struct Layered: View {
        var body: some View {
            Text("base").background(Color.red).background(Text("behind")).overlay(Text("before"), alignment: .bottom)
        }
    }

    @Test func `or a view behind or before it by value`() {
        let root = quiet(Layered()).tree.root
        #expect(root.texts == ["base", "behind", "before"])
        #expect(root.first { $0.kind == .overlay }?.properties["vertical"] == "bottom")
        #expect(root.first { $0.kind == .paint }?.properties["fill"] == "red")
    }
}
