import Foundation
import SwiftUI
import Testing
import ViewTree

/// Names that twelve apps in the styles of 2020 to 2026 use.
@MainActor
@Suite struct `The idiom of an app` {
    private func node(_ host: ViewHost, _ identifier: String) -> RenderedNode? {
        host.tree.root.identified(by: identifier)
    }

    private struct Watching: App {
        @Environment(\.scenePhase) private var phase
        @State private var phases: [String] = []
        @State private var changes = 0

        var body: some Scene {
            WindowGroup {
                Text("phases \(phases.joined(separator: " "))")
                Text("changes \(changes)")
            }
            .onChange(of: phase) { phases.append(String(describing: $0)) }
            .onChange(of: phase) { old, new in changes += old == new ? 0 : 1 }
        }
    }

    @Test func `watches the phase of its scene`() {
        let host = ViewHost(app: Watching())
        host.traits.scenePhase = .inactive
        host.traits.scenePhase = .background
        #expect(host.tree.contains(text: "phases inactive background"))
        #expect(host.tree.contains(text: "changes 2"))
    }

    private struct Fields: View {
        @State private var name = ""
        @State private var note = ""
        @State private var added = "none"

        var body: some View {
            TextField("Name", text: $name, onCommit: { added = name }).accessibilityIdentifier("name")
            TextField("Note", text: $note, axis: .vertical).lineLimit(2...5).accessibilityIdentifier("note")
            Text("added \(added)")
        }
    }

    @Test func `adds the text of a field for its return key`() {
        let host = quiet(Fields())
        host.enter("Milk", into: "name")
        host.perform(.submit, on: "name")
        #expect(host.tree.contains(text: "added Milk"))
    }

    @Test func `grows a field with its lines, where the return key begins one`() {
        let host = quiet(Fields())
        let field = node(host, "note")
        #expect(field?.kind == .textEditor)
        #expect(field?.properties["placeholder"] == "Note")
        #expect(field?.properties["leastLines"] == 2)
        #expect(field?.properties["lineLimit"] == 5)
        #expect(field?.actions.contains(.submit) == false)
    }

    private struct Switches: View {
        @State private var isOn = true
        @State private var count = 0
        @State private var day = Date(timeIntervalSince1970: 0)

        var body: some View {
            Toggle("Bought", isOn: $isOn).toggleStyle(SwitchToggleStyle(tint: .green)).accessibilityIdentifier("bought")
            Stepper("Count \(count)", value: $count).accessibilityIdentifier("count")
            Button("Large") {}.buttonStyle(.bordered).controlSize(.extraLarge).accessibilityIdentifier("large")
            Text("explained").help("A high limit").accessibilityIdentifier("explained")
            DatePicker(selection: $day, in: ...Date(timeIntervalSince1970: 86_400), displayedComponents: .date) {
                Text("Birthday")
            }
            .accessibilityIdentifier("day")
        }
    }

    @Test func `colors a switch by its style, and counts without bounds`() {
        let host = quiet(Switches())
        #expect(node(host, "bought")?.properties["tint"] == "green")
        host.perform(.decrement, on: "count")
        #expect(host.tree.contains(text: "Count -1"))
        #expect(node(host, "large")?.properties["size"] == "large")
        #expect(node(host, "explained")?.properties["hint"] == "A high limit")
        #expect(node(host, "day")?.properties["maximum"] != nil)
    }

    private struct Shapes: View {
        var body: some View {
            Group {
                Button("capsule") {}.buttonBorderShape(.capsule)
                Button("circle") {}.buttonBorderShape(.circle)
                Button("round") {}.buttonBorderShape(.roundedRectangle(radius: 4))
            }
            .buttonStyle(.borderedProminent)
            Button("plain") {}.buttonBorderShape(.capsule)
        }
    }

    @Test func `shapes the buttons that have a border`() {
        let buttons = quiet(Shapes()).tree.root.all { $0.kind == .button }.map(\.properties)
        #expect(buttons.map { $0["radius"] } == [999, 999, 4, nil])
        #expect(buttons.map { $0["circle"] } == [nil, true, nil, nil])
    }

    private struct Letters: View {
        var body: some View {
            Text("done").strikethrough(true, color: .red)
            Group { Text("round") }.underline(true, color: .blue).fontDesign(.rounded)
            Text("own").font(.system(.body, design: .serif)).fontDesign(.monospaced)
        }
    }

    @Test func `colors lines through texts, and sets the design of fonts that have none`() {
        let texts = quiet(Letters()).tree.root.all { $0.kind == .text }.map(\.properties)
        #expect(texts.map { $0["lineColor"] } == ["red", "blue", nil])
        #expect(texts.map { $0["fontDesign"] } == [nil, "rounded", "serif"])
    }

    private struct Scaled: View {
        @ScaledMetric private var side = 40
        @ScaledMetric(relativeTo: .largeTitle) private var height: CGFloat = 34

        var body: some View { Text("\(Int(side)) and \(Int(height))") }
    }

    @Test func `scales its numbers with the text size`() {
        let host = quiet(Scaled())
        #expect(host.tree.contains(text: "40 and 34"))
        host.traits.dynamicTypeSize = .accessibility5
        #expect(host.tree.contains(text: "124 and 60"))
    }

    private struct Styled: View {
        var body: some View {
            Circle().fill(.separator)
            Circle().fill(.fill.tertiary)
            Circle().fill(.background.secondary)
            Circle().fill(.red.secondary)
            Text("link").foregroundStyle(.link)
        }
    }

    @Test func `has the styles of the system and their levels`() {
        let host = quiet(Styled())
        let fills = host.tree.root.all { $0.kind == .shape }.map { $0.properties["fill"] }
        #expect(fills == ["#3c3c43/29", "#767680/12", "#f2f2f7", "red/60"])
        #expect(host.tree.root.all { $0.kind == .text }.first?.properties["color"] == "#007aff")
    }

    private struct Taps: View {
        @State private var likes = 0

        var body: some View {
            Text("likes \(likes)").onTapGesture(count: 2) { likes += 1 }.accessibilityIdentifier("message")
        }
    }

    @Test func `counts taps in a row`() {
        let host = ViewHost(Taps(), clock: ManualFrameClock())
        host.tap("message")
        #expect(host.tree.contains(text: "likes 0"))
        host.tap("message")
        #expect(host.tree.contains(text: "likes 1"))
        host.tap("message")
        #expect(host.tree.contains(text: "likes 1"))
    }

    private struct Book: Hashable {
        let title: String
    }

    private struct Shelf: View {
        @State private var opened: Book?

        var body: some View {
            NavigationStack {
                Button("Open") { opened = Book(title: "Momo") }.accessibilityIdentifier("open")
                    .navigationDestination(item: $opened) { book in
                        Text("page of \(book.title)")
                        Button("Close") { opened = nil }.accessibilityIdentifier("close")
                    }
            }
            Text(opened == nil ? "closed" : "opened")
        }
    }

    @Test func `pushes a page while there is an item`() throws {
        let host = quiet(Shelf())
        host.tap("open")
        #expect(host.tree.contains(text: "page of Momo"))
        host.tap("close")
        #expect(!host.tree.contains(text: "page of Momo"))
        host.tap("open")
        let page = try #require(host.tree.root.all { $0.kind == .page }.last)
        host.send(ViewEvent(node: page.id, action: .back))
        #expect(host.tree.contains(text: "closed"))
    }

    private enum Place: Hashable {
        case today
        case number(Int)
        case search
    }

    private struct Tabs: View {
        @State private var place = Place.today
        @State private var hasMore = true

        var body: some View {
            TabView(selection: $place) {
                Tab("Today", systemImage: "sun.max", value: .today) { Text("day") }.badge(2)
                ForEach(1..<3) { number in
                    Tab("Page \(number)", systemImage: "book", value: Place.number(number)) { Text("page") }
                }
                if hasMore {
                    Tab(value: .search, role: .search) { Text("searching") }
                }
            }
            .tabViewStyle(.sidebarAdaptable)
            .accessibilityIdentifier("tabs")
            Text("at \(String(describing: place))")
        }
    }

    @Test func `has tabs whose values have the type of the selection`() {
        let host = quiet(Tabs())
        let tabs = host.tree.root.all { $0.kind == .tab }
        #expect(tabs.map(\.texts) == [["Today"], ["Page 1"], ["Page 2"], ["Search"]])
        #expect(tabs.first?.properties["badge"] == "2")
        let bar = host.tree.root.all { $0.kind == .tabBar }.first
        #expect(host.send(ViewEvent(node: bar?.id ?? 0, action: .change, value: 2)) == .handled)
        #expect(host.tree.contains(text: "at number(2)"))
    }

    private struct Chosen: View {
        struct Row: Identifiable {
            let id: Int
        }

        @State private var rows = [Row(id: 1), Row(id: 2)]
        @State private var chosen: Set<Int> = []

        var body: some View {
            List($rows, editActions: [.delete, .move], selection: $chosen) { $row in Text("row \(row.id)") }
        }
    }

    @Test func `lists bindings whose rows can be deleted, moved and selected`() {
        let rows = quiet(Chosen()).tree.root.all { $0.kind == .row }
        #expect(rows.map(\.texts.first) == ["row 1", "row 2"])
    }

    private struct OldForms: View {
        @State private var isFull = false
        @State private var choice = 1

        var body: some View {
            Picker(selection: $choice, label: Text("Size")) {
                Text("Small").tag(1)
                Text("Large").tag(2)
            }
            .accessibilityIdentifier("size")
            Text("faded").opacity(isFull ? 1 : 0.5).animation(.default)
            Button("Change") { isFull = true }.accessibilityIdentifier("change")
            DatePicker("Day", selection: .constant(.now)).datePickerStyle(.compact)
            Text("size \(choice)")
        }
    }

    @Test func `has the forms of pickers and animations before iOS 15`() async {
        let clock = ManualFrameClock(framesPerSecond: 10)
        let host = ViewHost(OldForms(), clock: clock)
        host.choose("Large", in: "size")
        #expect(host.tree.contains(text: "size 2"))
        var seen: [Double] = []
        host.onFrame = { _ in
            seen.append(host.tree.root.first { $0.kind == .opacity }?.properties["opacity"]?.number ?? 0)
        }
        host.tap("change")
        clock.run()
        await host.waitUntilSettled()
        #expect(seen.contains { $0 > 0.5 && $0 < 1 }, "\(seen)")
    }

    @Test func `has the gradient of a color`() {
        let host = quiet(Circle().fill(Color.orange.gradient))
        let fill = host.tree.root.all { $0.kind == .shape }.first?.properties["fill"]
        #expect(fill == "linear:0.5,0,0.5,1;orange+ 0;orange 100")
    }

    private struct Sheets: View {
        @State private var detent = PresentationDetent.height(200)

        var body: some View {
            Text("under")
                .sheet(isPresented: .constant(true)) {
                    Text("chosen").presentationDetents([.medium, .height(200), .large], selection: $detent)
                }
                .background {
                    Text("behind").sheet(isPresented: .constant(true)) {
                        Text("low").presentationDetents([.large, .medium, .fraction(0.25)])
                    }
                }
        }
    }

    @Test func `gives a sheet the chosen height, or else the lowest`() {
        let sheets = quiet(Sheets()).tree.root.all { $0.kind == .sheet }
        let chosen = sheets.first { $0.texts.contains("chosen") }?.properties["detents"]
        let low = sheets.first { $0.texts.contains("low") }?.properties["detents"]
        #expect(chosen == .list(["height:200", "medium", "large"]))
        #expect(low == .list(["fraction:0.25", "medium", "large"]))
    }

    private enum Plan {
        case free
        case family(Int)

        var label: LocalizedStringResource {
            switch self {
            case .free: "Free"
            case .family(let size): "Family of \(size)"
            }
        }
    }

    @Test func `has texts that are looked up when they are shown`() {
        let host = quiet(Text(Plan.family(4).label))
        #expect(host.tree.contains(text: "Family of 4"))
        #expect(String(localized: Plan.free.label) == "Free")
    }
}
