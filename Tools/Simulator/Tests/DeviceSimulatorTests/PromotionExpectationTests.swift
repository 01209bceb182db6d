import Testing

@testable import DeviceSimulator

@Suite struct `An expectation of a promoted trace` {
    private static let wanted = PromotionExpectation(trigger: "http", trace: ["place order", "charge card"])

    private static func trace(_ names: String..., by trigger: String?) -> [TracedSpan] {
        names.map { TracedSpan(name: $0, trigger: $0 == "charge card" ? nil : trigger) }
    }

    @Test func `holds if one trace has all its spans, some of which the trigger has promoted`() {
        let traces = [Self.trace("start", by: nil), Self.trace("place order", "POST", "charge card", by: "http")]
        #expect(Self.wanted.holds(for: traces))
    }

    @Test func `does not hold for a trace that was sampled, or promoted by another trigger`() {
        let sampled = [Self.trace("place order", "charge card", by: nil)]
        #expect(!Self.wanted.holds(for: sampled))
        #expect(Self.wanted.difference(from: sampled) == "The collector received no promoted span.")
        let other = [Self.trace("place order", "charge card", by: "error")]
        #expect(!Self.wanted.holds(for: other))
        #expect(
            Self.wanted.difference(from: other) == "The collector received spans that were promoted by error.")
    }

    @Test func `does not hold if its spans are in different traces, and names what the fullest one lacks`() {
        let traces = [
            Self.trace("GET", by: "http"), Self.trace("place order", by: "http"), Self.trace("charge card", by: nil),
        ]
        #expect(!Self.wanted.holds(for: traces))
        #expect(Self.wanted.difference(from: traces) == "The promoted trace lacks charge card.")
    }
}
