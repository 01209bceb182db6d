import SwiftUI
import Testing
import ViewTree

private struct Counter: View {
    let name: String
    @State private var count = 0

    var body: some View {
        Button("\(name): \(count)") { count += 1 }.accessibilityIdentifier(name)
    }
}

@MainActor
@Suite struct `State belongs to a place` {
    private struct Rows: View {
        @State private var names = ["a", "b", "c"]

        var body: some View {
            List {
                Button("Swap") { names.swapAt(0, 2) }.accessibilityIdentifier("swap")
                Button("Drop") { names.removeAll { $0 == "b" } }.accessibilityIdentifier("drop")
                Button("Back") { names.insert("b", at: 1) }.accessibilityIdentifier("back")
                ForEach(names, id: \.self) { Counter(name: $0) }
            }
        }
    }

    @Test func `and rows that are swapped keep theirs`() {
        let host = ViewHost(Rows())
        host.tap("a")
        host.tap("a")
        host.tap("c")
        host.tap("swap")
        #expect(host.tree.root.texts.suffix(3) == ["c: 1", "b: 0", "a: 2"])
        #expect(host.evaluations["Counter"] == 3 + 3)
    }

    @Test func `and a row that went and came back has new state`() {
        let host = ViewHost(Rows())
        host.tap("b")
        host.tap("drop")
        #expect(host.tree.root.texts.suffix(2) == ["a: 0", "c: 0"])
        host.tap("back")
        #expect(host.tree.root.texts.suffix(3) == ["a: 0", "b: 0", "c: 0"])
    }

    private struct Branches: View {
        @State private var isFirst = true

        var body: some View {
            Button("Flip") { isFirst.toggle() }.accessibilityIdentifier("flip")
            if isFirst { Counter(name: "n") } else { Counter(name: "n") }
        }
    }

    @Test func `which is another one on the other side of an if`() {
        let host = ViewHost(Branches())
        host.tap("n")
        #expect(host.tree.contains(text: "n: 1"))
        host.tap("flip")
        #expect(host.tree.contains(text: "n: 0"))
        host.tap("flip")
        #expect(host.tree.contains(text: "n: 0"))
    }

    private struct Identified: View {
        @State private var id = 1

        var body: some View {
            Button("Next") { id += 1 }.accessibilityIdentifier("next")
            Counter(name: "n").id(id)
        }
    }

    @Test func `which is another one with another id`() {
        let host = ViewHost(Identified())
        host.tap("n")
        host.tap("next")
        #expect(host.tree.contains(text: "n: 0"))
    }

    private struct Erased: View {
        @State private var isCounter = true
        @State private var other = 0

        var body: some View {
            Button("Flip") { isCounter.toggle() }.accessibilityIdentifier("flip")
            Button("Touch \(other)") { other += 1 }.accessibilityIdentifier("touch")
            isCounter ? AnyView(Counter(name: "n")) : AnyView(Text("nothing"))
        }
    }

    @Test func `which is the same one behind AnyView as long as the type is`() {
        let host = ViewHost(Erased())
        host.tap("n")
        host.tap("touch")
        #expect(host.tree.contains(text: "n: 1"))
        host.tap("flip")
        host.tap("flip")
        #expect(host.tree.contains(text: "n: 0"))
    }

    private struct Parent: View {
        @State private var start = 1

        var body: some View {
            Button("Change") { start = 5 }.accessibilityIdentifier("change")
            Child(start: start)
        }
    }

    private struct Child: View {
        let start: Int
        @State private var count: Int

        init(start: Int) {
            self.start = start
            _count = State(initialValue: start)
        }

        var body: some View { Text("\(start)/\(count)") }
    }

    @Test func `and is not made again for another initial value`() {
        let host = ViewHost(Parent())
        host.tap("change")
        #expect(host.tree.contains(text: "5/1"))
    }

    @Test func `and two elements with one id are reported, and both shown`() {
        let host = quiet(ForEach([1, 1, 2], id: \.self) { Text("\($0)") })
        #expect(host.tree.root.texts == ["1", "1", "2"])
        #expect(host.issues == [.duplicateID(view: "ForEach", id: "1")])
    }
}
