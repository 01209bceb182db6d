import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite struct `A color` {
    private func fills(_ view: some View) -> [NodeValue?] {
        quiet(view).tree.root.all { $0.kind == .color || $0.kind == .paint }.map { $0.properties["fill"] }
    }

    @Test func `is mixed with another one by the share of that, in the space that the app wants`() {
        let view = VStack {
            Color.red.mix(with: .blue, by: 0.4)
            Color.red.opacity(0.5).mix(with: .black.mix(with: .white, by: 0.1), by: 2).opacity(0.8)
            Text("a").background(Color.accentColor.mix(with: .white, by: 0.25, in: .device).gradient)
        }
        .tint(.green)
        #expect(
            fills(view) == [
                "mix(red|blue|40)", "mix(red/50|mix(#000000|#ffffff|10)|100)/80",
                "linear:0.5,0,0.5,1;mixRGB(green|#ffffff|25)+ 0;mixRGB(green|#ffffff|25) 100",
            ])
    }

    @Test func `or a style of several is made more transparent`() {
        let gradient = Gradient(colors: [.red, .blue.opacity(0.5)])
        let view = VStack {
            Text("a").background(gradient)
            Text("b").background(gradient.opacity(0.4))
            Text("c").background(Color.red.gradient.opacity(0.5))
            Text("d").background(.tint.opacity(0.2))
            Text("e").background(Material.thin.opacity(0.5))
            Text("f").background(AnyShapeStyle(.secondary).opacity(0.5))
            Rectangle().fill(LinearGradient(colors: [.red, .blue], startPoint: .top, endPoint: .bottom).opacity(0.5))
            LinearGradient(colors: [.red, .blue], startPoint: .top, endPoint: .bottom).opacity(0.5).frame(height: 2)
        }
        #expect(
            fills(view) == [
                "linear:0.5,0,0.5,1;red 0;blue/50 100", "linear:0.5,0,0.5,1;red/40 0;blue/20 100",
                "linear:0.5,0,0.5,1;red+/50 0;red/50 100", "accent/20", "material:thin/50", "secondary/50",
                "linear:0.5,0,0.5,1;red 0;blue 100",
            ])
    }

    @Test func `of a text is more transparent with a faded style`() {
        let view = VStack {
            Text("a").foregroundStyle(.secondary.opacity(0.5))
            Text("b").foregroundStyle(.tint.opacity(0.4))
            Text("c").foregroundStyle(AnyShapeStyle(.primary.opacity(0.2)))
            Text("d").foregroundStyle(.primary.opacity(0.5)).foregroundStyle(.red)
        }
        .tint(.green)
        let colors = quiet(view).tree.root.all { $0.kind == .text }.map { $0.properties["color"] }
        #expect(colors == ["secondary/50", "green/40", "primary/20", "red/50"])
    }
}

@MainActor
@Suite struct `A picture of the system` {
    @Test func `is a mesh of colors, or empty if their number is not that of the grid`() {
        func mesh(_ colors: [Color]) -> RenderedNode? {
            let view = MeshGradient(
                width: 2, height: 2, points: [[0, 0], [1, 0], [0, 0.5], [1, 1]], colors: colors, background: .black)
            return quiet(view.opacity(0.5)).tree.root.first { $0.kind == .color }
        }
        let full = mesh([.red, .blue.opacity(0.5), .teal, .white])
        #expect(full?.properties["mesh"]?.list?[1] == [1, 0, "blue/50"])
        #expect(full?.properties["mesh"]?.list?[2] == [0, 0.5, "teal"])
        #expect(full?.properties["meshWidth"] == 2 && full?.properties["smooth"] == true)
        #expect(full?.properties["fill"] == "#000000")
        #expect(mesh([.red])?.properties["mesh"] == [])
    }

    @Test func `is a calendar in its place`() {
        let host = quiet(DatePicker("Day", selection: .constant(.now)).datePickerStyle(.graphical))
        #expect(host.tree.root.first { $0.kind == .datePicker }?.properties["style"] == "graphical")
    }
}
