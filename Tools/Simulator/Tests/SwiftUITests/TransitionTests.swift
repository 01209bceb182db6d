import Foundation
import Testing
import ViewTree

@testable import SwiftUI

@MainActor
@Suite struct `A transition` {
    private struct Card: View {
        @State private var isShown = false
        @State private var count = 0
        var body: some View {
            VStack {
                Text("\(count)").accessibilityIdentifier("count")
                if isShown {
                    Button("Card") { count += 1 }.accessibilityIdentifier("card").transition(.move(edge: .bottom))
                }
            }
            Button("Turn") { withAnimation(.linear(duration: 0.5)) { isShown.toggle() } }
                .accessibilityIdentifier("turn")
            Button("Jump") { isShown.toggle() }.accessibilityIdentifier("jump")
            Button("Still") {
                var transaction = Transaction(animation: .default)
                transaction.disablesAnimations = true
                withTransaction(transaction) { isShown.toggle() }
            }
            .accessibilityIdentifier("still")
            Button("Count") { withAnimation { count += 1 } }.accessibilityIdentifier("add")
        }
    }

    @Test func `is on the view, and its timing on the tree of the animated change alone`() {
        let host = quiet(Card())
        #expect(host.tree.animation == nil)
        host.tap("turn")
        #expect(host.tree.animation?.duration == 0.5)
        #expect(host.tree.animation?.curve.count == 41)
        #expect(host.tree.animation?.curve[20] == 0.5)
        let card = host.tree.root.identified(by: "card")
        #expect(card?.properties["transition"] == [["move bottom"], ["move bottom"]])
        host.tap("add")
        #expect(host.tree.animation == nil)
        host.tap("jump")
        #expect(host.tree.animation == nil)
        host.tap("still")
        #expect(host.tree.animation == nil)
    }

    @Test func `travels in the patch that adds or removes the view, which takes no input once it is gone`() throws {
        let host = quiet(Card())
        host.tap("turn")
        let before = host.tree
        let card = try #require(before.root.target(of: .tap, "card"))
        host.tap("turn")
        let patch = try roundTrip(TreePatch(from: before, to: host.tree))
        #expect(patch.animation == host.tree.animation && patch.animation?.duration == 0.5)
        #expect(patch.removed.contains(card.id))
        #expect(host.send(ViewEvent(node: card.id, action: .tap)) == .gone)
        #expect(host.tree.root.identified(by: "count")?.properties["text"] == "0")
    }

    private struct Bound: View {
        @State private var isShown = false
        var body: some View {
            VStack { if isShown { Text("inside") } }
                .animation(.easeOut(duration: 2).delay(1).speed(2), value: isShown)
            Button("Turn") { isShown.toggle() }.accessibilityIdentifier("turn")
        }
    }

    @Test func `takes the animation of a value around the view, with its delay and speed`() {
        let host = quiet(Bound())
        host.tap("turn")
        #expect(host.tree.animation?.duration == 1)
        #expect(host.tree.animation?.delay == 1)
    }

    @Test func `is combined of several, and has two ways`() {
        func effects(_ transition: AnyTransition) -> NodeValue? {
            let host = quiet(Text("a").transition(transition))
            return host.tree.root.first { $0.kind == .text }?.properties["transition"]
        }
        #expect(effects(.identity) == [[], []])
        #expect(effects(.slide) == [["move leading"], ["move trailing"]])
        #expect(effects(.push(from: .top)) == [["move top", "opacity"], ["move bottom", "opacity"]])
        let scaled = AnyTransition.scale(scale: 0.5, anchor: .top).combined(with: .opacity)
        #expect(effects(scaled) == [["scale 0.5 0.5,0", "opacity"], ["scale 0.5 0.5,0", "opacity"]])
        #expect(
            effects(.asymmetric(insertion: .offset(x: 5, y: -7), removal: scaled))
                == [["offset 5 -7"], ["scale 0.5 0.5,0", "opacity"]])
    }

    @Test func `has a timing of its own for the effects that have none yet`() {
        let host = quiet(
            Text("a").transition(
                .asymmetric(
                    insertion: .scale.animation(.linear(duration: 2)).combined(with: .opacity),
                    removal: .opacity.animation(.linear(duration: 1).delay(3)).animation(.linear(duration: 9)))))
        let ways = host.tree.root.first { $0.kind == .text }?.properties["transition"]?.list ?? []
        let scale = ways.first?.list?.first?.list ?? []
        #expect(scale.prefix(3) == ["scale 0 0.5,0.5", 0, 2] && scale.last?.list?.count == 41)
        #expect(ways.first?.list?.last == "opacity")
        #expect(ways.last?.list?.first?.list?.prefix(3) == ["opacity", 3, 1])
    }

    @Test func `of a spring passes its end, and stops there`() {
        let animation = TreeAnimation(.spring(response: 0.5, dampingFraction: 0.4))
        #expect(animation.curve.first == 0 && animation.curve.last == 1)
        #expect((animation.curve.max() ?? 0) > 1.1)
    }
}
