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
        let own: Attributes = ["session.id": "s-1", "app.screen.name": "Cart"]
        let frames = (0..<3).map { (sequence: Int) -> LogRecordData in
            var attributes: Attributes = [
                "astrolabe.replay.id": "r-1", "astrolabe.replay.sequence": Int64(sequence),
                "astrolabe.replay.root": 1, "astrolabe.replay.is_key_frame": sequence == 0,
                "astrolabe.replay.nodes": AttributeValue.array([.map(["id": 1, "role": "screen"])]),
            ]
            attributes.merge(own)
            return LogRecordData(
                timeUnixNano: 1, severityNumber: 5, eventName: "astrolabe.replay", attributes: attributes)
        }
        let tap = LogRecordData(timeUnixNano: 2, severityNumber: 9, eventName: "app.widget.click", attributes: own)
        let scope = ScopeGroup(scope: InstrumentationScope(name: "test", version: "1"), records: frames + [tap])
        try await withStore { store in
            try await store.ingest(logs: [ResourceGroup(resource: Resource(attributes: [:]), scopes: [scope])])
            let evidence = StoreEvidence(store)
            var expectation = TelemetryExpectation(kind: .event, name: "astrolabe.replay")
            #expect(try await evidence.count(expectation) == 3)
            expectation.attributes = ["astrolabe.replay.is_key_frame": "true", "app.screen.name": "Cart"]
            #expect(try await evidence.count(expectation) == 1)
            #expect(try await evidence.count(TelemetryExpectation(kind: .event, name: "app.widget.click")) == 1)
            #expect(try await evidence.count(TelemetryExpectation(kind: .span, name: "astrolabe.replay")) == 0)
        }
    }

    @Test
    func `spans are found by trace, with the trigger that has promoted them`() async throws {
        let start: UInt64 = 1_790_000_000_000_000_000
        func span(_ name: String, in trace: UInt64, _ id: UInt64, promotedBy trigger: String? = nil) -> SpanData {
            var attributes: Attributes = ["session.id": "s-1"]
            if let trigger { attributes["astrolabe.recorder.trigger"] = .string(trigger) }
            return SpanData(
                context: SpanContext(traceID: TraceID(high: 1, low: trace), spanID: SpanID(id)), name: name,
                startTimeUnixNano: start, endTimeUnixNano: start + id, attributes: attributes)
        }
        let spans = [
            span("place order", in: 1, 1, promotedBy: "http"), span("charge card", in: 1, 2), span("start", in: 2, 3),
        ]
        let scope = ScopeGroup(scope: InstrumentationScope(name: "test", version: "1"), records: spans)
        try await withStore { store in
            try await store.ingest(traces: [ResourceGroup(resource: Resource(attributes: [:]), scopes: [scope])])
            let traces = Set(try await StoreEvidence(store).traces().map { Set($0) })
            let order: Set = [
                TracedSpan(name: "place order", trigger: "http"), TracedSpan(name: "charge card", trigger: nil),
            ]
            #expect(traces == Set([order, Set([TracedSpan(name: "start", trigger: nil)])]))
        }
    }

    private func withStore(_ body: (SQLiteStore) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("evidence-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("console.sqlite").path
        let store = try await SQLiteStore(StoreConfiguration(path: path))
        try await body(store)
        await store.close()
    }
}
