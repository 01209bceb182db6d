import Testing
import ViewTree

@testable import SwiftUI

/// A page keeps one element for an id. A debug build checks each frame of each host in these tests.
@MainActor
@Suite struct `The nodes of a screen have ids of their own` {
    private func repeatedIDs(_ host: ViewHost) -> [Int] {
        var census = NodeCensus()
        return census.repeatedIDs(in: host.tree.root)
    }

    private func rows(_ host: ViewHost) -> [RenderedNode] { host.tree.root.all { $0.kind == .row } }

    private func buttons(_ host: ViewHost, _ title: String) -> [RenderedNode] {
        host.tree.root.all { $0.kind == .button && $0.texts == [title] }
    }

    private struct Deletable: View {
        @State private var items = ["a", "b", "c"]

        var body: some View {
            List {
                ForEach(items, id: \.self) { Text($0) }.onDelete { items.remove(atOffsets: $0) }
            }
        }
    }

    @Test func `in a list without a section whose rows can be deleted`() throws {
        let host = quiet(Deletable())
        #expect(repeatedIDs(host) == [])
        let section = host.tree.root.first { $0.kind == .section }?.id
        let first = try #require(buttons(host, "Delete").first)
        host.send(ViewEvent(node: first.id, action: .tap))
        #expect(rows(host).map { $0.children[0].texts } == [["b"], ["c"]])
        #expect(host.tree.root.first { $0.kind == .section }?.id == section, "the section stays with its other rows")
    }

    private struct Swiped: View {
        @State private var pinned = 0

        var body: some View {
            List {
                ForEach(["a", "b"], id: \.self) { name in
                    Text(name)
                    Text("more of \(name)")
                }
                .swipeActions { Button("Pin") { pinned += 1 } }
                Text("pinned \(pinned)")
            }
        }
    }

    @Test func `in rows that share their swipe actions, each of which acts`() {
        let host = quiet(Swiped())
        #expect(repeatedIDs(host) == [])
        let pins = buttons(host, "Pin")
        #expect(rows(host).count == 5 && pins.count == 4)
        for pin in pins { #expect(host.send(ViewEvent(node: pin.id, action: .tap)) == .handled) }
        #expect(host.tree.contains(text: "pinned 4"))
        #expect(buttons(host, "Pin").map(\.id) == pins.map(\.id), "and keeps its id")
    }

    private struct Everything: View {
        @State private var isOn = true
        @State private var choice = 1

        var body: some View {
            TabView {
                NavigationStack {
                    List {
                        Text("loose")
                        Section("One") { rows }
                        Text("between")
                        Section {
                            rows
                        } footer: {
                            Text("foot")
                        }
                        rows.contextMenu { Button("Copy") {} }
                    }
                    .searchable(text: .constant(""))
                    .toolbar {
                        ToolbarItem(placement: .navigationBarLeading) { Button("First") {} }
                        ToolbarItemGroup {
                            Button("Second") {}
                            Menu("Third") { Button("Inside") {} }
                        }
                    }
                    .alert("Alert", isPresented: $isOn) { Button("OK") {} }
                }
                .tabItem { Label("List", systemImage: "list.bullet") }
                Form {
                    Picker("Choice", selection: $choice) { ForEach(0..<3, id: \.self) { Text("\($0)") } }
                    Group {
                        Text("a")
                        Text("b")
                    }
                    .padding().background(Color.red).overlay(Text("over")).swipeActions { Button("Swipe") {} }
                }
                .tabItem { Text("Form") }
            }
        }

        private var rows: some View {
            ForEach(0..<3, id: \.self) { Text("row \($0)") }.onDelete { _ in }.onMove { _, _ in }
        }
    }

    @Test func `in tabs, bars, sections, menus and layers`() {
        let host = quiet(Everything())
        #expect(repeatedIDs(host) == [])
        #expect(host.tree.root.all { $0.kind == .swipeActions }.count == 9)
    }

    /// Two nodes with one id, as by a fault of the stand-in.
    private struct Faulty: View, PrimitiveView {
        typealias Body = Never
        func slots(in node: ViewNode) -> [Slot] { [] }

        func render(_ children: [Output], in node: ViewNode) -> Output {
            let inner = RenderedNode(id: node.id, kind: .text, properties: ["text": "inner"])
            return Output(RenderedNode(id: node.id, kind: .group, children: [inner]))
        }
    }

    private struct Screen: View {
        var body: some View { Faulty() }
    }

    #if DEBUG
    @Test func `or are reported once, by their kinds and the view, while the app runs on`() {
        var issues: [RuntimeIssue] = []
        let host = ViewHost(Screen(), onIssue: { issues.append($0) })
        host.traits.scenePhase = .inactive
        host.traits.colorScheme = .dark
        #expect(issues.count == 1)
        #expect(issues.first?.description.contains("Screen has several nodes with the id ") == true)
        #expect(issues.first?.description.contains("group, text") == true)
    }
    #endif

    @Test func `and one that two nodes have is found in the screen that brings the second`() {
        func node(_ id: Int, _ children: [RenderedNode] = []) -> RenderedNode {
            RenderedNode(id: id, kind: .group, children: children)
        }
        let (two, three) = (node(2), node(3))
        var census = NodeCensus()
        let screens = [
            node(1, [two, node(4, [three])]), node(1, [two, three, node(4)]),
            node(1, [two, three, node(4, [node(2)])]), node(1, [three, node(4, [node(2)])]), node(1, [three, three]),
            node(9, [two]),
        ]
        let found = screens.map { census.repeatedIDs(in: $0) }
        #expect(found == [[], [], [2], [], [3], []], "the second screen moves a node, the last is another one")
    }
}
