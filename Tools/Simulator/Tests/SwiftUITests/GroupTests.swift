import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite struct `A group` {
    private struct Rows: View {
        @State private var isOpen = true
        var body: some View {
            List {
                DisclosureGroup("Fruit") {
                    Text("apple")
                    Text("pear").accessibilityIdentifier("pear")
                }
                .accessibilityIdentifier("fruit")
                DisclosureGroup(isExpanded: $isOpen) {
                    Text("leek")
                } label: {
                    Text("Vegetables")
                }
            }
            Button("Close") { isOpen = false }.accessibilityIdentifier("close")
        }
    }

    private func rows(_ host: ViewHost) -> [[String]] { host.tree.root.all { $0.kind == .row }.map(\.texts) }

    @Test func `for disclosure shows its content as rows of the list, by a tap or by the app`() {
        let host = quiet(Rows())
        #expect(rows(host) == [["Fruit"], ["Vegetables"], ["leek"]])
        host.tap("fruit")
        #expect(rows(host) == [["Fruit"], ["apple"], ["pear"], ["Vegetables"], ["leek"]])
        host.tap("close")
        host.tap("fruit")
        #expect(rows(host) == [["Fruit"], ["Vegetables"]])
    }

    private struct Alone: View {
        var body: some View {
            DisclosureGroup("More") { Text("inside") }.accessibilityIdentifier("more")
            GroupBox("Account") { Text("Ada") }
            GroupBox { Text("bare") }
        }
    }

    @Test func `has its title before its content, in a column`() {
        let host = quiet(Alone())
        #expect(host.tree.root.texts == ["More", "Account", "Ada", "bare"])
        host.tap("more")
        #expect(host.tree.root.texts == ["More", "inside", "Account", "Ada", "bare"])
        let boxes = host.tree.root.all { $0.kind == .paint }
        #expect(boxes.map(\.texts) == [["Account", "Ada"], ["bare"]])
        #expect(boxes.first?.properties["fill"] == "#f2f2f7")
    }

    private struct Gauges: View {
        var body: some View {
            Gauge(value: 0.25) { Text("Disk") }
            Gauge(value: 150.0, in: 0...100) {
                Text("Speed")
            } currentValueLabel: {
                Text("150")
            } minimumValueLabel: {
                Text("0")
            } maximumValueLabel: {
                Text("100")
            }
        }
    }

    @Test func `of a gauge's labels is around its bar`() {
        let host = quiet(Gauges())
        #expect(host.tree.root.texts == ["Disk", "Speed", "0", "100", "150"])
        #expect(host.tree.root.all { $0.kind == .progress }.map { $0.properties["fraction"] } == [0.25, 1])
    }
}
