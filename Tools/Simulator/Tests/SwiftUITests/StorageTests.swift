import Foundation
import Testing
import ViewTree

@testable import SwiftUI

@MainActor
@Suite struct `Stored values` {
    private enum Unit: String {
        case metric
        case imperial
    }

    private struct Settings: View {
        @AppStorage private var isLoud: Bool
        @AppStorage private var count: Int
        @AppStorage private var unit: Unit
        @AppStorage private var name: String?

        init(_ store: UserDefaults) {
            _isLoud = AppStorage(wrappedValue: true, "loud", store: store)
            _count = AppStorage(wrappedValue: 3, "count", store: store)
            _unit = AppStorage(wrappedValue: .metric, "unit", store: store)
            _name = AppStorage("name", store: store)
        }

        var body: some View {
            Text("\(isLoud ? "loud" : "quiet") \(count) \(unit.rawValue) \(name ?? "nobody")")
            Toggle("Loud", isOn: $isLoud).accessibilityIdentifier("loud")
            Button("Change") {
                count += 1
                unit = .imperial
                name = name == nil ? "Ada" : nil
            }
            .accessibilityIdentifier("change")
        }
    }

    @Test func `of the app are shown by every view with the key, and by the next launch`() async throws {
        let suite = "stored-\(UUID().uuidString)"
        let store = try #require(UserDefaults(suiteName: suite))
        defer { store.removePersistentDomain(forName: suite) }
        let first = quiet(Settings(store))
        let second = quiet(Settings(store))
        #expect(first.tree.root.texts.first == "loud 3 metric nobody")
        first.tap("loud")
        first.tap("change")
        await turn()
        #expect(second.tree.root.texts.first == "quiet 4 imperial Ada")
        let launch = quiet(Settings(store))
        #expect(launch.tree.root.texts.first == "quiet 4 imperial Ada")
        launch.tap("change")
        #expect(launch.tree.root.texts.first == "quiet 5 imperial nobody")
    }

    private struct Draft: View {
        @SceneStorage("draft-\(ProcessInfo.processInfo.processIdentifier)") private var draft = ""
        var body: some View { TextField("Draft", text: $draft).accessibilityIdentifier("draft") }
    }

    @Test func `of the scene are restored`() {
        let host = quiet(Draft())
        host.enter("half a", into: "draft")
        host.close()
        let restored = quiet(Draft())
        #expect(restored.tree.root.identified(by: "draft")?.properties["text"] == "half a")
        restored.enter("", into: "draft")
    }
}
