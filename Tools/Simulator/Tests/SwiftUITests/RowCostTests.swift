import Combine
import Foundation
import Observation
import Testing
import ViewTree

@testable import SwiftUI

private struct Entry: Identifiable {
    let id: Int
    var title: String
    var isDone = false
}

private final class Log: ObservableObject {
    @Published var entries = (0..<1_000).map { Entry(id: $0, title: "Entry \($0)") }
}

private struct EntryRow: View {
    let entry: Entry

    var body: some View {
        HStack(spacing: 12) {
            Text(entry.title).font(.headline)
            Spacer()
            Text(entry.isDone ? "done" : "open").foregroundStyle(.secondary)
        }
    }
}

private struct LogScreen: View {
    @ObservedObject var log: Log

    var body: some View {
        NavigationStack {
            List { ForEach(log.entries) { EntryRow(entry: $0) } }.navigationTitle("Log")
        }
    }
}

private struct EditedLogScreen: View {
    @ObservedObject var log: Log

    var body: some View {
        List {
            ForEach(log.entries) { EntryRow(entry: $0) }
                .onDelete { log.entries.remove(atOffsets: $0) }
                .onMove { log.entries.move(fromOffsets: $0, toOffset: $1) }
        }
    }
}

private struct ActingRow: View {
    let entry: Entry
    let finish: @MainActor () -> Void

    var body: some View {
        HStack {
            Text(entry.title).font(.headline).onAppear { _ = entry.id }
            Button(entry.isDone ? "done" : "open", action: finish).disabled(entry.isDone)
        }
    }
}

private struct ActingScreen: View {
    @ObservedObject var log: Log

    var body: some View {
        List { ForEach(log.entries) { entry in ActingRow(entry: entry) { log.entries[entry.id].isDone = true } } }
    }
}

private struct MarkScreen: View {
    @State private var marked: Int?

    var body: some View {
        List(0..<1_000, id: \.self) { row in
            HStack {
                Text("Row \(row)")
                Button(marked == row ? "marked" : "mark") { marked = row }.accessibilityIdentifier("mark-\(row)")
            }
        }
    }
}

/// The cost of a change, in numbers that are the same on every machine.
private struct Cost {
    /// The bodies evaluated, by type of view.
    let bodies: [String: Int]
    /// The nodes that declared their children.
    let updated: Int
    let rendered: Int
    /// The rendered nodes that are other objects than before. A patch looks at no others.
    let fresh: Int
    let patch: TreePatch
    let bytes: Int

    @MainActor
    init(in host: ViewHost, of change: () -> Void) throws {
        let (before, bodiesBefore) = (host.tree, host.evaluations)
        let (updatedBefore, renderedBefore) = (host.graph.updatedNodes, host.graph.renderedNodes)
        change()
        host.update()
        bodies = host.evaluations.merging(bodiesBefore) { $0 - $1 }.filter { $0.value > 0 }
        updated = host.graph.updatedNodes - updatedBefore
        rendered = host.graph.renderedNodes - renderedBefore
        var known: Set<ObjectIdentifier> = []
        before.root.forEach { known.insert(ObjectIdentifier($0)) }
        fresh = host.tree.root.all { !known.contains(ObjectIdentifier($0)) }.count
        patch = TreePatch(from: before, to: host.tree)
        bytes = try JSONEncoder().encode(patch).count
    }
}

/// Shows a screen with all of its rows, as after scrolling to the end.
@MainActor
private func scrolled<V: View>(_ view: V) -> ViewHost {
    let host = ViewHost(view)
    while let rest = host.tree.root.first({ $0.kind == .placeholder }) {
        host.send(ViewEvent(node: rest.id, action: .appear))
    }
    return host
}

@MainActor
@Suite struct `A change of one row of a thousand` {
    @Test func `costs the row, and what is around it`() throws {
        let log = Log()
        let host = scrolled(LogScreen(log: log))
        #expect(host.tree.root.all { $0.kind == .row }.count == 1_000)
        let cost = try Cost(in: host) { log.entries[500].isDone = true }
        #expect(cost.bodies == ["LogScreen": 1, "EntryRow": 1])
        #expect(cost.updated < 20)
        #expect(cost.rendered < 30)
        #expect(cost.fresh < 20)
        #expect(cost.patch.nodes.map(\.properties["text"]) == ["done"])
        #expect(cost.bytes < 400)
    }

    @Test func `costs no more in a list that the user can edit`() throws {
        let log = Log()
        let first = ViewHost(EditedLogScreen(log: log))
        #expect(first.evaluations["EntryRow"] == 30)
        let host = scrolled(EditedLogScreen(log: log))
        let cost = try Cost(in: host) { log.entries[500].isDone = true }
        #expect(cost.bodies.filter { !$0.key.hasPrefix("_EditableForEach") }.values.reduce(0, +) == 3)
        #expect(cost.rendered < 30)
        #expect(cost.fresh < 20)
        #expect(cost.patch.nodes.map(\.properties["text"]) == ["done"])
    }

    @Test func `acts on the row where it is now, after others have gone`() throws {
        let log = Log()
        let host = ViewHost(EditedLogScreen(log: log))
        let swipes = host.tree.root.all { $0.kind == .swipeActions }.compactMap {
            $0.first { $0.actions.contains(.tap) }
        }
        let (second, fifth) = (swipes[1], swipes[4])
        host.send(ViewEvent(node: second.id, action: .tap))
        host.send(ViewEvent(node: fifth.id, action: .tap))
        #expect(log.entries.prefix(5).map(\.id) == [0, 2, 3, 5, 6])
    }

    @Test func `scrolls at the cost of the rows that come`() throws {
        let host = ViewHost(LogScreen(log: Log()))
        let rest = try #require(host.tree.root.first { $0.kind == .placeholder })
        let costs = try (0..<20).map { _ in
            try Cost(in: host) { host.send(ViewEvent(node: rest.id, action: .appear)) }
        }
        #expect(costs.allSatisfy { $0.bodies == ["EntryRow": 30] })
        #expect(Set(costs.map(\.updated)).count == 1)
        #expect(Set(costs.map(\.rendered)).count == 1)
    }

    @Test func `renders no button again because its row has made another closure`() throws {
        let host = scrolled(MarkScreen())
        let cost = try Cost(in: host) { host.tap("mark-500") }
        #expect(cost.rendered < 20)
        #expect(cost.fresh < 20)
        #expect(cost.patch.nodes.map(\.properties["text"]) == ["marked"])
        #expect(cost.bytes < 400)
    }

    @Test func `renders no other row again that gets another closure, although its body runs`() throws {
        let log = Log()
        let host = scrolled(ActingScreen(log: log))
        let cost = try Cost(in: host) { log.entries[500].isDone = true }
        #expect(cost.bodies == ["ActingScreen": 1, "ActingRow": 1_000])
        #expect(cost.rendered < 20)
        #expect(cost.fresh < 20)
        #expect(Set(cost.patch.nodes.map(\.kind)) == [.button, .text])
    }

    private struct Counter: View {
        @State private var count = 0
        var body: some View {
            let next = count + 1
            Text("\(count)")
            HStack { Button("Add") { count = next }.accessibilityIdentifier("add") }
        }
    }

    @Test func `leaves a button that is not rendered again with its newest action`() {
        let host = ViewHost(Counter())
        for _ in 0..<3 { host.tap("add") }
        #expect(host.tree.contains(text: "3"))
    }

    @Test func `leaves the other rows the same objects, on both sides of the link`() throws {
        let log = Log()
        let host = scrolled(LogScreen(log: log))
        let before = host.tree
        log.entries[500].isDone = true
        host.update()
        let received = try #require(TreePatch(from: before, to: host.tree).applied(to: before))
        for after in [host.tree, received] {
            let rows = zip(before.root.all { $0.kind == .row }, after.root.all { $0.kind == .row })
            #expect(rows.enumerated().filter { $0.element.0 !== $0.element.1 }.map(\.offset) == [500])
        }
        #expect(received.root.outline == host.tree.root.outline)
    }
}

@Suite struct `Two values` {
    private enum Unequal {
        case only(() -> Void)
    }

    private struct Held {
        let text: String
        let object: AnyObject
    }

    private final class Object {}

    @Test func `in optionals are compared as they are outside`() {
        let (one, other) = (Object(), Object())
        let text = String(repeating: "long enough to be stored elsewhere ", count: 2)
        func held(_ object: Object) -> Held? { Held(text: String(text.reversed().reversed()), object: object) }
        #expect(ValueEquality.areEqual(held(one), held(one)))
        #expect(!ValueEquality.areEqual(held(one), held(other)))
        #expect(!ValueEquality.areEqual(held(one), nil))
        #expect(ValueEquality.areEqual(Held?.none, nil))
        #expect(!ValueEquality.areEqual(Optional(Unequal.only { print(one) }), .only { print(other) }))
    }

    @Test @MainActor func `of the environment that nothing has changed are the same`() {
        var environment = EnvironmentValues()
        environment.editMode = EditScope().binding
        var (first, second) = (environment, environment)
        first.isInList = true
        second.isInList = true
        #expect(first.isSame(as: second))
    }
}
