import AstrolabeSeededRandomness
import AstrolabeTelemetryModel
import BrowserKit
import ConsoleModel
import Foundation
import Testing

@testable import TelemetryConsole

/// Weighted counts of a store with promoted records, compared with what happened on all phones.
@Suite
struct PromotedCountTests {
    private static func count(_ console: ConsoleUnderTest, _ clauses: String = "") async throws -> Double {
        let text = "count \(clauses) last 3650d every total"
        let encoded = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let answer = try await console.get("/api/v1/query?q=\(encoded)")
        return try #require(answer["rows"][0]["values"][0].double)
    }

    /// Counted as records that stand for themselves, the promoted errors would move the estimate by their number. That
    /// is more than twice the tolerance, so the test fails then.
    @Test(arguments: TestedStore.all)
    func `a weighted count with promoted records equals the truth within sampling error`(
        store: TestedStore
    ) async throws {
        let fleet = SampledFleet(sessions: 2_000, seed: 31)
        let tolerance = 4 * fleet.variance.errors.squareRoot()
        try #require(Double(fleet.promotedErrors) > 2 * tolerance, "a mistake must be larger than chance")
        try await ConsoleUnderTest.run(on: store) { console in
            let phone = Resource(attributes: ["service.name": "shop", "os.name": "iOS", "app.installation.id": "i-1"])
            let group = ResourceGroup(
                resource: phone, scopes: [ScopeGroup(scope: InstrumentationScope(name: "test"), records: fleet.sent)])
            try await console.console.store.ingest(traces: [group])
            let errors = try await Self.count(console, "where status = error")
            #expect(abs(errors - Double(fleet.errors)) <= tolerance)
            let spans = try await Self.count(console)
            #expect(abs(spans - Double(fleet.spans)) <= 4 * fleet.variance.spans.squareRoot())
            #expect(try await Self.count(console, "raw") == Double(fleet.sent.count), "raw counts have all")
            let chosen = "where astrolabe.recorder.trigger not exists"
            #expect(try await Self.count(console, chosen) == spans)
            #expect(try await Self.count(console, "\(chosen) raw") == spans * SampledFleet.share)
        }
    }
}

/// A fleet of which one session in four was chosen by chance, and the failed ones of the others were promoted.
private struct SampledFleet {
    /// The truth: the spans of all phones, and those with an error.
    private(set) var spans = 0
    private(set) var errors = 0
    /// The spans that reach the console.
    private(set) var sent: [SpanData] = []
    private(set) var promotedErrors = 0
    /// The variance of an estimate from sessions that are chosen with probability 1/4: the sum of n² (1 - p) / p.
    private(set) var variance = (spans: 0.0, errors: 0.0)

    private static let threshold = "c"
    static let share = 0.25

    init(sessions: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for session in 1...sessions {
            let isSampled = Int.random(in: 0..<4, using: &random) == 0
            let hasFailed = Int.random(in: 0..<10, using: &random) < 3
            let count = Int.random(in: 1...3, using: &random) + (hasFailed ? 1 : 0)
            spans += count
            errors += hasFailed ? 1 : 0
            variance.spans += Double(count * count) * (1 - Self.share) / Self.share
            variance.errors += hasFailed ? (1 - Self.share) / Self.share : 0
            guard isSampled || hasFailed else { continue }
            if !isSampled { promotedErrors += 1 }
            for number in 1...count {
                sent.append(Self.span(session, number, isSampled: isSampled, hasFailed: hasFailed && number == 1))
            }
        }
    }

    private static func span(_ session: Int, _ number: Int, isSampled: Bool, hasFailed: Bool) -> SpanData {
        let state = isSampled ? TraceState(header: "ot=th:\(threshold)") : nil
        var attributes: Attributes = ["session.id": "s-\(session)"]
        if !isSampled {
            attributes["astrolabe.recorder.trigger"] = "error"
            attributes["astrolabe.recorder.id"] = .string("p-\(session)")
        }
        let start: UInt64 = 1_790_000_000_000_000_000 + UInt64(session) * 1_000_000_000
        return SpanData(
            context: SpanContext(
                traceID: TraceID(high: 7, low: UInt64(session)), spanID: SpanID(UInt64(session * 8 + number)),
                isSampled: isSampled, traceState: state ?? TraceState()),
            name: "work", startTimeUnixNano: start, endTimeUnixNano: start + 1_000_000, attributes: attributes,
            status: hasFailed ? .error("no cart") : .unset)
    }
}
