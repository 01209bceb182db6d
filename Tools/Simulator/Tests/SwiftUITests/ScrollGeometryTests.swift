import DeviceLink
import SwiftUI
import Testing
import ViewTree

/// The tests report as the page does.
@MainActor
@Suite struct `The place of a scroll view` {
    private func report(
        _ host: ViewHost, offset: Double, content: Double = 900, length: Double = 300, leading: Double = 0,
        target: Int = 0,
    ) {
        guard let scroll = host.tree.root.first({ $0.kind == .scroll }) else { return }
        let sizes: [Double] = [offset, 0, content, 100, length, 100]
        let value: [Double] = sizes + [0, leading, 0, 0, 20, 50, Double(target)]
        let event = ViewEvent(node: scroll.id, action: .scroll, value: .list(value.map { .number($0) }))
        #expect(host.send(event) == .handled)
    }

    private struct Offsets: View {
        let journal: Journal

        var body: some View {
            ScrollView(.horizontal) { Text("a") }
                .onScrollGeometryChange(for: CGFloat.self) { geometry in
                    geometry.contentOffset.x + geometry.contentInsets.leading
                } action: { old, new in
                    journal.note("\(Int(old)) \(Int(new))")
                }
        }
    }

    @Test func `is passed to the app when a value of it changes`() {
        let journal = Journal()
        let host = quiet(Offsets(journal: journal))
        report(host, offset: -16, leading: 16)
        report(host, offset: -16, length: 310, leading: 16)
        #expect(journal.take() == [])
        report(host, offset: 24, leading: 16)
        #expect(journal.take() == ["0 40"])
        let silent = quiet(ScrollView { Text("a") })
        #expect(silent.tree.root.first { $0.kind == .scroll }?.actions == [], "nobody wants the page to report")
    }

    private struct Cards: View {
        @State private var shown: Int? = 3

        var body: some View {
            ScrollView(.horizontal) {
                HStack {
                    ForEach(0..<5, id: \.self) { number in
                        Text("card \(number)").accessibilityIdentifier("card-\(number)")
                    }
                }
                .scrollTargetLayout()
            }
            .scrollPosition(id: $shown)
            Text("shows \(shown.map(String.init) ?? "none")")
            Button("Next") { shown = 1 }.accessibilityIdentifier("next")
        }
    }

    private func command(_ host: ViewHost) -> [NodeValue]? {
        host.tree.root.first { $0.properties["scrollTo"] != nil }?.properties["scrollTo"]?.list
    }

    @Test func `follows a binding, which has the first target in sight`() throws {
        let host = quiet(Cards())
        func id(_ card: Int) -> Int { host.tree.root.identified(by: "card-\(card)")?.id ?? 0 }
        #expect(command(host)?[1] == .number(Double(id(3))))
        report(host, offset: 100, target: id(2))
        #expect(host.tree.contains(text: "shows 2"))
        let before = command(host)?[0]
        #expect(before == 1, "what the user scrolls to is no command")
        host.tap("next")
        #expect(command(host)?[0] == 2 && command(host)?[1] == .number(Double(id(1))))
    }

    private struct Pages: View {
        var body: some View {
            ScrollView(.horizontal) {
                HStack {
                    Text("a").containerRelativeFrame(.horizontal) { width, _ in width * 0.8 }
                    Text("b").containerRelativeFrame(.horizontal, count: 3, span: 2, spacing: 10)
                }
            }
        }
    }

    @Test func `has a size on which frames inside depend`() throws {
        let host = quiet(Pages())
        func widths() -> [Double?] {
            host.tree.root.all { $0.kind == .frame }.map { $0.properties["width"]?.number }
        }
        let window = try #require(widths()[0]) / 0.8
        let device = host.traits.device
        #expect(window == Double(device.width - 2 * device.safeSide))
        report(host, offset: 0, length: 330, leading: 10)
        #expect(widths() == [256, 210])
        report(host, offset: 0, length: 420, leading: 10)
        #expect(widths() == [328, 270])
    }

    private struct Fading: View {
        let configuration: ScrollTransitionConfiguration

        var body: some View {
            ScrollView(.horizontal) {
                Text("a").scrollTransition(configuration) { content, phase in
                    content.opacity(phase.isIdentity ? 1 : 0.5).offset(x: phase.value * 8)
                }
            }
        }
    }

    @Test func `has views whose look depends on how much of them is in sight`() throws {
        func look(_ x: Double, _ configuration: ScrollTransitionConfiguration = .interactive) throws -> [Double?] {
            let host = quiet(Fading(configuration: configuration))
            report(host, offset: 0)
            let card = try #require(host.tree.root.first { $0.actions.contains(.measure) })
            let value: [Double] = [100, 40, x, 60, 0, 0, 0, 0]
            host.send(ViewEvent(node: card.id, action: .measure, value: .list(value.map { .number($0) })))
            let opacity = host.tree.root.first { $0.kind == .opacity }?.properties["opacity"]?.number
            let offset = host.tree.root.first { $0.kind == .offset }?.properties["x"]?.number
            return [opacity, offset]
        }
        #expect(try look(50) == [1, 0])
        #expect(try look(-30) == [0.75, -4])
        #expect(try look(300) == [0.6, 6.4])
        #expect(try look(500) == [0.5, 8])
        #expect(try look(-10, .animated) == [1, 0])
        #expect(try look(-60, .animated) == [0.5, -8])
    }
}
