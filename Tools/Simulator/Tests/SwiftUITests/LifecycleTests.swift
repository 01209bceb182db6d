import SwiftUI
import Testing
import ViewTree

extension View {
    @MainActor
    fileprivate func noted(_ name: String, _ journal: Journal) -> some View {
        onAppear { journal.note("\(name) appeared") }.onDisappear { journal.note("\(name) disappeared") }
    }
}

@MainActor
@Suite(.timeLimit(.minutes(2))) struct `Views come and go` {
    private struct Flip: View {
        let journal: Journal
        @State private var isFirst = true

        var body: some View {
            Button("Flip") { isFirst.toggle() }.accessibilityIdentifier("flip")
            if isFirst {
                VStack { Text("1").noted("inner 1", journal) }.noted("outer 1", journal)
            } else {
                VStack { Text("2").noted("inner 2", journal) }.noted("outer 2", journal)
            }
        }
    }

    @Test func `those that leave before those that come, from the inside out and from the outside in`() {
        let journal = Journal()
        let host = ViewHost(Flip(journal: journal))
        #expect(journal.take() == ["outer 1 appeared", "inner 1 appeared"])
        host.tap("flip")
        #expect(
            journal.take() == [
                "inner 1 disappeared", "outer 1 disappeared", "outer 2 appeared", "inner 2 appeared",
            ])
        host.close()
        #expect(journal.take() == ["inner 2 disappeared", "outer 2 disappeared"])
    }

    private struct Working: View {
        let journal: Journal
        @State private var isShown = true
        @State private var id = 1

        var body: some View {
            Button("Hide") { isShown = false }.accessibilityIdentifier("hide")
            Button("Next") { id += 1 }.accessibilityIdentifier("next")
            if isShown {
                Text("working").task(id: id) {
                    journal.note("began \(id)")
                    await untilCancelled()
                    journal.note("cancelled")
                }
            }
        }
    }

    @Test func `and a task is cancelled when its view goes, or when its id changes`() async {
        let journal = Journal()
        let host = ViewHost(Working(journal: journal))
        await turn()
        #expect(!host.isSettled)
        host.tap("next")
        host.tap("hide")
        await host.waitUntilSettled()
        #expect(journal.lines.filter { $0 == "cancelled" }.count == journal.lines.filter { $0 != "cancelled" }.count)
        #expect(journal.lines.last == "cancelled")
    }

    private struct Loading: View {
        @State private var text = "loading"

        var body: some View {
            Text(text).task {
                await Task.yield()
                text = "loaded"
            }
        }
    }

    @Test func `and what a task loads is there when the host has settled`() async {
        let host = ViewHost(Loading())
        #expect(host.tree.contains(text: "loading"))
        await host.waitUntilSettled()
        #expect(host.tree.contains(text: "loaded"))
    }

    private struct Changing: View {
        let journal: Journal
        @State private var count = 0
        @State private var double = 0

        var body: some View {
            Button("Add") { count += 1 }.accessibilityIdentifier("add")
            Text("\(count) \(double)").onChange(of: count) { new in
                journal.note("changed to \(new)")
                double = new * 2
            }
        }
    }

    @Test func `and onChange runs after the update, and what it changes is shown with it`() {
        let journal = Journal()
        let host = ViewHost(Changing(journal: journal))
        let before = host.tree.revision
        host.tap("add")
        #expect(journal.lines == ["changed to 1"])
        #expect(host.tree.contains(text: "1 2"))
        #expect(host.tree.revision == before + 1)
    }

    private struct Stack: View {
        let journal: Journal

        var body: some View {
            NavigationStack {
                NavigationLink("Go", value: 1).accessibilityIdentifier("go").noted("root", journal)
                    .navigationDestination(for: Int.self) { number in
                        Text("page \(number)").noted("page", journal).task {
                            await untilCancelled()
                            journal.note("task ended")
                        }
                    }
            }
        }
    }

    @Test func `and a page that is covered disappears and appears again`() async throws {
        let journal = Journal()
        let host = ViewHost(Stack(journal: journal))
        #expect(journal.take() == ["root appeared"])
        host.tap("go")
        #expect(journal.take() == ["root disappeared", "page appeared"])
        await turn()
        let page = try #require(host.tree.root.first { $0.actions.contains(.back) })
        host.send(ViewEvent(node: page.id, action: .back))
        await host.waitUntilSettled()
        #expect(journal.take() == ["page disappeared", "root appeared", "task ended"])
    }

    @Test func `and a scene in the background says so to those who read its phase`() {
        struct Phase: View {
            let journal: Journal
            @Environment(\.scenePhase) private var phase
            var body: some View {
                Text("\(String(describing: phase))").onChange(of: phase) { journal.note("\($0)") }
            }
        }
        let journal = Journal()
        let host = ViewHost(Phase(journal: journal))
        host.traits.scenePhase = .background
        #expect(journal.lines == ["background"])
        #expect(host.tree.contains(text: "background"))
    }
}
