import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite struct `The buttons in a row of a list` {
    private struct Screen: View {
        let journal: Journal

        var body: some View {
            List {
                HStack {
                    Button("Minus") { journal.note("minus") }.accessibilityIdentifier("minus")
                        .simultaneousGesture(TapGesture().onEnded { journal.note("gesture") })
                    Button("Plus") { journal.note("plus") }.accessibilityIdentifier("plus")
                }
                .accessibilityIdentifier("stepper")
                HStack {
                    Button("One") { journal.note("one") }.accessibilityIdentifier("one")
                    Button("Two") { journal.note("two") }
                }
                .buttonStyle(.borderless)
                HStack {
                    Text("Only")
                    Button("Alone") { journal.note("alone") }.accessibilityIdentifier("alone")
                    Menu("Menu") { Button("Item") { journal.note("item") }.accessibilityIdentifier("item") }
                        .accessibilityIdentifier("menu")
                }
            }
        }
    }

    @Test func `all act for a tap anywhere in the row, as on a phone`() {
        let journal = Journal()
        let host = quiet(Screen(journal: journal))
        for identifier in ["plus", "minus", "stepper"] {
            #expect(host.tap(identifier) == .handled)
            #expect(journal.take() == ["gesture", "minus", "plus"])
        }
    }

    @Test func `act alone with a style of their own, or if there is one`() {
        let journal = Journal()
        let host = quiet(Screen(journal: journal))
        host.tap("one")
        host.tap("alone")
        host.tap("menu")
        host.tap("item")
        #expect(journal.take() == ["one", "alone", "item"])
    }
}
