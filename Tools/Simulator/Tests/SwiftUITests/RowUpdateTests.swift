import Foundation
import Observation
import Testing
import ViewTree

@testable import SwiftUI

@Observable
private final class Thing {
    var count = 0
}

private struct MeasureKey: EnvironmentKey {
    static let defaultValue = "none"
}

extension EnvironmentValues {
    fileprivate var measure: String {
        get { self[MeasureKey.self] }
        set { self[MeasureKey.self] = newValue }
    }
}

/// A list of rows, and a button whose action changes the screen's state.
private struct Screen<Row: View>: View {
    @State private var count = 0
    var unit: (Int) -> String = { _ in "none" }
    let row: (Int, Binding<Int>) -> Row

    var body: some View {
        Button("Change") { count += 1 }.accessibilityIdentifier("change")
        List {
            ForEach(0..<20) { row($0, $count) }
        }
        .environment(\.measure, unit(count))
    }
}

/// The kinds of change that reach a row, although no one looks at the rows around it.
@MainActor
@Suite struct `A row of a list is updated for` {
    /// - Parameter count: The number of evaluations of the rows that the change may cost.
    private func expect<Row: View>(
        _ text: String, for count: Int = 20, of screen: Screen<Row>, _ change: @MainActor (ViewHost) -> Void,
    ) {
        let host = ViewHost(screen)
        #expect(!host.tree.root.texts.contains(text))
        let name = ViewName.short(Row.self)
        let before = host.evaluations[name] ?? 0
        change(host)
        host.update()
        #expect(host.tree.root.texts.contains(text))
        #expect((host.evaluations[name] ?? 0) - before == count)
    }

    private struct Own: View {
        @State private var taps = 0
        let number: Int
        var body: some View { Button("row \(number): \(taps)") { taps += 1 }.accessibilityIdentifier("row-\(number)") }
    }

    @Test func `its own state`() {
        expect("row 7: 1", for: 1, of: Screen { row, _ in Own(number: row) }) { $0.tap("row-7") }
    }

    private struct Given: View {
        let text: String
        var body: some View { Text(text) }
    }

    @Test func `a value that it is given`() {
        let screen = Screen { row, count in Given(text: row == 7 ? "given \(count.wrappedValue)" : "") }
        expect("given 1", for: 1, of: screen) { $0.tap("change") }
    }

    private struct Bound: View {
        @Binding var count: Int
        var body: some View { Text("bound \(count)") }
    }

    @Test func `a binding`() {
        expect("bound 1", of: Screen { _, count in Bound(count: count) }) { $0.tap("change") }
    }

    private struct Observing: View {
        @ObservedObject var model: Model
        var body: some View { Text("observed \(model.count)") }
    }

    @Test func `an observed object`() {
        let models = (0..<20).map { _ in Model() }
        let screen = Screen { row, _ in Observing(model: models[row]) }
        expect("observed 5", for: 1, of: screen) { _ in models[7].count = 5 }
    }

    private struct Keeping: View {
        @StateObject private var model = Model()
        let number: Int
        var body: some View {
            Text("kept \(model.count)")
            Button("Row") { model.count = number }.accessibilityIdentifier("keep-\(number)")
        }
    }

    @Test func `a state object`() {
        expect("kept 7", for: 1, of: Screen { row, _ in Keeping(number: row) }) { $0.tap("keep-7") }
    }

    private struct Sharing: View {
        @EnvironmentObject private var model: Model
        var body: some View { Text("shared \(model.count)") }
    }

    @Test func `an object of the environment`() {
        let model = Model()
        let host = ViewHost(Screen { _, _ in Sharing() }.environmentObject(model))
        model.count = 4
        host.update()
        #expect(host.tree.root.texts.filter { $0 == "shared 4" }.count == 20)
    }

    private struct Seeing: View {
        let thing: Thing
        var body: some View { Text("seen \(thing.count)") }
    }

    @Test func `a property of an observable object`() {
        let things = (0..<20).map { _ in Thing() }
        let screen = Screen { row, _ in Seeing(thing: things[row]) }
        expect("seen 5", for: 1, of: screen) { _ in things[7].count = 5 }
    }

    private struct Measuring: View {
        @Environment(\.measure) private var unit
        var body: some View { Text("in \(unit)") }
    }

    private struct Indifferent: View {
        var body: some View { Text("the same") }
    }

    @Test func `a value of the environment, if it reads it`() {
        func unit(_ count: Int) -> String { count == 0 ? "miles" : "metres" }
        expect("in metres", of: Screen(unit: unit) { _, _ in Measuring() }) { $0.tap("change") }
        let host = ViewHost(Screen(unit: unit) { _, _ in Indifferent() })
        host.tap("change")
        #expect(host.evaluations["Indifferent"] == 20)
    }

    private struct Schemed: View {
        @Environment(\.colorScheme) private var scheme
        var body: some View { Text(scheme == .dark ? "dark" : "light") }
    }

    @Test func `a setting of the phone`() {
        expect("dark", of: Screen { _, _ in Schemed() }) { $0.traits.colorScheme = .dark }
    }

    private struct Storing: View {
        @AppStorage private var count: Int

        init(_ store: UserDefaults) {
            _count = AppStorage(wrappedValue: 0, "count", store: store)
        }

        var body: some View {
            Text("stored \(count)")
            Button("Row") { count = 3 }.accessibilityIdentifier("store")
        }
    }

    @Test func `a stored value`() throws {
        let suite = "rows-\(UUID().uuidString)"
        let store = try #require(UserDefaults(suiteName: suite))
        defer { store.removePersistentDomain(forName: suite) }
        expect("stored 3", of: Screen { _, _ in Storing(store) }) { $0.tap("store") }
    }

    private struct Focused: View {
        @FocusState private var isFocused: Bool
        let number: Int
        var body: some View {
            Text(isFocused ? "focused" : "not focused")
            Button("Row") { isFocused = true }.accessibilityIdentifier("focus-\(number)")
        }
    }

    @Test func `its focus`() {
        expect("focused", for: 1, of: Screen { row, _ in Focused(number: row) }) { $0.tap("focus-7") }
    }

    private struct Sized: View {
        var body: some View { GeometryReader { Text("\(Int($0.size.width)) wide") }.frame(height: 20) }
    }

    @Test func `its size`() throws {
        let host = ViewHost(Screen { _, _ in Sized() })
        let readers = host.tree.root.all { $0.actions.contains(.measure) }
        try #require(readers.count == 20)
        let size = MeasuredFrame(width: 123, height: 20)
        host.send(ViewEvent(node: readers[7].id, action: .measure, value: size.value))
        #expect(host.tree.root.texts.filter { $0 == "123 wide" }.count == 1)
    }

    private struct Moving: View {
        @State private var isFar = false
        let number: Int
        var body: some View {
            Button("Go") { withAnimation(.linear(duration: 0.1)) { isFar = true } }
                .accessibilityIdentifier("go-\(number)")
                .offset(x: isFar ? 100 : 0)
        }
    }

    @Test func `each frame of its animation`() async {
        let clock = ManualFrameClock(framesPerSecond: 50)
        let host = ViewHost(Screen { row, _ in Moving(number: row) }, clock: clock)
        var shown: [Double] = []
        host.onFrame = { _ in
            let offsets = host.tree.root.all { $0.kind == .offset }.map { $0.properties["x"]?.number ?? 0 }
            shown.append(offsets[7])
            #expect(offsets.filter { $0 > 0 }.count <= 1)
        }
        host.tap("go-7")
        clock.run()
        await host.waitUntilSettled()
        #expect(shown == [0, 20, 40, 60, 80, 100])
    }

    private struct Choosing: View {
        @State private var chosen: Int? = 3
        var body: some View {
            List(0..<20, id: \.self, selection: $chosen) { Text("row \($0)") }
            Button("Choose") { chosen = 7 }.accessibilityIdentifier("choose")
        }
    }

    @Test func `the selection of the list`() {
        let host = ViewHost(Choosing())
        func selected() -> [Int] {
            host.tree.root.all { $0.kind == .row }.enumerated()
                .filter { $0.element.properties["selected"] == true }.map(\.offset)
        }
        #expect(selected() == [3])
        host.tap("choose")
        #expect(selected() == [7])
        host.tap("choose")
        #expect(selected() == [7])
    }

    private struct Deep: View {
        @Environment(\.isEnabled) private var isEnabled
        var body: some View { HStack { Button(isEnabled ? "can" : "cannot") {} } }
    }

    private struct Locking: View {
        @State private var isLocked = false
        var body: some View {
            Button("Lock") { isLocked = true }.accessibilityIdentifier("lock")
            List { ForEach(0..<20) { _ in Deep().disabled(isLocked) } }
        }
    }

    @Test func `a modifier around it`() {
        let host = ViewHost(Locking())
        host.tap("lock")
        #expect(host.tree.root.texts.filter { $0 == "cannot" }.count == 20)
        #expect(host.tree.root.all { $0.kind == .button && $0.properties["disabled"] == true }.count == 20)
    }
}
