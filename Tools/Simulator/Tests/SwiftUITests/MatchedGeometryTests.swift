import SwiftUI
import Testing
import ViewTree

/// Views that a namespace and an id match.
@MainActor
@Suite struct `A matched view` {
    private struct Cards: View {
        @Namespace private var space
        @Namespace private var other
        @State private var isOpen = false

        var body: some View {
            Button("Turn") { withAnimation { isOpen.toggle() } }.accessibilityIdentifier("turn")
            if isOpen {
                Text("open").matchedGeometryEffect(id: 1, in: space).accessibilityIdentifier("card")
            } else {
                Text("closed").matchedGeometryEffect(id: 1, in: space).accessibilityIdentifier("card")
            }
            Text("by words").matchedGeometryEffect(id: "1", in: space, properties: .position)
                .accessibilityIdentifier("words")
            Text("elsewhere").matchedGeometryEffect(id: 1, in: other).accessibilityIdentifier("other")
        }
    }

    private func matched(_ host: ViewHost, _ name: String) -> [NodeValue]? {
        host.tree.root.identified(by: name)?.properties["matched"]?.list
    }

    @Test func `has the name of the one that it comes from, in its namespace`() throws {
        let host = quiet(Cards())
        let closed = try #require(matched(host, "card"))
        host.tap("turn")
        #expect(host.tree.contains(text: "open"))
        #expect(matched(host, "card") == closed)
        #expect(closed.dropFirst() == [true, true])
        #expect(matched(host, "words")?.first != closed.first && matched(host, "words")?.last == false)
        #expect(matched(host, "other")?.first != closed.first)
    }
}
