import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite struct `An action for assistive technologies` {
    private struct Card: View {
        @State private var rating = 3
        @State private var log: [String] = []

        var body: some View {
            HStack {
                Text("Trip")
                Text("Alps")
            }
            .accessibilityElement(children: .combine)
            .accessibilityAction(named: "Share") { log.append("shared") }
            .accessibilityAction(named: "Delete") { log.append("deleted") }
            .accessibilityAction(.escape) { log.append("left") }
            HStack { Text("***") }
                .accessibilityElement()
                .accessibilityLabel("Rating")
                .accessibilityValue("\(rating) of 5")
                .accessibilityAdjustableAction { direction in
                    switch direction {
                    case .increment: rating += 1
                    case .decrement: rating -= 1
                    }
                }
            Text("log \(log.joined(separator: " "))").accessibilityIdentifier("log")
        }
    }

    @Test func `is offered by its name, and performed by it`() throws {
        let host = quiet(Card())
        let card = try #require(VoiceOverOrder(host.tree).elements.first)
        #expect(card.spoken == "Trip, Alps. Actions available")
        #expect(card.actions?.map(\.name) == ["Share", "Delete", "Escape"])
        for name in ["Delete", "Share", "Escape"] {
            let event = ViewEvent(node: card.node, action: .accessibilityAction, value: .string(name))
            #expect(host.send(event) == .handled)
        }
        let unknown = ViewEvent(node: card.node, action: .accessibilityAction, value: "Copy")
        #expect(host.send(unknown) == .invalidValue)
        #expect(host.tree.root.identified(by: "log")?.properties["text"] == "log deleted shared left")
    }

    private struct Combined: View {
        @State private var log = "nothing"

        var body: some View {
            VStack {
                Text("Trip").accessibilityAction(named: "Share") { log = "shared" }
                Text("Alps").accessibilityAction(named: "Delete") { log = "deleted" }
            }
            .accessibilityElement(children: .combine)
            Text(log)
        }
    }

    @Test func `inside a combined element is performed by the view that has it`() throws {
        let host = quiet(Combined())
        let element = try #require(VoiceOverOrder(host.tree).elements.first)
        let actions = try #require(element.actions)
        #expect(actions.map(\.name) == ["Share", "Delete"])
        for (action, outcome) in zip(actions, ["shared", "deleted"]) {
            let event = ViewEvent(node: action.node, action: .accessibilityAction, value: .string(action.name))
            #expect(host.send(event) == .handled)
            #expect(host.tree.contains(text: outcome))
        }
    }

    @Test func `or a swipe changes a value in steps`() throws {
        let host = quiet(Card())
        func rating() -> SpokenElement? { VoiceOverOrder(host.tree).elements.first { $0.label == "Rating" } }
        let before = try #require(rating())
        #expect(before.spoken == "Rating, 3 of 5, adjustable")
        host.send(ViewEvent(node: before.node, action: .increment))
        host.send(ViewEvent(node: before.node, action: .increment))
        host.send(ViewEvent(node: before.node, action: .decrement))
        #expect(rating()?.value == "4 of 5")
    }
}
