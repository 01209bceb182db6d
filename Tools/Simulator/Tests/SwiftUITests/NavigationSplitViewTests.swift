import DeviceLink
import SwiftUI
import Testing
import ViewTree

/// The columns of a split view, on a phone and on an iPad.
@MainActor
@Suite struct `A split view` {
    private func host<Root: View>(_ root: Root, on device: DeviceProfile = .standard) -> ViewHost {
        var traits = DeviceTraits()
        traits.device = device
        return ViewHost(root, traits: traits, onIssue: { _ in })
    }

    private let pad = DeviceName.iPadPro11.profile.turned(true)

    /// The titles of the pages in each stack, and the covered ones in brackets.
    private func pages(_ host: ViewHost) -> [[String]] {
        host.tree.root.all { $0.kind == .navigation }.map { stack in
            stack.children.map { page in
                let title = page.properties["title"]?.string ?? ""
                return page.properties["covered"] == true ? "(\(title))" : title
            }
        }
    }

    private struct Mail: View {
        @State private var box: String?
        @State private var letter: Int?

        var body: some View {
            NavigationSplitView {
                List(["In", "Out"], id: \.self, selection: $box) { name in
                    NavigationLink(value: name) { Text(name) }.accessibilityIdentifier(name)
                }
                .navigationTitle("Boxes")
            } content: {
                List(selection: $letter) {
                    ForEach(1..<3) { Text("letter \($0)").tag($0).accessibilityIdentifier("letter-\($0)") }
                }
                .navigationTitle(box ?? "No box")
            } detail: {
                Detail(letter: letter).navigationTitle("Letter")
            }
            Text("box \(box ?? "none"), letter \(letter ?? 0)")
            Button("Choose") { (box, letter) = ("Out", 2) }.accessibilityIdentifier("choose")
        }
    }

    private struct Detail: View {
        let letter: Int?
        @Environment(\.dismiss) private var dismiss

        var body: some View {
            Text("reading \(letter ?? 0)")
            Button("Back") { dismiss() }.accessibilityIdentifier("leave")
        }
    }

    private func goBack(_ host: ViewHost) {
        let page = host.tree.root.all { $0.kind == .page && $0.properties["covered"] != true }.last
        if let page { host.send(ViewEvent(node: page.id, action: .back)) }
    }

    @Test func `is a stack on a phone, which a selection opens and the way back takes away`() {
        let host = host(Mail())
        #expect(pages(host) == [["Boxes"]])
        host.tap("In")
        #expect(pages(host) == [["(Boxes)", "In"]])
        host.tap("letter-2")
        #expect(pages(host) == [["(Boxes)", "(In)", "Letter"]])
        #expect(host.tree.contains(text: "reading 2"))
        goBack(host)
        #expect(pages(host) == [["(Boxes)", "In"]])
        #expect(host.tree.contains(text: "box In, letter 0"))
        host.tap("letter-1")
        host.tap("leave")
        goBack(host)
        #expect(pages(host) == [["Boxes"]])
        #expect(host.tree.contains(text: "box none, letter 0"))
        host.tap("choose")
        #expect(pages(host) == [["(Boxes)", "(Out)", "Letter"]])
    }

    @Test func `has its columns side by side on an iPad, and hides those before the last`() throws {
        let host = host(Mail(), on: pad)
        #expect(host.tree.root.first { $0.kind == .columns }?.children.count == 2)
        #expect(pages(host) == [["No box"], ["Letter"]])
        let toggle = try #require(host.tree.root.first { $0.properties["label"] == "Show Sidebar" })
        host.send(ViewEvent(node: toggle.id, action: .tap))
        #expect(pages(host) == [["Boxes"], ["No box"], ["Letter"]])
        host.tap("In")
        host.tap("letter-1")
        #expect(pages(host) == [["Boxes"], ["In"], ["Letter"]])
        #expect(host.tree.contains(text: "reading 1"))
        let hide = try #require(host.tree.root.first { $0.properties["label"] == "Hide Sidebar" })
        host.send(ViewEvent(node: hide.id, action: .tap))
        #expect(pages(host) == [["In"], ["Letter"]])
    }

    private struct Preferring: View {
        @State private var column = NavigationSplitViewColumn.detail
        @State private var visibility = NavigationSplitViewVisibility.all

        var body: some View {
            NavigationSplitView(columnVisibility: $visibility, preferredCompactColumn: $column) {
                Text("side").navigationTitle("Side").navigationSplitViewColumnWidth(240)
            } detail: {
                NavigationStack {
                    NavigationLink("More") { Text("more").navigationTitle("More") }
                        .accessibilityIdentifier("more").navigationTitle("Detail")
                }
            }
            .navigationSplitViewStyle(.balanced)
            Text(column == .sidebar ? "prefers the sidebar" : "prefers the detail")
            Button("Hide") { visibility = .detailOnly }.accessibilityIdentifier("hide")
        }
    }

    @Test func `shows the column that the app prefers, whose stack has the one bar`() {
        let host = host(Preferring())
        #expect(pages(host) == [["(Side)", ""], ["Detail"]])
        host.tap("more")
        #expect(pages(host) == [["(Side)", ""], ["(Detail)", "More"]])
        goBack(host)
        goBack(host)
        #expect(pages(host) == [["Side"]])
        #expect(host.tree.contains(text: "prefers the sidebar"))
    }

    private struct Fixed: View {
        let column: NavigationSplitViewColumn
        @State private var box: String?

        var body: some View {
            NavigationSplitView(preferredCompactColumn: .constant(column)) {
                List(["In"], id: \.self, selection: $box) { Text($0).accessibilityIdentifier($0) }
                    .navigationTitle("Boxes")
            } detail: {
                Text("letters").navigationTitle(box ?? "No box")
            }
        }
    }

    @Test func `lets the user leave the column that a constant prefers`() {
        let first = host(Fixed(column: .sidebar))
        first.tap("In")
        #expect(pages(first) == [["(Boxes)", "In"]])
        goBack(first)
        #expect(pages(first) == [["Boxes"]])
        let last = host(Fixed(column: .detail))
        #expect(pages(last) == [["(Boxes)", "No box"]])
        goBack(last)
        #expect(pages(last) == [["Boxes"]])
    }

    @Test func `has the width of a column, and the columns that the app wants`() {
        let host = host(Preferring(), on: pad)
        let columns = host.tree.root.first { $0.kind == .columns }
        #expect(columns?.children.map { $0.properties["width"] } == [240, nil])
        host.tap("hide")
        #expect(host.tree.root.first { $0.kind == .columns }?.children.count == 1)
    }

    private struct Nested: View {
        var body: some View {
            NavigationSplitView {
                NavigationStack {
                    NavigationLink("One") {
                        NavigationLink("Two") { Text("two").navigationTitle("Two") }
                            .accessibilityIdentifier("two").navigationTitle("One")
                    }
                    .accessibilityIdentifier("one").navigationTitle("Zero")
                }
            } detail: {
                Text("detail").navigationTitle("Detail")
            }
        }
    }

    @Test func `leaves the pages of a stack in its first column to that stack`() {
        for (device, rest) in [(DeviceProfile.standard, []), (pad, [["Detail"]])] as [(DeviceProfile, [[String]])] {
            let host = host(Nested(), on: device)
            host.tap("one")
            host.tap("two")
            #expect(pages(host) == [[""], ["(Zero)", "(One)", "Two"]] + rest)
        }
    }

    private struct Old: View {
        let isStack: Bool

        var body: some View {
            if isStack { views.navigationViewStyle(.stack) } else { views }
        }

        private var views: some View {
            NavigationView {
                List(["a", "b"], id: \.self) { name in
                    NavigationLink(name, destination: Text("leaf \(name)")).accessibilityIdentifier(name)
                }
                .navigationTitle("Names")
                Text("Choose a name")
            }
        }
    }

    @Test func `is a NavigationView with several views, of which a phone shows the first`() {
        for device in [DeviceProfile.standard, pad] {
            let stack = host(Old(isStack: true), on: device)
            #expect(!stack.tree.contains(text: "Choose a name"))
            stack.tap("a")
            #expect(stack.tree.contains(text: "leaf a"))
        }
        let phone = host(Old(isStack: false))
        #expect(!phone.tree.contains(text: "Choose a name"))
        phone.tap("a")
        #expect(pages(phone) == [["(Names)", ""]])
    }

    @Test func `replaces what the last column shows for a link of another one`() {
        let host = host(Old(isStack: false), on: pad)
        #expect(host.tree.contains(text: "Choose a name"))
        host.tap("a")
        #expect(pages(host) == [["Names"], ["()", ""]])
        host.tap("b")
        #expect(pages(host) == [["Names"], ["()", ""]])
        #expect(host.tree.contains(text: "leaf b"))
        #expect(host.tree.root.all { $0.actions.contains(.back) }.isEmpty)
    }
}
