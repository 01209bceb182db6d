import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Records that the flight recorder sent, over real stores and a real socket.
@Suite
struct PromotedRecordTests {
    private static func value(_ console: ConsoleUnderTest, _ query: String) async throws -> Double {
        let text = "\(query) last 3650d every total"
        let encoded = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let rows = try await console.get("/api/v1/query?q=\(encoded)")["rows"].elements
        return rows.compactMap { $0["values"][0].double }.reduce(0, +)
    }

    @Test(arguments: TestedStore.all)
    func `a session has the triggers that sent it, and lists and queries include it or leave it out`(
        store: TestedStore
    ) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            var sampled = ShopVisit.purchase(number: 1)
            sampled.sample(threshold: "c")
            var failed = ShopVisit.purchase(number: 2)
            failed.promote(by: "http")
            // The budget refused all records, so the event about the promotion is all that arrived of the recorder.
            var refused = ShopVisit(number: 3, start: failed.start)
            refused.event("session.start")
            refused.promote(by: "error", [("astrolabe.recorder.refused", 40)])
            try await console.send(sampled)
            try await console.send(failed)
            try await console.send(refused.phoneLogBody, to: .logs)
            func listed(_ filter: String) async throws -> Set<String> {
                let sessions = try await console.get("/api/v1/sessions?\(filter)")["sessions"].elements
                return Set(sessions.compactMap { $0["id"].text })
            }
            #expect(try await listed("promoted=true") == [failed.session])
            #expect(try await listed("promoted=http") == [failed.session])
            #expect(try await listed("promoted=crash") == [])
            #expect(try await listed("promoted=false") == [sampled.session, refused.session])
            #expect(try await listed("").count == 3)
            func triggers(_ visit: ShopVisit) async throws -> [String] {
                let session = try await console.get("/api/v1/sessions/\(visit.session)")
                return session["triggers"].elements.compactMap(\.text)
            }
            #expect(try await triggers(failed) == ["http"])
            #expect(try await triggers(sampled).isEmpty)
            #expect(try await triggers(refused).isEmpty)
            let served = failed.backendSpans.filter { $0.kind == 2 }.count
            for (query, expected) in [
                ("count of sessions where promoted", 1), ("count of sessions where promoted = false", 2),
                ("count of sessions where trigger = http", 1), ("count of sessions where trigger not exists", 2),
                ("count of events where session.promoted and name = \"astrolabe.recorder.promotion\"", 1),
                ("count where astrolabe.recorder.trigger = http raw", failed.phoneSpans.count),
                ("count where session.trigger = http and kind = server raw", served),
            ] {
                #expect(try await Self.value(console, query) == Double(expected), "\(query)")
            }
        }
    }
}
