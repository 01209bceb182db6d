import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite struct `Controls` {
    private struct Form1: View {
        @State private var name = ""
        @State private var secret = ""
        @State private var isOn = false
        @State private var count = 1
        @State private var color = "red"
        @State private var submitted = ""
        @FocusState private var focus: String?

        var body: some View {
            Form {
                TextField("Name", text: $name).accessibilityIdentifier("name").focused($focus, equals: "name")
                    .onSubmit { submitted = name }
                SecureField("Secret", text: $secret).accessibilityIdentifier("secret")
                    .focused($focus, equals: "secret")
                Toggle("On", isOn: $isOn).accessibilityIdentifier("on")
                Stepper("Count \(count)", value: $count, in: 1...3).accessibilityIdentifier("count")
                Picker("Color", selection: $color) {
                    ForEach(["red", "green"], id: \.self) { Text($0) }
                    Text("Bleu").tag("blue")
                }
                .accessibilityIdentifier("color")
                Text("\(name)/\(secret.count)/\(String(isOn))/\(count)/\(color)/\(submitted)/\(focus ?? "-")")
                Button("Go") { focus = "name" }.accessibilityIdentifier("go").disabled(name.isEmpty)
            }
        }
    }

    private func state(_ host: ViewHost) -> String { host.tree.root.texts.last { $0.contains("/") } ?? "" }

    @Test func `write through their bindings`() throws {
        let host = ViewHost(Form1())
        #expect(host.enter("Ada <b>", into: "name") == .handled)
        #expect(host.perform(.submit, on: "name") == .handled)
        host.tap("on")
        host.perform(.increment, on: "count")
        #expect(host.choose("Bleu", in: "color") == .handled)
        #expect(state(host) == "Ada <b>/0/true/2/blue/Ada <b>/-")
        #expect(host.tree.root.identified(by: "color")?.properties["selected"] == 2)
    }

    @Test func `do not show what is secret`() throws {
        let host = ViewHost(Form1())
        host.enter("4432-8015", into: "secret")
        #expect(state(host) == "/9/false/1/red//-")
        #expect(host.tree.root.identified(by: "secret")?.properties["text"] == "•••••••••")
        #expect(!host.tree.root.outline.contains("4432"))
    }

    @Test func `stop at their bounds`() {
        let host = ViewHost(Form1())
        #expect(host.perform(.decrement, on: "count") == .notOffered)
        for _ in 0..<5 { host.perform(.increment, on: "count") }
        #expect(state(host).contains("/3/"))
        #expect(host.eventCounts == [.notOffered: 4, .handled: 2])
    }

    @Test func `take no action while they are disabled, and no value of another kind`() {
        let host = ViewHost(Form1())
        #expect(host.tap("go") == .notOffered)
        #expect(host.perform(.change, on: "name", 4) == .invalidValue)
        #expect(host.perform(.change, on: "color", 9) == .invalidValue)
        #expect(host.perform(.change, on: "color", .number(.infinity)) == .invalidValue)
        #expect(host.perform(.change, on: "name", .string(String(repeating: "x", count: 10_001))) == .invalidValue)
        host.enter("a", into: "name")
        #expect(host.tap("go") == .handled)
    }

    @Test func `know which of them is written in`() {
        let host = ViewHost(Form1())
        host.enter("a", into: "name")
        host.tap("go")
        #expect(host.tree.root.identified(by: "name")?.properties["focused"] == true)
        host.perform(.focus, on: "secret")
        #expect(state(host).hasSuffix("/secret"))
        host.perform(.blur, on: "name")
        #expect(state(host).hasSuffix("/secret"))
        host.perform(.blur, on: "secret")
        #expect(state(host).hasSuffix("/-"))
    }

    private struct Vanishing: View {
        @State private var isThere = true
        var body: some View {
            if isThere { Button("Vanish") { isThere = false }.accessibilityIdentifier("vanish") }
        }
    }

    @Test func `that are gone take no events, which are counted`() throws {
        let host = ViewHost(Vanishing())
        let button = try #require(host.tree.root.identified(by: "vanish"))
        let tap = ViewEvent(node: button.id, action: .tap)
        #expect(host.send(tap) == .handled)
        #expect(host.send(tap) == .gone)
        #expect(host.send(ViewEvent(node: -5, action: .tap)) == .gone)
        #expect(host.eventCounts == [.handled: 1, .gone: 2])
    }

    private struct Watched: View {
        let seen: Journal
        @State private var count = 0

        var body: some View {
            VStack {
                Button("Count \(count)") {
                    seen.note("counted")
                    count += 1
                }
                .accessibilityIdentifier("count")
                .simultaneousGesture(TapGesture().onEnded { seen.note("button") })
                Text("words").simultaneousGesture(TapGesture().onEnded { seen.note("words") })
                    .accessibilityIdentifier("words")
                Button("Masked") {}.simultaneousGesture(
                    TapGesture().onEnded { seen.note("masked") }, including: .subviews,
                )
                .accessibilityIdentifier("masked")
                Button("Disabled") {}.simultaneousGesture(TapGesture().onEnded { seen.note("disabled") })
                    .disabled(true).accessibilityIdentifier("disabled")
            }
            .simultaneousGesture(TapGesture().onEnded { seen.note("stack") })
        }
    }

    @Test func `are tapped beside gestures that are told first, from the inside out`() {
        let seen = Journal()
        let host = ViewHost(Watched(seen: seen))
        host.tap("count")
        #expect(seen.take() == ["button", "stack", "counted"])
        #expect(host.tree.contains(text: "Count 1"))
        host.tap("words")
        #expect(seen.take() == ["words", "stack"])
        host.tap("masked")
        #expect(seen.take() == ["stack"])
        #expect(host.perform(.tap, on: "disabled") != .handled)
        #expect(seen.take().isEmpty)
    }

    @Test func `show of a menu outside of a list only the choice, and in a form its label too`() {
        struct Pickers: View {
            @State private var size = "M"
            private var sizes: some View { ForEach(["S", "M"], id: \.self) { Text($0) } }

            var body: some View {
                Picker("Alone", selection: $size) { sizes }
                Picker("Menu", selection: $size) { sizes }.pickerStyle(.menu)
                Picker("Segments", selection: $size) { sizes }.pickerStyle(.segmented)
                Form {
                    Picker("Row", selection: $size) { sizes }
                    Picker("Menu row", selection: $size) { sizes }.pickerStyle(.menu)
                }
            }
        }
        let pickers = ViewHost(Pickers()).tree.root.all { $0.kind == .picker }
        #expect(
            pickers.filter { $0.properties["labelHidden"] == true }.map { $0.texts.first } == ["Alone", "Menu"])
        #expect(pickers.count == 5)
    }

    @Test func `hide their labels, which VoiceOver still reads`() {
        struct Controls: View {
            @State private var isOn = false
            @State private var count = 1
            @State private var date = Date(timeIntervalSince1970: 0)
            var body: some View {
                VStack {
                    Toggle("Alarm", isOn: $isOn)
                    Stepper("Count", value: $count, in: 0...5)
                    DatePicker("Day", selection: $date)
                }
                .labelsHidden()
                Toggle("Shown", isOn: $isOn)
            }
        }
        let root = ViewHost(Controls()).tree.root
        let controls = root.all { [.toggle, .stepper, .datePicker].contains($0.kind) }
        #expect(controls.map { $0.properties["labelHidden"]?.bool ?? false } == [true, true, true, false])
        #expect(controls.map { $0.texts.first } == ["Alarm", "Count", "Day", "Shown"])
    }

    @Test func `say that a picker's selection is the tag of none of its views`() {
        struct Astray: View {
            @State private var choice = 9
            var body: some View { Picker("P", selection: $choice) { ForEach(0..<2) { Text("\($0)") } } }
        }
        #expect(quiet(Astray()).issues == [.selectionWithoutTag(view: "Astray")])
    }

    @Test func `write numbers for the locale, and take what is in a string as it is`() {
        let count = 12_345
        let text = "<script>"
        let host = ViewHost(Text("\(count) kinds of \(text)"))
        #expect(host.tree.root.texts == ["12,345 kinds of <script>"])
        host.traits.locale = .init(identifier: "de_DE")
        #expect(host.tree.root.texts == ["12.345 kinds of <script>"])
    }

    @Test func `follow the person's text size`() {
        let host = ViewHost(Text("Words").font(.headline))
        #expect(host.tree.root.first { $0.kind == .text }?.properties["fontSize"] == 17)
        host.traits.dynamicTypeSize = .accessibility3
        #expect(host.tree.root.first { $0.kind == .text }?.properties["fontSize"] == 40)
    }
}
