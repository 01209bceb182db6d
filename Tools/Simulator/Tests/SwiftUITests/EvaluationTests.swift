import Combine
import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite struct `A body` {
    private struct Observer: View {
        @ObservedObject var model: Model
        var body: some View { Text("\(model.count) \(model.name)") }
    }

    @Test func `is evaluated once for a model that changed twice in a turn`() async {
        let model = Model()
        let host = ViewHost(Observer(model: model))
        model.count = 1
        model.name = "a"
        model.count = 2
        #expect(host.evaluations["Observer"] == 1)
        await turn()
        #expect(host.evaluations["Observer"] == 2)
        #expect(host.tree.contains(text: "2 a"))
    }

    @Test func `is evaluated again with each turn that changes something`() async {
        let model = Model()
        let host = ViewHost(Observer(model: model))
        for count in 1...3 {
            model.count = count
            await turn()
        }
        #expect(host.evaluations["Observer"] == 4)
    }

    /// The closure captures nothing but the object, so that its context is the object and never another.
    private struct Rows: View {
        @ObservedObject var model: Model
        var body: some View { ForEach(0..<2) { row in Text("row \(row): \(model.count)") } }
    }

    private struct EnvironmentRows: View {
        @EnvironmentObject private var model: Model
        var body: some View { ForEach(0..<2) { row in Text("row \(row): \(model.count)") } }
    }

    @Test func `has its rows made again for an object that changed, though their closure captures it alone`() async {
        let model = Model()
        let host = ViewHost(Rows(model: model))
        let other = ViewHost(EnvironmentRows().environmentObject(model))
        model.count = 7
        await turn()
        #expect(host.tree.contains(text: "row 1: 7"))
        #expect(other.tree.contains(text: "row 1: 7"))
    }

    private struct Reader: View {
        @EnvironmentObject private var model: Model
        var body: some View { Text("\(model.count)") }
    }

    private struct Bystander: View {
        var body: some View { Reader2() }
    }

    private struct Reader2: View {
        @EnvironmentObject private var model: Model
        var body: some View { Text("deep \(model.count)") }
    }

    private struct Provider: View {
        let model: Model
        var body: some View {
            VStack {
                Reader()
                Bystander()
            }
            .environmentObject(model)
        }
    }

    @Test func `that reads an environment object is evaluated again, and those around it are not`() async {
        let model = Model()
        let host = ViewHost(Provider(model: model))
        model.count = 7
        await turn()
        #expect(host.tree.root.texts == ["7", "deep 7"])
        #expect(host.evaluations == ["Provider": 1, "Reader": 2, "Bystander": 1, "Reader2": 2])
    }

    private struct Owner: View {
        @State private var text = "a"
        @State private var unread = 0

        var body: some View {
            Writer(text: $text)
            Button("Unread") { unread += 1 }.accessibilityIdentifier("unread")
        }
    }

    private struct Writer: View {
        @Binding var text: String
        var body: some View {
            Text(text)
            Button("Same") { text = "a" }.accessibilityIdentifier("same")
            Button("Other") { text = "b" }.accessibilityIdentifier("other")
        }
    }

    @Test func `that reads state through a binding is evaluated without the one that owns it`() {
        let host = ViewHost(Owner())
        host.tap("other")
        #expect(host.tree.contains(text: "b"))
        #expect(host.evaluations == ["Owner": 1, "Writer": 2])
    }

    @Test func `is not evaluated for state that it does not read, nor for the same value`() {
        let host = ViewHost(Owner())
        host.tap("unread")
        host.tap("same")
        #expect(host.evaluations == ["Owner": 1, "Writer": 1])
    }

    private struct Pair: View {
        @State private var left = 0
        @State private var names = ["x", "y"]

        var body: some View {
            Button("Left") { left += 1 }.accessibilityIdentifier("left")
            Leaf(value: left, names: names)
            Leaf2(names: names, action: nil)
        }
    }

    private struct Leaf: View {
        let value: Int
        let names: [String]
        var body: some View { Text("\(value)") }
    }

    private struct Leaf2: View {
        let names: [String]
        let action: (() -> Void)?
        var body: some View { Text(names.joined()) }
    }

    @Test func `is not evaluated where the view is given what it was given before`() {
        let host = ViewHost(Pair())
        host.tap("left")
        host.tap("left")
        #expect(host.evaluations == ["Pair": 3, "Leaf": 3, "Leaf2": 1])
    }

    private struct Referring: View {
        weak var model: Model?
        let other: Model
        let number: Int
        var body: some View { Text(model == nil ? "nobody" : "somebody") }
    }

    private struct Referrer: View {
        let model: Model
        @State private var number = 0
        @State private var changes = 0

        var body: some View {
            Button("\(changes)") { changes += 1 }.accessibilityIdentifier("again")
            Button("Number") { number += 1 }.accessibilityIdentifier("number")
            Referring(model: model, other: model, number: number)
        }
    }

    @Test func `is not evaluated for the same references, weak ones too`() {
        let model = Model()
        let host = ViewHost(Referrer(model: model))
        host.tap("again")
        #expect(host.evaluations["Referring"] == 1)
        host.tap("number")
        #expect(host.evaluations["Referring"] == 2)
        #expect(host.tree.contains(text: "somebody"))
    }

    private struct Schemed: View {
        @Environment(\.colorScheme) private var scheme
        var body: some View { Text(scheme == .dark ? "dark" : "light") }
    }

    private struct Page: View {
        var body: some View {
            Schemed()
            Bystander2()
        }
    }

    private struct Bystander2: View {
        var body: some View { Text("same") }
    }

    @Test func `is evaluated for a change of the environment where it reads what changed`() {
        let host = ViewHost(Page())
        host.traits.colorScheme = .dark
        #expect(host.tree.root.texts == ["dark", "same"])
        #expect(host.tree.root.properties["colorScheme"] == "dark")
        #expect(host.evaluations == ["Page": 1, "Schemed": 2, "Bystander2": 1])
    }

    private struct Once: View {
        @State private var taps = 0
        let made: Journal

        var body: some View {
            Button("\(taps)") { taps += 1 }.accessibilityIdentifier("tap")
            Holder(made: made, unrelated: taps)
        }
    }

    private struct Holder: View {
        @StateObject private var model: Model
        let unrelated: Int

        init(made: Journal, unrelated: Int) {
            _model = StateObject(
                wrappedValue: {
                    made.note("made")
                    return Model()
                }())
            self.unrelated = unrelated
        }

        var body: some View { Text("\(unrelated) \(model.count)") }
    }

    @Test func `has its StateObject made once, however often the view is made`() {
        let made = Journal()
        let host = ViewHost(Once(made: made))
        for _ in 0..<3 { host.tap("tap") }
        #expect(host.evaluations["Holder"] == 4)
        #expect(made.lines == ["made"])
    }

    private struct Culprit: View {
        @State private var count = 0

        var body: some View {
            count += 1
            return Text("\(count)")
        }
    }

    @Test func `that writes state is named and not looped`() async {
        let host = quiet(Culprit())
        await turn()
        #expect(host.evaluations == ["Culprit": 1])
        #expect(host.issues == [.writeDuringUpdate(view: "Culprit", target: "@State of Culprit")])
        #expect(host.issues.first?.description.contains("Culprit changed @State of Culprit") == true)
    }

    private struct Publisher: View {
        @ObservedObject var model: Model

        var body: some View {
            model.count += 1
            return Text("\(model.count)")
        }
    }

    @Test func `that changes a model is named and not looped`() async {
        let host = quiet(Publisher(model: Model()))
        await turn()
        #expect(host.evaluations == ["Publisher": 1])
        #expect(host.issues == [.writeDuringUpdate(view: "Publisher", target: "a published property of Model")])
    }

    private struct Endless: View {
        @State private var count = 0

        var body: some View { Text("\(count)").onChange(of: count) { _ in count += 1 }.onAppear { count = 1 } }
    }

    @Test func `whose onChange never rests is given up on, and named`() async {
        let host = quiet(Endless())
        await turn()
        #expect(host.issues == [.unsettled(views: ["Endless"], passes: 25)])
        #expect(host.isSettled)
    }

    private struct Styled: ViewModifier {
        @State private var taps = 0
        let journal: Journal

        func body(content: Content) -> some View {
            content
            Button("\(taps)") { taps += 1 }.accessibilityIdentifier("style")
        }
    }

    private struct Decorated: View {
        let journal: Journal
        var body: some View { Text("inside").modifier(Styled(journal: journal)) }
    }

    @Test func `of a modifier has state of its own`() {
        let host = ViewHost(Decorated(journal: Journal()))
        host.tap("style")
        #expect(host.tree.root.texts == ["inside", "1"])
        #expect(host.evaluations == ["Decorated": 1, "Styled": 2])
    }
}
