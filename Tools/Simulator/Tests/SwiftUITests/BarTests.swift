import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite struct `The bars of a page` {
    private struct Screen: View {
        var body: some View {
            TabView {
                NavigationStack {
                    List {
                        Label("In a row", systemImage: "star").accessibilityIdentifier("row")
                        NavigationLink("Next") { Text("next").navigationTitle("Next") }.accessibilityIdentifier("next")
                    }
                    .toolbar {
                        Button {
                        } label: {
                            Label("Reload", systemImage: "arrow.clockwise")
                        }
                        .accessibilityIdentifier("reload")
                        ToolbarItemGroup(placement: .bottomBar) {
                            Label("Both", systemImage: "star").labelStyle(.titleAndIcon).accessibilityIdentifier("both")
                            Menu {
                                Button(action: {}, label: { Label("Inside", systemImage: "star") })
                                    .accessibilityIdentifier("inside")
                            } label: {
                                Label("More", systemImage: "ellipsis.circle")
                            }
                            .accessibilityIdentifier("more")
                        }
                    }
                }
                .tabItem { Label("Stars", systemImage: "star") }
            }
        }
    }

    private func kinds(_ host: ViewHost, _ identifier: String) -> [NodeKind] {
        host.tree.root.identified(by: identifier)?.first { $0.kind == .label && $0.children.first?.kind != .label }?
            .children.map(\.kind) ?? []
    }

    @Test func `show the icon of a label alone, and say its title`() {
        let host = quiet(Screen())
        #expect(kinds(host, "reload") == [.image] && kinds(host, "more") == [.image])
        let label = host.tree.root.identified(by: "reload")?.first { $0.kind == .label }
        #expect(label?.properties["label"] == "Reload")
        #expect(kinds(host, "both") == [.image, .text] && kinds(host, "row") == [.image, .text])
        host.tap("more")
        #expect(kinds(host, "inside") == [.image, .text])
    }

    @Test func `have the tint of the views around them`() {
        let host = quiet(Screen().tint(.green))
        host.tap("next")
        let bars = host.tree.root.all { $0.kind == .page || $0.kind == .tabBar }
        #expect(bars.map { $0.properties["tint"] } == ["green", "green"])
        let plain = quiet(Screen()).tree.root.all { $0.kind == .page || $0.kind == .tabBar }
        #expect(plain.map { $0.properties["tint"] } == [nil, nil])
    }
}
