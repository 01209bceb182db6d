import Testing
import ViewTree

@testable import SwiftUI

private struct Sinking: ButtonStyle {
    let journal: Journal

    func makeBody(configuration: Configuration) -> some View {
        configuration.label
            .scaleEffect(configuration.isPressed ? 0.8 : 1)
            .animation(.linear(duration: 0.1), value: configuration.isPressed)
            .onChange(of: configuration.isPressed) { journal.note($0 ? "down" : "up") }
    }
}

private struct Screen: View {
    let journal: Journal

    var body: some View {
        Button("Buy") { journal.note("bought") }.accessibilityIdentifier("buy").buttonStyle(Sinking(journal: journal))
        Button("Plain") {}.accessibilityIdentifier("plain")
        Button("Off") {}.accessibilityIdentifier("off").buttonStyle(Sinking(journal: journal)).disabled(true)
    }
}

@MainActor
@Suite struct `A button with a style of the app` {
    private let journal = Journal()

    @Test func `is pressed while it is held, and not after it`() {
        let host = quiet(Screen(journal: journal))
        #expect(host.perform(.press, on: "buy") == .handled)
        #expect(journal.take() == ["down"])
        host.perform(.press, on: "buy")
        host.perform(.release, on: "buy")
        #expect(journal.take() == ["up"])
        #expect(host.perform(.press, on: "plain") == .notOffered)
        #expect(host.perform(.press, on: "off") == .notOffered)
    }

    @Test func `is pressed and released by a tap, with or without a press before it`() {
        let host = quiet(Screen(journal: journal))
        host.tap("buy")
        #expect(journal.take() == ["down", "bought", "up"])
        host.perform(.press, on: "buy")
        host.tap("buy")
        #expect(journal.take() == ["down", "bought", "up"])
    }

    @Test func `animates its press`() async {
        let clock = ManualFrameClock(framesPerSecond: 20)
        let host = quiet(Screen(journal: journal), clock: clock)
        func scale() -> Double? { host.tree.root.first { $0.kind == .scale }?.properties["x"]?.number }
        #expect(scale() == 1)
        host.perform(.press, on: "buy")
        var scales = [scale()]
        host.onFrame = { _ in scales.append(scale()) }
        clock.run()
        await host.waitUntilSettled()
        #expect(scales == [1, 0.9, 0.8])
    }
}
