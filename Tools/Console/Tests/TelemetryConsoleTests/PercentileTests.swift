import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Tests that a percentile of the same durations is the same number wherever it is shown.
@Suite(.timeLimit(.minutes(2))) struct `A percentile` {
    private static let start: UInt64 = 1_790_000_000_000_000_000

    /// Calls of 1 to 100 ms, or the requests that serve them.
    private static func spans(isServed: Bool) -> JSON {
        let spans = (1...100).map { number in
            func id(_ kind: Int) -> String { String(format: "%08x%08x", kind, number) }
            let start = Self.start + UInt64(number) * 1_000_000_000
            return OTLPBody.Span(
                trace: id(1) + id(1), id: id(isServed ? 2 : 3), parent: isServed ? id(3) : "", name: "pay",
                kind: isServed ? 2 : 3, start: start, end: start + UInt64(number) * 1_000_000)
        }
        return OTLPBody.traces([("service.name", isServed ? "shop" : "web")], spans)
    }

    @Test(arguments: TestedStore.all)
    func `is the same in queries and on the map, in both stores`(store: TestedStore) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            for isServed in [false, true] { try await console.send(Self.spans(isServed: isServed), to: .traces) }
            var found: [Double?] = []
            for kind in ["client", "server"] {
                let query = "p99(duration) where kind = \(kind) last 3650d every total"
                let text = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                found.append(try await console.get("/api/v1/query?q=\(text)")["rows"][0]["values"][0].double)
            }
            let map = try await console.get("/api/v1/map?time=last%203650d")
            found.append(map["edges"][0]["calls"]["p99Ns"].double)
            let shop = map["nodes"].elements.first { $0["name"].text == "shop" }
            found.append(shop?["handled"]["p99Ns"].double)
            // The middle of the bin of 99 ms: from 2^26 on, a bin has 2^20 ns, and this is the 31st.
            let expected: Double = 67_108_864 + 30.5 * 1_048_576
            #expect(found == [expected, expected, expected, expected])
        }
    }
}
