import AstrolabeCommands
import AstrolabeTelemetryModel
import ConsoleModel
import ConsoleStore
import Foundation
import Testing

@testable import DeviceSimulator

@Suite
struct StoreEvidenceTests {
    /// Timelines do not list replay frames, so a scenario that searched only there would never find them.
    @Test
    func `replay frames and other events are found by name`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("evidence-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("console.sqlite").path
        let store = try await SQLiteStore(StoreConfiguration(path: path))
        let own: Attributes = ["session.id": "s-1", "app.screen.name": "Cart"]
        let frames = (0..<3).map { (sequence: Int) -> LogRecordData in
            var attributes: Attributes = [
                "astrolabe.replay.id": "r-1", "astrolabe.replay.sequence": Int64(sequence),
                "astrolabe.replay.root": 1, "astrolabe.replay.is_key_frame": sequence == 0,
                "astrolabe.replay.nodes": AttributeValue.array([.map(["id": 1, "role": "screen"])]),
            ]
            attributes.merge(own)
            return LogRecordData(
                timeUnixNano: 1, severityNumber: 5, eventName: "astrolabe.replay", attributes: attributes, )
        }
        let tap = LogRecordData(timeUnixNano: 2, severityNumber: 9, eventName: "app.widget.click", attributes: own)
        let scope = ScopeGroup(scope: InstrumentationScope(name: "test", version: "1"), records: frames + [tap])
        try await store.ingest(logs: [ResourceGroup(resource: Resource(attributes: [:]), scopes: [scope])])

        let evidence = StoreEvidence(store)
        var expectation = TelemetryExpectation(kind: .event, name: "astrolabe.replay")
        #expect(try await evidence.count(expectation) == 3)
        expectation.attributes = ["astrolabe.replay.is_key_frame": "true", "app.screen.name": "Cart"]
        #expect(try await evidence.count(expectation) == 1)
        #expect(try await evidence.count(TelemetryExpectation(kind: .event, name: "app.widget.click")) == 1)
        #expect(try await evidence.count(TelemetryExpectation(kind: .span, name: "astrolabe.replay")) == 0)
        await store.close()
    }
}
