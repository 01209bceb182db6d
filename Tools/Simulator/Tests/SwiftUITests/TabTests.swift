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
