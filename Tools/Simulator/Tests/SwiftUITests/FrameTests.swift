import Foundation
import Testing
import ViewTree

@testable import SwiftUI

private struct Comet: View, Animatable {
    var position: Double
    let work: () -> Void

    nonisolated var animatableData: Double {
        get { position }
        set { position = newValue }
    }

    var body: some View {
        work()
        return Text(position, format: .number.precision(.fractionLength(2)))
    }
}

private struct Sky: View {
    let work: () -> Void
    @State private var isFar = false

    var body: some View {
        Button("Go") { withAnimation(.linear(duration: 0.1)) { isFar = true } }.accessibilityIdentifier("go")
        Button("Jump") { isFar.toggle() }.accessibilityIdentifier("jump")
        Comet(position: isFar ? 1 : 0, work: work)
        Circle().frame(width: 10).offset(x: isFar ? 100 : 0)
    }
}

@MainActor
@Suite(.timeLimit(.minutes(2))) struct `Frames` {
    @Test func `of an animation come at their ticks, and show the way between`() async {
        let clock = ManualFrameClock(framesPerSecond: 50)
        let host = ViewHost(Sky(work: {}), clock: clock)
        var frames: [FrameRecord] = []
        var shown: [String] = []
        host.onFrame = {
            frames.append($0)
            shown.append(host.tree.root.texts.last ?? "")
        }
        host.tap("go")
        #expect(host.tree.contains(text: "0.00"))
        clock.run()
        await host.waitUntilSettled()
        #expect(host.tree.contains(text: "1.00"))
        #expect(host.tree.root.first { $0.kind == .offset }?.properties["x"] == 100)
        #expect(frames.count == 1 + 5)
        #expect(frames.allSatisfy { !$0.isLate && $0.missed == 0 })
        #expect(frames.dropFirst().map(\.evaluations) == [1, 1, 1, 1, 1])
        #expect(shown == ["0.00", "0.20", "0.40", "0.60", "0.80", "1.00"])
    }

    @Test func `whose bodies are slow are late, and ticks that they run over are missed`() async {
        let clock = ManualFrameClock(framesPerSecond: 50)
        var isSlow = false
        let host = ViewHost(Sky(work: { if isSlow { clock.spend(.milliseconds(45)) } }), clock: clock)
        var frames: [FrameRecord] = []
        host.tap("go")
        isSlow = true
        host.onFrame = { frames.append($0) }
        clock.run()
        await host.waitUntilSettled()
        #expect(frames.allSatisfy { $0.isLate && $0.duration >= .milliseconds(45) })
        #expect(frames.map(\.missed) == [0, 1, 1])
    }

    @Test func `are not made while nothing changes`() async {
        let clock = ManualFrameClock()
        let host = ViewHost(Sky(work: {}), clock: clock)
        var frames = 0
        host.onFrame = { _ in frames += 1 }
        host.tap("jump")
        await turn()
        #expect(frames == 1)
        #expect(host.isSettled)
        #expect(host.tree.contains(text: "1.00"))
    }

    @Test func `of a spring end where they should, and a bezier is where it should be`() {
        #expect(Animation.spring().progress(after: 5) == (1, true))
        #expect(abs(Animation.easeInOut(duration: 2).progress(after: 1).fraction - 0.5) < 0.001)
        #expect(abs(Animation.easeIn(duration: 1).progress(after: 0.5).fraction - 0.3153) < 0.001)
        #expect(Animation.linear(duration: 1).delay(1).progress(after: 0.5).fraction == 0)
        #expect(Animation.linear(duration: 1).repeatForever().progress(after: 1.25).fraction == 0.75)
        #expect(Animation.linear(duration: 1).repeatCount(2).progress(after: 9) == (0, true))
    }
}

private struct Rows: View {
    @State private var marked: Int?

    var body: some View {
        List(0..<200, id: \.self) { row in
            HStack {
                Text("Row \(row)")
                Button(marked == row ? "marked" : "mark") { marked = row }.accessibilityIdentifier("mark-\(row)")
            }
        }
    }
}

@MainActor
@Suite struct `A patch` {
    @Test func `for one row of two hundred holds that row alone`() throws {
        let host = ViewHost(Rows())
        while let rest = host.tree.root.first({ $0.kind == .placeholder }) {
            host.send(ViewEvent(node: rest.id, action: .appear))
        }
        #expect(host.tree.root.all { $0.kind == .row }.count == 200)
        let before = host.tree
        host.tap("mark-100")
        let patch = TreePatch(from: before, to: host.tree)
        #expect(patch.nodes.map(\.properties["text"]) == ["marked"])
        #expect(patch.removed.isEmpty)
        let (whole, part) = (try JSONEncoder().encode(host.tree).count, try JSONEncoder().encode(patch).count)
        #expect(whole > 20_000)
        #expect(part < 1_000)
    }

    @Test func `makes the later tree of the earlier one, over a wire too`() throws {
        struct Moving: View {
            @State private var names = ["a", "b", "c", "d"]
            var body: some View {
                Button("Turn") { names = ["d", "x", "b"] }.accessibilityIdentifier("turn")
                List(names, id: \.self) { name in
                    if name == "x" { Text("new") } else { Label(name, systemImage: "star") }
                }
            }
        }
        let host = ViewHost(Moving())
        let before = host.tree
        host.tap("turn")
        let patch = TreePatch(from: before, to: host.tree)
        let received = try roundTrip(patch)
        #expect(received.applied(to: before)?.root.outline == host.tree.root.outline)
        #expect(received.applied(to: host.tree) == nil)
        var gone: Set<Int> = []
        before.root.forEach { gone.insert($0.id) }
        host.tree.root.forEach { gone.remove($0.id) }
        #expect(Set(received.removed) == gone)
    }

    @Test func `holds nothing where nothing changed`() {
        let host = ViewHost(Rows())
        let patch = TreePatch(from: host.tree, to: host.tree)
        #expect(patch.nodes.isEmpty && patch.removed.isEmpty)
    }
}
