import Foundation
import Testing

@Suite
struct StoreLayerTests {
    @Test
    func `only the server, which opens the store, names the type of a store`() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/TelemetryConsole")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var users: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for name in ["import ConsoleStore\n", "SQLiteStore", "ClickHouseStore"] where text.contains(name) {
                users.insert(file.lastPathComponent)
            }
        }
        #expect(users == ["ConsoleServer.swift"])
    }
}
