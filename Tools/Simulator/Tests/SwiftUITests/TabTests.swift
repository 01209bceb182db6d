import Testing
import ViewTree

@testable import SwiftUI

@MainActor
@Suite struct `A tab view` {
    private struct Account: View {
        var body: some View { Text("account").tabItem { Text("Account") }.tag("account") }
    }

    private struct Tabs: View {
        let names: [String]
        @State private var selection: String = "home"
        @State private var isSignedIn = false

        var body: some View {
            TabView(selection: $selection) {
                Text("home").tabItem { Text("Home") }.tag("home")
                ForEach(names, id: \.self) { name in Text(name).tabItem { Text(name.uppercased()) } }
                if isSignedIn { Account() }
                Group {
                    Counter(name: "x")
                    Counter(name: "y")
                }
            }
            Button("Sign in") {
                isSignedIn.toggle()
                selection = isSignedIn ? "account" : "home"
            }
            .accessibilityIdentifier("sign-in")
            Button("b") { selection = "b" }.accessibilityIdentifier("b")
        }
    }

    private struct Counter: View {
        let name: String
        @State private var count = 0
        var body: some View {
            Button("\(name) \(count)") { count += 1 }.accessibilityIdentifier(name).tabItem { Text(name) }.tag(name)
        }
    }

    private func titles(_ host: ViewHost) -> [String] {
        host.tree.root.all { $0.kind == .tab }.flatMap(\.texts)
    }

    private func page(_ host: ViewHost) -> [String] {
        host.tree.root.first { $0.kind == .tabPage }?.texts ?? []
    }

    @Test func `has a tab for each view of a loop, a group and a condition, and none for an absent one`() async {
        let host = quiet(Tabs(names: ["a", "b"]))
        await turn()
        #expect(titles(host) == ["Home", "A", "B", "x", "y"])
        #expect(page(host) == ["home"])
        host.tap("sign-in")
        await turn()
        #expect(titles(host) == ["Home", "A", "B", "Account", "x", "y"])
        #expect(page(host) == ["account"])
        host.tap("b")
        #expect(page(host) == ["b"])
    }

    @Test func `selects the tapped tab, and keeps a page's state when another tab comes before it`() async throws {
        let host = quiet(Tabs(names: ["a", "b"]))
        await turn()
        let bar = try #require(host.tree.root.first { $0.kind == .tabBar })
        host.send(ViewEvent(node: bar.id, action: .change, value: 4))
        host.tap("y")
        #expect(page(host) == ["y 1"])
        host.tap("sign-in")
        await turn()
        let after = try #require(host.tree.root.first { $0.kind == .tabBar })
        host.send(ViewEvent(node: after.id, action: .change, value: 5))
        #expect(page(host) == ["y 1"])
    }
}

@MainActor
@Suite struct `A tab view with pages` {
    private struct Tour: View {
        let mode: PageTabViewStyle.IndexDisplayMode
        var names = ["one", "two", "three"]
        @State private var page = "one"

        var body: some View {
            TabView(selection: $page) { ForEach(names, id: \.self) { Text($0) } }
                .tabViewStyle(.page(indexDisplayMode: mode))
            Button("Skip") { page = "three" }.accessibilityIdentifier("skip")
        }
    }

    private func isHidden(_ host: ViewHost) -> Bool {
        host.tree.root.first { $0.kind == .tabBar }?.properties["indexHidden"]?.bool == true
    }

    @Test func `has a dot for each, if it has several and the app wants them`() throws {
        let host = quiet(Tour(mode: .automatic))
        #expect(host.tree.root.first { $0.kind == .tabs }?.properties["style"] == "page")
        let bar = try #require(host.tree.root.first { $0.kind == .tabBar })
        #expect(bar.children.count == 3 && !isHidden(host))
        host.send(ViewEvent(node: bar.id, action: .change, value: 1))
        #expect(host.tree.root.first { $0.kind == .tabPage }?.texts == ["two"])
        host.tap("skip")
        #expect(host.tree.root.first { $0.kind == .tabPage }?.texts == ["three"])
        #expect(isHidden(quiet(Tour(mode: .never))))
        #expect(isHidden(quiet(Tour(mode: .automatic, names: ["one"]))))
        let tabs = quiet(TabView { Text("a").tabItem { Text("A") } })
        #expect(tabs.tree.root.first { $0.kind == .tabs }?.properties["style"] == nil && !isHidden(tabs))
    }
}
