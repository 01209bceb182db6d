import SwiftUI
import Testing
import ViewTree

/// Layouts that change, and what is drawn beside or around views.
@MainActor
@Suite struct `A layout or an effect` {
    private struct Changing: View {
        @State private var index = 0

        private var layout: AnyLayout {
            switch index {
            case 0: AnyLayout(HStackLayout(alignment: .top, spacing: 3))
            case 1: AnyLayout(VStackLayout(alignment: .leading))
            case 2: AnyLayout(ZStackLayout(alignment: .bottom))
            default: AnyLayout(GridLayout(horizontalSpacing: 5))
            }
        }

        var body: some View {
            Button("Next") { index += 1 }.accessibilityIdentifier("next")
            layout {
                Counter()
                Text("beside")
            }
        }
    }

    private struct Counter: View {
        @State private var count = 0
        var body: some View { Button("count \(count)") { count += 1 }.accessibilityIdentifier("count") }
    }

    @Test func `of any type keeps the state of its views when it changes`() {
        let host = quiet(Changing())
        func stack() -> RenderedNode? {
            host.tree.root.first {
                [.hstack, .vstack, .zstack, .grid].contains($0.kind) && $0.texts.contains("beside")
            }
        }
        host.tap("count")
        #expect(stack()?.kind == .hstack && stack()?.properties == ["alignment": "top", "spacing": 3])
        let id = stack()?.id
        for kind in [NodeKind.vstack, .zstack, .grid] {
            host.tap("next")
            #expect(stack()?.kind == kind && stack()?.id == id)
            #expect(host.tree.contains(text: "count 1"))
        }
    }

    private struct Turning: View {
        var body: some View {
            Text("flat").rotationEffect(.degrees(9))
            Text("deep").rotation3DEffect(.degrees(45), axis: (x: 0, y: 1, z: 0), anchor: .leading, perspective: 0.5)
        }
    }

    @Test func `turns a view in space around an axis`() {
        let turns = quiet(Turning()).tree.root.all { $0.kind == .rotation }.map(\.properties)
        #expect(turns.map { $0["axis"] } == [nil, [0, 1, 0]])
        #expect(turns.last?["degrees"] == 45 && turns.last?["perspective"] == 0.5 && turns.last?["anchor"] == "0,0.5")
    }

    private struct Around: View {
        var body: some View {
            AngularGradient(colors: [.red, .blue], center: .center)
            Circle().fill(.angularGradient(colors: [.red, .blue], startAngle: .degrees(90), endAngle: .zero))
            Circle().stroke(.conicGradient(colors: [.red, .blue], angle: .degrees(-90)), lineWidth: 6)
        }
    }

    @Test func `paints a gradient around a point, from the lower angle to the higher`() {
        let nodes = quiet(Around()).tree.root.all { $0.kind == .color || $0.kind == .shape }.map(\.properties)
        #expect(nodes.first?["fill"] == "angular:0.5,0.5,0,360;red 0;blue 100")
        #expect(nodes.dropFirst().first?["fill"] == "angular:0.5,0.5,0,90;blue 0;red 100")
        #expect(nodes.last?["stroke"] == "angular:0.5,0.5,-90,270;red 0;blue 100")
    }

    private struct Lines: View {
        var body: some View {
            List {
                HStack {
                    Image(systemName: "star")
                    Text("title").alignmentGuide(.listRowSeparatorLeading) { $0[.leading] - 4 }
                }
                Text("end").alignmentGuide(.listRowSeparatorTrailing) { $0.width / 2 + 1 }
            }
        }
    }

    @Test func `places the ends of the line under a row by a view in the row`() {
        let texts = quiet(Lines()).tree.root.all { $0.kind == .text }.map(\.properties)
        #expect(texts.first?["lineStart"] == [-4, 0])
        #expect(texts.last?["lineEnd"] == [1, 0.5])
    }

    private struct Coloring: View {
        @State private var color = Color.mint
        @State private var faded = Color.red.opacity(0.5)

        var body: some View {
            Form {
                ColorPicker("Color", selection: $color, supportsOpacity: false).accessibilityIdentifier("color")
                ColorPicker("Faded", selection: $faded).accessibilityIdentifier("faded")
            }
        }
    }

    @Test func `sets a color, of which the opacity stays`() {
        let host = quiet(Coloring())
        func color(_ name: String) -> NodeValue? { host.tree.root.identified(by: name)?.properties["color"] }
        #expect(color("color") == "mint" && color("faded") == "red/50")
        #expect(host.perform(.change, on: "color", "#336699") == .handled)
        #expect(host.perform(.change, on: "faded", "#ff0000") == .handled)
        #expect(host.perform(.change, on: "color", "red") == .invalidValue)
        #expect(color("color") == "#336699" && color("faded") == "#ff0000/50")
    }

    @Test func `of a table of UIKit changes no list, as since iOS 16`() {
        UITableView.appearance().backgroundColor = .clear
        #expect(UITableView.appearance().backgroundColor == .clear)
        #expect(quiet(Lines()).tree.root.first { $0.kind == .list }?.properties["backgroundHidden"] == nil)
        UITableView.appearance().backgroundColor = nil
    }
}
