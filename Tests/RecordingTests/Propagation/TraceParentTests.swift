import AstrolabeSeededRandomness
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

/// The cases of W3C Trace Context and of its test suite.
@Suite struct TraceParentTests {
    private static let traceID = "12345678901234567890123456789012"
    private static let spanID = "1234567890123456"

    @Test(arguments: [
        "00-\(traceID)-\(spanID)-00", "00-\(traceID)-\(spanID)-01", "00-\(traceID)-\(spanID)-03",
        "00-\(traceID)-\(spanID)-ff", "cc-\(traceID)-\(spanID)-01",
        "cc-\(traceID)-\(spanID)-01-what-the-future-will-be-like", "cc-\(traceID)-\(spanID)-01-",
        " 00-\(traceID)-\(spanID)-01", "\t00-\(traceID)-\(spanID)-01", "00-\(traceID)-\(spanID)-01 ",
        "00-\(traceID)-\(spanID)-01\t", "\t 00-\(traceID)-\(spanID)-01 \t",
    ])
    func `valid headers are read`(header: String) throws {
        let context = try #require(TraceContextPropagator.spanContext(traceParent: header))
        #expect(context.traceID.hex == Self.traceID)
        #expect(context.spanID.hex == Self.spanID)
        #expect(context.isRemote)
    }

    @Test(arguments: [
        "", " ", "-", "---", "00", "00-\(traceID)", "00-\(traceID)-\(spanID)", "00-\(traceID)-\(spanID)-",
        "00-\(traceID)-\(spanID)-01.", "00-\(traceID)-\(spanID)-01-", "00-\(traceID)-\(spanID)-01-what-the-future",
        "cc-\(traceID)-\(spanID)-01.what-the-future", "cc-\(traceID)-\(spanID)-0", "ff-\(traceID)-\(spanID)-01",
        ".0-\(traceID)-\(spanID)-01", "0.-\(traceID)-\(spanID)-01", "000-\(traceID)-\(spanID)-01",
        "0000-\(traceID)-\(spanID)-01", "0-\(traceID)-\(spanID)-01", "-\(traceID)-\(spanID)-01",
        "CC-\(traceID)-\(spanID)-01", "00-00000000000000000000000000000000-\(spanID)-01",
        "00-.2345678901234567890123456789012-\(spanID)-01", "00-1234567890123456789012345678901.-\(spanID)-01",
        "00-123456789012345678901234567890123-\(spanID)-01", "00-1234567890123456789012345678901-\(spanID)-01",
        "00-\(traceID)-0000000000000000-01", "00-\(traceID)-.234567890123456-01", "00-\(traceID)-123456789012345.-01",
        "00-\(traceID)-12345678901234567-01", "00-\(traceID)-123456789012345-01", "00-\(traceID)-\(spanID)-.0",
        "00-\(traceID)-\(spanID)-0.", "00-\(traceID)-\(spanID)-001", "00-\(traceID)-\(spanID)-1",
        "00-ABCDEF78901234567890123456789012-\(spanID)-01", "00-\(traceID)-ABCDEF7890123456-01",
        "00-\(traceID)-\(spanID)-0A", "00_\(traceID)_\(spanID)_01",
        "00-\(traceID)-\(spanID)-01,00-\(traceID)-\(spanID)-01",
        "00-٠٢٣٤٥٦٧٨٩٠١٢٣٤٥٦٧٨٩٠١٢٣٤٥٦٧٨٩٠١٢-\(spanID)-01", "00-\(traceID)-+234567890123456-01",
    ])
    func `headers that break a rule are refused`(header: String) {
        #expect(TraceContextPropagator.spanContext(traceParent: header) == nil)
    }

    @Test func `flags that are not defined are not taken over`() throws {
        let context = try #require(
            TraceContextPropagator.spanContext(traceParent: "00-\(Self.traceID)-\(Self.spanID)-ff"))
        #expect(context.flags == [.sampled, .random])
        #expect(TraceContextPropagator.traceParent(of: context).hasSuffix("-03"))
    }

    @Test func `what is written is read back`() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<1_000 {
            let context = SpanContext(
                traceID: TraceID(
                    high: .random(in: 0...9, using: &random), low: .random(in: 1 ... .max, using: &random)),
                spanID: SpanID(.random(in: 1 ... .max, using: &random)),
                flags: TraceFlags(rawValue: .random(in: 0...3, using: &random)), isRemote: true)
            let header = TraceContextPropagator.traceParent(of: context)
            #expect(header.utf8.count == 55)
            #expect(TraceContextPropagator.spanContext(traceParent: header) == context)
        }
    }

    @Test func `no text traps`() {
        var random = SeededGenerator(seed: 2)
        let pieces = ["00", "-", Self.traceID, Self.spanID, "01", "ff", "é", "\u{0}", " ", "🔭", "0", "g"]
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in pieces.randomElement(using: &random) ?? ""
            }
            _ = TraceContextPropagator.spanContext(traceParent: text.joined())
        }
    }
}
