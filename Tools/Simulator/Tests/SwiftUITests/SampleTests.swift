import Foundation
import Testing
import ViewTree

@testable import SwiftUI

/// Apps in the styles that people use. Their sources import SwiftUI alone, and would run on a phone as they are.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct `A sample app` {
    @Test func `with view models loads, filters, adds and deletes tasks`() async throws {
        let host = quiet(TaskListView { ["Water", "Read"] })
        try await host.waitUntil("the tasks are loaded") { $0.contains("task-1") }
        host.tap("task-0")
        #expect(host.tree.contains(text: "1 open"))
        host.choose("Open", in: "filter")
        #expect(!host.tree.contains("task-0"))
        host.choose("All", in: "filter")
        host.tap("new")
        #expect(host.tap("add") == .notOffered)
        host.enter("Sleep", into: "title")
        host.tap("add")
        #expect(host.tree.contains("task-2") && !host.tree.contains("title"))
        let row = try #require(host.tree.root.first { $0.kind == .row && $0.identified(by: "task-1") != nil })
        let delete = try #require(row.first { $0.kind == .button && $0.texts == ["Delete"] })
        host.send(ViewEvent(node: delete.id, action: .tap))
        #expect(!host.tree.contains("task-1") && host.tree.contains("task-2"))
        #expect(host.issues.isEmpty)
    }

    @Test func `with Observation edits notes in place`() {
        let host = quiet(NotesView())
        host.tap("new")
        host.tap("new")
        host.tap("note-1")
        host.enter("Milk", into: "text")
        host.tap("pinned")
        #expect(host.tree.root.texts.suffix(2) == ["2", "Done"])
        host.tap("done")
        let labels = host.tree.root.all { $0.kind == .label }
        #expect(labels.flatMap(\.texts) == ["Milk", "Note 0"])
    }

    @Test func `with a navigation path opens places by links and by itself`() {
        let host = quiet(TripsView())
        host.tap("Rome")
        host.tap("Pantheon")
        #expect(host.tree.contains(text: "Pantheon"))
        host.tap("home")
        #expect(host.tree.contains("Oslo"))
        host.tap("more")
        host.tap("shortcut")
        #expect(host.tree.contains(text: "Opera") && host.tree.contains("home"))
        #expect(host.issues.isEmpty)
    }

    @Test func `with a form checks and saves what was entered`() {
        var saved: [Profile] = []
        let host = quiet(ProfileView { saved.append($0) })
        #expect(host.tap("save") == .notOffered)
        host.enter("Ada", into: "name")
        host.perform(.focus, on: "name")
        host.perform(.submit, on: "name")
        #expect(host.tree.root.identified(by: "email")?.properties["focused"] == true)
        #expect(host.tree.contains(text: "Enter an e-mail address."))
        host.enter("ada@example.com", into: "email")
        host.choose("Plus", in: "plan")
        host.perform(.increment, on: "guests")
        host.perform(.change, on: "volume", 0.75)
        host.tap("news")
        #expect(host.tree.contains(text: "Once a week."))
        host.tap("save")
        #expect(saved.map(\.guests) == [2] && saved.map(\.volume) == [0.75])
        #expect(host.tree.root.first { $0.kind == .alert }?.texts == ["Ada", "OK"])
        host.choose("Free", in: "plan")
        #expect(host.tree.contains(text: "Guests: 1"))
    }

    @Test func `with a dashboard counts its cards, follows its feed and animates`() async {
        let ticks = PassthroughSubject<Date, Never>()
        let host = quiet(DashboardView(ticks: ticks.eraseToAnyPublisher()))
        #expect(host.tree.contains(text: "2 cards, none selected"))
        ticks.send(Date())
        await turn()
        #expect(host.tree.contains(text: "50%"))
        host.tap("Water")
        #expect(host.tree.contains(text: "Water selected"))
        #expect(host.graph.isAnimating)
        #expect(host.issues.isEmpty)
        host.close()
    }
}
