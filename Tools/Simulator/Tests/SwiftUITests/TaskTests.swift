import Testing
import ViewTree

@testable import SwiftUI

@MainActor
@Suite(.timeLimit(.minutes(2))) struct `A write of state` {
    @MainActor
    private final class Loader: ObservableObject {
        @Published var text = "loading"
        private(set) var task: Task<Void, Never>?

        init() {
            task = Task { await self.load() }
        }

        private func load() async {
            await Task.yield()
            text = "loaded"
        }
    }

    private struct Screen: View {
        @StateObject private var loader = Loader()
        var body: some View { Text(loader.text) }
    }

    @Test func `from a task that an object's initializer started updates the screen`() async throws {
        let host = quiet(Screen())
        #expect(host.tree.root.texts == ["loading"])
        try await host.waitUntil("the text is loaded") { $0.contains(text: "loaded") }
        #expect(host.issues.isEmpty)
    }

    private struct Starter: View {
        @State private var count = 0
        let start: (@escaping @Sendable (Int) -> Void) -> Void

        var body: some View {
            let count = $count
            if self.count == 0 { start { count.wrappedValue = $0 } }
            return Text("\(self.count)")
        }
    }

    @Test func `from a task that a body started updates the screen, on the main actor and off it`() async throws {
        let onMain = quiet(Starter { write in Task { @MainActor in write(1) } })
        let offMain = quiet(Starter { write in Task { @concurrent in write(2) } })
        try await onMain.waitUntil("it shows 1") { $0.contains(text: "1") }
        try await offMain.waitUntil("it shows 2") { $0.contains(text: "2") }
        #expect(onMain.issues.isEmpty && offMain.issues.isEmpty)
    }

    @MainActor
    private final class Reader: ObservableObject {
        @Published var seen = 0
    }

    @Test func `and a read of it off the main actor do not trap`() async throws {
        struct Asking: View {
            @State private var count = 3
            let reader: Reader
            @State private var hasAsked = false

            var body: some View {
                let count = $count
                let reader = reader
                Task { @concurrent in
                    let value = count.wrappedValue
                    await MainActor.run { reader.seen = value }
                }
                return Text("\(self.count)")
            }
        }
        let reader = Reader()
        let values = reader.$seen.values
        let host = quiet(Asking(reader: reader))
        for await value in values where value == 3 { break }
        #expect(host.issues.isEmpty)
    }
}

@MainActor
@Suite(.timeLimit(.minutes(2))) struct `An animated change` {
    private struct Screen: View {
        let change: (Binding<Bool>) -> Void
        @State private var isFar = false

        var body: some View {
            Button("Go") { change($isFar) }.accessibilityIdentifier("go")
            Circle()
                .frame(width: isFar ? 20 : 10, height: isFar ? 40 : 20)
                .scaleEffect(isFar ? 2 : 1)
                .rotationEffect(.degrees(isFar ? 90 : 0))
                .opacity(isFar ? 0.5 : 1)
                .hueRotation(.degrees(isFar ? 80 : 40))
                .offset(x: isFar ? 100 : 0, y: isFar ? 50 : 0)
        }
    }

    private func shown(_ host: ViewHost) -> [Double] {
        let wanted: [(NodeKind, String)] = [
            (.offset, "x"), (.offset, "y"), (.opacity, "opacity"), (.rotation, "degrees"), (.scale, "x"),
            (.frame, "width"), (.frame, "height"), (.filter, "amount"),
        ]
        return wanted.map { kind, name in host.tree.root.first { $0.kind == kind }?.properties[name]?.number ?? -1 }
    }

    @Test func `shows the way between for offset, opacity, rotation, scale, frame and a filter`() async {
        let clock = ManualFrameClock(framesPerSecond: 10)
        let host = ViewHost(
            Screen { isFar in withAnimation(.linear(duration: 0.2)) { isFar.wrappedValue = true } }, clock: clock)
        host.tap("go")
        #expect(shown(host) == [0, 0, 1, 0, 1, 10, 20, 40])
        var ways: [[Double]] = []
        host.onFrame = { _ in ways.append(shown(host)) }
        clock.run()
        await host.waitUntilSettled()
        #expect(ways == [[50, 25, 0.75, 45, 1.5, 15, 30, 60], [100, 50, 0.5, 90, 2, 20, 40, 80]])
    }

    @Test func `does not animate what a task that it started changes later`() async throws {
        let host = ViewHost(
            Screen { isFar in
                withAnimation(.linear(duration: 100)) { _ = Task { isFar.wrappedValue = true } }
            })
        host.tap("go")
        try await host.waitUntil("the circle is far") { $0.root.first { $0.kind == .offset }?.properties["x"] == 100 }
        #expect(!host.graph.isAnimating)
    }

    private struct Neighbors: View {
        @State private var isFar = false

        var body: some View {
            Button("Go") { isFar = true }.accessibilityIdentifier("go")
            Text("first").offset(x: isFar ? 100 : 0).animation(.linear(duration: 100), value: isFar)
            Text("second").offset(x: isFar ? 100 : 0)
        }
    }

    @Test func `of one view by its value leaves the views after it as they are`() {
        let host = ViewHost(Neighbors(), clock: ManualFrameClock())
        host.tap("go")
        #expect(host.tree.root.all { $0.kind == .offset }.map { $0.properties["x"] } == [0, 100])
    }
}
