import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite struct `A drag` {
    private struct Card: View {
        @State private var place = CGSize.zero
        @State private var start = CGPoint.zero
        @GestureState private var way = CGSize.zero
        @GestureState private var isHeld = false

        var body: some View {
            Text("card")
                .offset(x: place.width + way.width, y: place.height + way.height)
                .gesture(
                    DragGesture(minimumDistance: 4)
                        .updating($way) { value, way, _ in way = value.translation }
                        .onChanged { start = $0.startLocation }
                        .onEnded { place = $0.translation }
                )
                .accessibilityIdentifier("card")
            Text("hold")
                .gesture(LongPressGesture().updating($isHeld) { value, state, _ in state = value })
                .accessibilityIdentifier("hold")
            Text("\(Int(way.width)) \(Int(start.x)) \(isHeld ? "held" : "free")").accessibilityIdentifier("state")
        }
    }

    private func state(_ host: ViewHost) -> NodeValue? { host.tree.root.identified(by: "state")?.properties["text"] }
    private func x(_ host: ViewHost) -> NodeValue? { host.tree.root.first { $0.kind == .offset }?.properties["x"] }

    @Test func `reports its way, and resets its state when it ends or is cancelled`() {
        let host = quiet(Card())
        #expect(host.tree.root.first { $0.kind == .dragArea }?.properties["distance"] == 4)
        #expect(host.perform(.drag, on: "card", ["changed", 30, 10, 5, 10]) == .handled)
        #expect(state(host) == "25 5 free" && x(host) == 25)
        host.perform(.drag, on: "card", ["ended", 45, 10, 5, 10])
        #expect(state(host) == "0 5 free" && x(host) == 40)
        host.perform(.drag, on: "card", ["changed", 8, 10, 5, 10])
        host.perform(.drag, on: "card", ["cancelled", 8, 10, 5, 10])
        #expect(state(host) == "0 5 free" && x(host) == 40)
        #expect(host.perform(.drag, on: "card", ["changed", 8]) == .invalidValue)
        #expect(host.perform(.drag, on: "card", ["thrown", 8, 10, 5, 10]) == .invalidValue)
    }

    @Test func `and a long press share their way to keep a state`() {
        let host = quiet(Card())
        host.perform(.press, on: "hold")
        #expect(state(host) == "0 0 held")
        host.perform(.release, on: "hold")
        #expect(state(host) == "0 0 free")
        host.perform(.press, on: "hold")
        host.perform(.longPress, on: "hold")
        #expect(state(host) == "0 0 free")
    }
}
