import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite(.timeLimit(.minutes(2))) struct `A URL that the system opens` {
    private struct Shop: View {
        let journal: Journal
        @State private var path: [String] = []
        @State private var hasBanner = true

        var body: some View {
            NavigationStack(path: $path) {
                VStack {
                    Button("Hide") { hasBanner = false }.accessibilityIdentifier("hide")
                    if hasBanner { Text("banner").onOpenURL { journal.note("banner \($0.lastPathComponent)") } }
                }
                .navigationDestination(for: String.self) { Text("product \($0)") }
            }
            .onOpenURL { url in
                journal.note("\(path.count) pages, \(url.absoluteString)")
                path.append(url.lastPathComponent)
            }
        }
    }

    private func product(_ name: String) throws -> URL {
        try #require(URL(string: "shop://products/\(name)?from=mail"))
    }

    @Test func `reaches the views that handle it, and what they change is shown with it`() throws {
        let journal = Journal()
        let host = ViewHost(Shop(journal: journal))
        #expect(journal.take() == [])
        host.open(try product("moon"))
        #expect(journal.take() == ["0 pages, shop://products/moon?from=mail", "banner moon"])
        #expect(host.tree.contains(text: "product moon"))
    }

    @Test func `is handled with the newest values of a view, and also under a page`() throws {
        let journal = Journal()
        let host = ViewHost(Shop(journal: journal))
        host.open(try product("moon"))
        _ = journal.take()
        host.open(try product("io"))
        #expect(journal.take() == ["1 pages, shop://products/io?from=mail", "banner io"])
        #expect(host.tree.contains(text: "product io"))
    }

    @Test func `does not reach a view that has left`() throws {
        let journal = Journal()
        let host = ViewHost(Shop(journal: journal))
        host.tap("hide")
        host.open(try product("moon"))
        #expect(journal.take() == ["0 pages, shop://products/moon?from=mail"])
        host.close()
        host.open(try product("io"))
        #expect(journal.take() == [])
    }
}
