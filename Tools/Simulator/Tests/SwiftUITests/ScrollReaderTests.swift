import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite struct `A scroll view reader` {
    private struct Rows: View {
        @State private var rows = Array(0..<200)
        var body: some View {
            ScrollViewReader { proxy in
                List(rows, id: \.self) { Text("Row \($0)") }
                Button("Far") { proxy.scrollTo(150, anchor: .top) }.accessibilityIdentifier("far")
                Button("Near") { withAnimation { proxy.scrollTo(3) } }.accessibilityIdentifier("near")
                Button("None") { proxy.scrollTo("no such row") }.accessibilityIdentifier("none")
                Button("Add") {
                    rows.append(200)
                    proxy.scrollTo(200, anchor: .bottom)
                }
                .accessibilityIdentifier("add")
            }
        }
    }

    private func command(_ host: ViewHost) -> [NodeValue]? {
        host.tree.root.first { $0.properties["scrollTo"] != nil }?.properties["scrollTo"]?.list
    }

    private func id(_ text: String, in host: ViewHost) -> NodeValue? {
        host.tree.root.first { $0.properties["text"]?.string == text }.map { .number(Double($0.id)) }
    }

    @Test func `names the row to the page, which a lazy list evaluates first`() throws {
        let host = quiet(Rows())
        #expect(command(host) == nil && id("Row 150", in: host) == nil)
        host.tap("far")
        #expect(command(host) == [1, try #require(id("Row 150", in: host)), false, 0.5, 0])
        #expect(id("Row 199", in: host) == nil)
        host.tap("near")
        #expect(command(host) == [2, try #require(id("Row 3", in: host)), true])
    }

    @Test func `finds a row that the same change adds, and ignores an id that no view has`() throws {
        let host = quiet(Rows())
        host.tap("none")
        #expect(command(host) == nil)
        host.tap("add")
        #expect(command(host) == [1, try #require(id("Row 200", in: host)), false, 0.5, 1])
        host.tap("none")
        #expect(command(host)?.first == 1)
        #expect(host.issues.isEmpty)
    }

    private struct Early: View {
        var body: some View {
            ScrollViewReader { proxy in
                let _ = proxy.scrollTo("end")
                ScrollView { Text("End").id("end") }
            }
        }
    }

    @Test func `must not scroll while a body is evaluated`() {
        let host = quiet(Early())
        #expect(command(host) == nil)
        #expect(host.issues == [.writeDuringUpdate(view: "Early", target: "the position of a scroll view")])
    }

    private struct Column: View {
        var body: some View {
            ScrollViewReader { proxy in
                ScrollView { LazyVStack { ForEach(0..<90) { Text("\($0)") } } }
                    .onAppear { proxy.scrollTo(80) }
            }
        }
    }

    @Test func `scrolls a lazy stack in a scroll view when it appears`() throws {
        let host = quiet(Column())
        #expect(command(host) == [1, try #require(id("80", in: host)), false])
    }
}
