import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite struct `A long press` {
    private let journal = Journal()

    private struct Holding: View {
        let journal: Journal

        var body: some View {
            Text("photo")
                .onLongPressGesture(minimumDuration: 1) {
                    journal.note("held")
                } onPressingChanged: {
                    journal.note($0 ? "down" : "up")
                }
                .accessibilityIdentifier("photo")
            Button("button") { journal.note("tapped") }
                .simultaneousGesture(
                    LongPressGesture().onChanged { _ in journal.note("begins") }.onEnded { _ in journal.note("ended") }
                )
                .accessibilityIdentifier("button")
            Text("tap").gesture(TapGesture().onEnded { journal.note("tap") }).accessibilityIdentifier("tap")
            Text("off").onLongPressGesture {}.disabled(true).accessibilityIdentifier("off")
            Text("no").gesture(LongPressGesture().onEnded { _ in }, including: .subviews)
                .accessibilityIdentifier("no")
        }
    }

    @Test func `reports that it begins and ends, and then runs its action`() {
        let host = quiet(Holding(journal: journal))
        #expect(host.perform(.press, on: "photo") == .handled)
        #expect(journal.take() == ["down"])
        host.perform(.release, on: "photo")
        #expect(journal.take() == ["up"])
        host.perform(.press, on: "photo")
        host.perform(.longPress, on: "photo")
        #expect(journal.take() == ["down", "up", "held"])
        host.perform(.longPress, on: "photo")
        #expect(journal.take() == ["down", "up", "held"])
        let area = host.tree.root.first { $0.kind == .holdArea }
        #expect(area?.properties["duration"] == 1 && area?.properties["distance"] == 10)
    }

    @Test func `is a gesture, beside the tap of a button or alone`() {
        let host = quiet(Holding(journal: journal))
        host.perform(.longPress, on: "button")
        #expect(journal.take() == ["begins", "ended"])
        host.tap("button")
        host.tap("tap")
        #expect(journal.take() == ["tapped", "tap"])
        #expect(host.perform(.longPress, on: "off") == .notOffered)
        #expect(host.perform(.longPress, on: "no") == .notOffered)
    }

    private struct Menus: View {
        @State private var names = ["a", "b"]

        var body: some View {
            List(names, id: \.self) { name in
                Text(name)
                    .contextMenu {
                        Button("Copy \(name)") { names.append(name + name) }.accessibilityIdentifier("copy-\(name)")
                        Button("Delete", role: .destructive) { names.removeAll { $0 == name } }
                    }
                    .accessibilityIdentifier(name)
            }
            Text("none").contextMenu {}.accessibilityIdentifier("none")
        }
    }

    @Test func `opens a context menu, and a choice closes it`() {
        let host = quiet(Menus())
        #expect(host.tap("copy-a") == .gone)
        host.perform(.longPress, on: "a")
        #expect(host.tree.root.texts == ["a", "Copy a", "Delete", "b", "none"])
        host.tap("copy-a")
        #expect(host.tree.root.texts == ["a", "b", "aa", "none"])
        host.perform(.longPress, on: "b")
        host.perform(.dismiss, on: "b")
        #expect(host.tree.root.texts == ["a", "b", "aa", "none"])
        host.perform(.longPress, on: "none")
        #expect(host.tree.root.first { $0.kind == .choices } == nil)
    }
}
