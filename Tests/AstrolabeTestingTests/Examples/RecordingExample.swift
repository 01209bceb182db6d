import Astrolabe
import AstrolabeTesting
import Foundation
import Testing

/// The summary of a session on the shop's own screen for support.
struct SupportSummary {
    let orders: Int
    let declined: Int

    init(of spans: [SpanData]) {
        orders = spans.filter { $0.name == "checkout" }.count
        declined = spans.filter { $0.name == "charge card" && $0.status == .error("declined") }.count
    }
}

@Test func `the summary counts the declined cards of a recorded session`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let session = try TelemetryCollector(contentsOf: folder.appendingPathComponent("Fixtures/session.jsonl"))

    let summary = SupportSummary(of: session.spans.map(\.record))

    #expect(summary.orders == 2)
    #expect(summary.declined == 1)
}
