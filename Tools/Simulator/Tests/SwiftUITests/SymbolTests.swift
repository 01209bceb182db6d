import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite struct `A symbol` {
    private func images(_ host: ViewHost) -> [RenderedNode] { host.tree.root.all { $0.kind == .image } }

    private struct Stars: View {
        @State private var rating = 1
        @State private var isBusy = false

        var body: some View {
            Button("Rate") { rating += 1 }.accessibilityIdentifier("rate")
            Button("Work") { isBusy.toggle() }.accessibilityIdentifier("work")
            Image(systemName: "star").symbolEffect(.bounce, value: rating)
            Label("Lock", systemImage: "lock").symbolEffect(.pulse, options: .speed(2), isActive: isBusy)
            HStack {
                Image(systemName: "wifi").symbolEffect(.variableColor.iterative.reversing, options: .repeat(3))
                Image(systemName: "bell").symbolEffectsRemoved()
            }
            .symbolEffect(.wiggle)
        }
    }

    @Test func `moves for each change of a value, or while the app wants it`() {
        let host = quiet(Stars())
        #expect(images(host)[0].properties["effects"] == [["bounce up", 1, 1, 0]])
        #expect(images(host)[1].properties["effects"] == nil)
        host.tap("rate")
        host.tap("work")
        #expect(images(host)[0].properties["effects"] == [["bounce up", 1, 1, 1]])
        #expect(images(host)[1].properties["effects"] == [["pulse", 0, 2]])
        #expect(
            images(host)[2].properties["effects"]
                == [["wiggle", 0, 1], ["variableColor iterative reversing", 3, 1]])
        #expect(images(host)[3].properties["effects"] == nil)
    }

    @Test func `has layers if the views around or the image want them`() {
        let host = quiet(
            VStack {
                Image(systemName: "plus.circle.fill")
                Image(systemName: "plus.circle.fill").symbolRenderingMode(.monochrome)
            }
            .symbolRenderingMode(.hierarchical))
        #expect(images(host).map { $0.properties["hierarchical"] } == [true, nil])
    }

    private struct Counter: View {
        @State private var count = 1

        var body: some View {
            Button("Add") { withAnimation(.linear(duration: 2)) { count += 1 } }.accessibilityIdentifier("add")
            Button("Jump") { count += 1 }.accessibilityIdentifier("jump")
            Text("\(count)").contentTransition(.numericText(countsDown: true)).accessibilityIdentifier("count")
            Text("\(count)").contentTransition(.numericText(value: Double(count))).accessibilityIdentifier("value")
            Label(count > 1 ? "Stop" : "Start", systemImage: count > 1 ? "stop.fill" : "play.fill")
                .contentTransition(.symbolEffect(.replace))
        }
    }

    @Test func `or a text gives way to the next one, a text with the timing of the change`() {
        let host = quiet(Counter())
        #expect(images(host)[0].properties["contentTransition"] == "replace")
        #expect(host.tree.root.identified(by: "count")?.properties["contentTransition"] == "numericDown")
        let value = host.tree.root.identified(by: "value")?.properties
        #expect(value?["contentTransition"] == "numericValue" && value?["contentValue"] == 1)
        host.tap("add")
        #expect(host.tree.root.identified(by: "value")?.properties["contentValue"] == 2)
        #expect(host.tree.animation?.duration == 2)
        host.tap("jump")
        #expect(host.tree.animation == nil)
    }

    @Test func `is drawn by its size and place, which the page reports, without a change to the layout`() throws {
        let view = Text("a").visualEffect { content, proxy in
            content.opacity(0.5).hueRotation(.degrees(proxy.frame(in: .global).minY)).scaleEffect(proxy.size.width / 10)
        }
        let host = quiet(view)
        let outer = try #require(host.tree.root.first { $0.actions.contains(.measure) })
        let value = NodeValue.list([20, 10, 5, 90, 0, 0, 0, 0].map { .number($0) })
        host.send(ViewEvent(node: outer.id, action: .measure, value: value))
        let around = host.tree.root.first { $0.id == outer.id }
        #expect(around?.properties["place"] == true)
        let scale = try #require(around?.children.first)
        #expect(scale.kind == .scale && scale.properties["x"] == 2)
        #expect(scale.children[0].properties["amount"] == 90)
        #expect(scale.children[0].children[0].kind == .opacity)
        #expect(scale.children[0].children[0].children[0].kind == .text)
    }
}
