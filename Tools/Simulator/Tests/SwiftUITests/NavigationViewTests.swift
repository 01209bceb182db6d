import Testing
import ViewTree

@testable import SwiftUI

@MainActor
@Suite struct `A navigation view` {
    private struct Root: View {
        @State private var isActive = false
        @State private var selection: Int?

        var body: some View {
            NavigationView {
                List {
                    NavigationLink(destination: Leaf(name: "plain")) { Text("Plain") }.accessibilityIdentifier("plain")
                    NavigationLink("Active", destination: Leaf(name: "active"), isActive: $isActive)
                    ForEach(1..<3) { number in
                        NavigationLink(destination: Leaf(name: "\(number)"), tag: number, selection: $selection) {
                            Text("Number \(number)")
                        }
                    }
                    Button("Open") { isActive = true }.accessibilityIdentifier("open")
                    Button("Two") { selection = 2 }.accessibilityIdentifier("two")
                    Text("\(isActive ? "open" : "closed") \(selection ?? 0)")
                }
                .navigationBarTitle("Root", displayMode: .inline)
                .navigationBarItems(trailing: Button("Edit") {}.accessibilityIdentifier("edit"))
            }
            .navigationViewStyle(.stack)
        }
    }

    private struct Leaf: View {
        let name: String
        @Environment(\.presentationMode) private var presentationMode

        var body: some View {
            Text("leaf \(name)")
            Button("Back") { presentationMode.wrappedValue.dismiss() }.accessibilityIdentifier("leave")
        }
    }

    @Test func `opens and closes its pages by links and by the app's state`() {
        let host = quiet(Root())
        #expect(host.tree.contains("edit"))
        host.tap("plain")
        #expect(host.tree.contains(text: "leaf plain"))
        host.tap("leave")
        host.tap("open")
        #expect(host.tree.contains(text: "leaf active"))
        host.tap("leave")
        #expect(host.tree.contains(text: "closed 0"))
        host.tap("two")
        #expect(host.tree.contains(text: "leaf 2"))
        host.tap("leave")
        #expect(host.tree.contains(text: "closed 0"))
        #expect(host.issues.isEmpty)
    }

    private struct Bar: View {
        @State private var isEditing = false

        var body: some View {
            NavigationStack {
                Text("page").toolbar {
                    Button("Plain") {}.accessibilityIdentifier("plain")
                    if isEditing { Text("editing") }
                }
            }
        }
    }

    @Test func `has plain views of a toolbar as items`() {
        let items = quiet(Bar()).tree.root.all { $0.kind == .toolbarItem }
        #expect(items.map { $0.properties["placement"] } == ["trailing"])
        #expect(items.flatMap(\.texts) == ["Plain"])
    }
}

private struct Preview: PreviewProvider {
    static var previews: some View {
        Text("preview").previewDisplayName("Dark").previewLayout(.sizeThatFits)
    }
}
