import Testing
import ViewTree

@testable import SwiftUI

private struct Loud: ButtonStyle {
    @Environment(\.isEnabled) private var isEnabled

    func makeBody(configuration: Configuration) -> some View {
        HStack {
            Text(isEnabled ? "!" : "?")
            configuration.label
        }
    }
}

private struct Check: ToggleStyle {
    func makeBody(configuration: Configuration) -> some View {
        Button {
            configuration.isOn.toggle()
        } label: {
            Text(configuration.isOn ? "on" : "off")
            configuration.label
        }
    }
}

private struct Stacked: LabelStyle {
    func makeBody(configuration: Configuration) -> some View {
        VStack {
            configuration.icon
            configuration.title
        }
    }
}

@MainActor
@Suite struct `A style of the app` {
    private struct Screen: View {
        @State private var taps = 0
        @State private var isOn = false

        var body: some View {
            Group {
                Button("Tap \(taps)") { taps += 1 }.accessibilityIdentifier("tap")
                Button("Off") {}.disabled(true)
            }
            .buttonStyle(Loud())
            Toggle("Light", isOn: $isOn).toggleStyle(Check()).accessibilityIdentifier("light")
            Label("Star", systemImage: "star").labelStyle(Stacked())
            Toggle("Pin", isOn: $isOn).toggleStyle(.button).accessibilityIdentifier("pin")
        }
    }

    @Test func `draws buttons, toggles and labels, which act as before`() {
        let host = quiet(Screen())
        #expect(host.tree.root.texts == ["!", "Tap 0", "?", "Off", "off", "Light", "Star", "Pin"])
        host.tap("tap")
        host.tap("light")
        #expect(host.tree.root.texts.prefix(6) == ["!", "Tap 1", "?", "Off", "on", "Light"])
        #expect(host.tree.root.first { $0.kind == .button && $0.texts == ["Pin"] }?.properties["style"] == "bordered")
        #expect(host.tree.root.first { $0.kind == .vstack }?.children.map(\.kind) == [.image, .text])
    }
}

@MainActor
@Suite struct `A control` {
    private struct Sliders: View {
        @State private var level = 0.5
        @State private var stars: Float = 3
        @State private var isEditing = false

        var body: some View {
            Slider(value: $level).accessibilityIdentifier("level")
            Slider(value: $stars, in: 1...5, step: 1) { Text("Stars") }.accessibilityIdentifier("stars")
            Text("\(level, specifier: "%.2f") \(stars, specifier: "%.0f")")
        }
    }

    @Test func `for a range keeps its bounds and its steps`() {
        let host = quiet(Sliders())
        #expect(host.perform(.change, on: "level", 0.25) == .handled)
        #expect(host.perform(.change, on: "stars", 4.4) == .handled)
        #expect(host.tree.root.texts == ["0.25 4"])
        host.perform(.change, on: "level", 7)
        host.perform(.increment, on: "stars")
        host.perform(.increment, on: "stars")
        #expect(host.tree.root.texts == ["1.00 5"])
        #expect(host.perform(.change, on: "level", "much") == .invalidValue)
        #expect(host.tree.root.identified(by: "stars")?.properties["label"] == "Stars")
    }

    private struct Dates: View {
        static let start = Date(timeIntervalSince1970: 1_700_000_000)  // 2023-11-14T22:13:20Z
        @State private var date = Dates.start

        var body: some View {
            DatePicker("Day", selection: $date, in: Dates.start..., displayedComponents: .date)
                .accessibilityIdentifier("day")
            DatePicker("Time", selection: $date, displayedComponents: .hourAndMinute).accessibilityIdentifier("time")
            Text(date.formatted(.iso8601))
        }
    }

    @Test func `for a date sets the parts that it displays, in the range`() throws {
        var utc = Calendar(identifier: .gregorian)
        utc.timeZone = try #require(TimeZone(identifier: "UTC"))
        let host = quiet(Dates().environment(\.calendar, utc).environment(\.timeZone, utc.timeZone))
        let day = host.tree.root.identified(by: "day")?.properties
        #expect(day?["date"] == "2023-11-14" && day?["locale"] == "en-US")
        #expect(day?["firstWeekday"] == .number(Double(utc.firstWeekday)))
        host.perform(.change, on: "day", "2024-02-29")
        host.perform(.change, on: "time", "07:05")
        #expect(host.tree.root.texts.last == "2024-02-29T07:05:00Z")
        host.perform(.change, on: "day", "2001-01-01")
        #expect(host.tree.root.texts.last == "2023-11-14T22:13:20Z")
        #expect(host.perform(.change, on: "day", "soon") == .invalidValue)
    }

    private struct Menus: View {
        @State private var sort = "name"

        var body: some View {
            Menu("Sort") {
                Button("By name") { sort = "name" }
                Section { Button("By date") { sort = "date" }.accessibilityIdentifier("by-date") }
            }
            .accessibilityIdentifier("menu")
            Text(sort)
            TextEditor(text: $sort).accessibilityIdentifier("editor").keyboardType(.emailAddress)
        }
    }

    @Test func `for a menu opens it, and a choice closes it`() {
        let host = quiet(Menus())
        #expect(host.tree.root.texts == ["Sort", "name"])
        #expect(host.tap("by-date") == .gone)
        host.tap("menu")
        #expect(host.tree.root.texts == ["Sort", "By name", "By date", "name"])
        host.tap("by-date")
        #expect(host.tree.root.texts == ["Sort", "date"])
        host.tap("menu")
        host.perform(.dismiss, on: "menu")
        #expect(host.tree.root.texts == ["Sort", "date"])
    }

    private struct Choices: View {
        @State private var order = "up"
        @State private var showsAll = false

        var body: some View {
            Menu("Order") {
                Picker("Order", selection: $order) { ForEach(["up", "down"], id: \.self) { Text($0) } }
                    .accessibilityIdentifier("order")
                Toggle("All", isOn: $showsAll).accessibilityIdentifier("all")
                Divider()
                Menu("Inside") { Button("Reset") { order = "up" }.accessibilityIdentifier("reset") }
                    .accessibilityIdentifier("inside")
            }
            .accessibilityIdentifier("menu")
            .tint(.green)
            Text("\(order), \(showsAll ? "all" : "some")")
        }
    }

    @Test func `for a menu shows the choices of a picker among its items, of which each closes it`() {
        let host = quiet(Choices())
        host.tap("menu")
        #expect(host.tree.root.identified(by: "order")?.properties["style"] == "inline")
        #expect(host.tree.root.first { $0.properties["text"] == "All" }?.properties["color"] == "primary")
        #expect(host.choose("down", in: "order") == .handled)
        #expect(host.tree.root.texts == ["Order", "down, some"])
        host.tap("menu")
        host.tap("all")
        #expect(host.tree.root.texts == ["Order", "down, all"])
        host.tap("menu")
        host.tap("inside")
        host.tap("reset")
        #expect(host.tree.root.texts == ["Order", "up, all"])
    }

    @Test func `for a long text takes lines, and names its keyboard`() {
        let host = quiet(Menus())
        host.enter("a\nb", into: "editor")
        #expect(host.tree.root.texts.last == "a\nb")
        #expect(host.tree.root.identified(by: "editor")?.properties["keyboard"] == "email")
    }

    private struct Loading: View {
        var body: some View {
            ProgressView(value: 0.5).progressViewStyle(.circular)
            ProgressView().progressViewStyle(.linear)
        }
    }

    @Test func `for progress is a spinner or a bar by its style`() {
        let nodes = quiet(Loading()).tree.root.all { $0.kind == .progress }
        #expect(nodes.map { $0.properties["fraction"] } == [nil, 0])
    }
}
