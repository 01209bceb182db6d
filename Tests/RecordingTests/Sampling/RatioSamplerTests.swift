import AstrolabePlatform
import AstrolabeSeededRandomness
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct RatioSamplerTests {
    /// The table of "TraceState: Probability Sampling" for four digits.
    static let table: [(ratio: Double, threshold: String)] = [
        (1, "0"), (0.5, "8"), (1 / 3.0, "aaab"), (0.25, "c"), (0.2, "cccd"), (0.125, "e"), (0.1, "e666"),
        (0.0625, "f"),
        (0.01, "fd70a"), (0.001, "ffbe77"), (0.0001, "fff9724"), (0.00001, "ffff583a"), (0.000001, "ffffef39"),
    ]

    private func input(_ traceID: TraceID, parent: SpanContext? = nil) -> SamplingInput {
        SamplingInput(parent: parent, traceID: traceID, name: "any", kind: .internal)
    }

    private func parent(_ state: String, isSampled: Bool = true) throws -> SpanContext {
        SpanContext(
            traceID: TraceID(high: 1, low: 2), spanID: SpanID(3), flags: isSampled ? [.sampled] : [],
            traceState: try #require(TraceState(header: state)), isRemote: true)
    }

    @Test(arguments: table.indices)
    func `thresholds are encoded as the specification's table has them`(index: Int) {
        let (ratio, threshold) = Self.table[index]
        let sampler = RatioSampler(ratio)
        let result = sampler.shouldSample(input(TraceID(high: 0, low: (1 << 56) - 1)))
        #expect(result.isSampled)
        #expect(result.traceState.header == "ot=th:\(threshold)")
        #expect(abs(sampler.ratio - ratio) / ratio < 0.0001)
    }

    @Test func `the threshold itself is recorded and what is below it is not`() {
        let sampler = RatioSampler(0.25)
        let threshold: UInt64 = 0xC0_0000_0000_0000
        #expect(sampler.shouldSample(input(TraceID(high: 9, low: threshold))).isSampled)
        #expect(!sampler.shouldSample(input(TraceID(high: 9, low: threshold - 1))).isSampled)
        // The first byte of the low half is not among the 56 bits that decide.
        #expect(!sampler.shouldSample(input(TraceID(high: 9, low: 0xFF00_0000_0000_0000))).isSampled)
    }

    @Test(arguments: [0, -1, -.infinity, .nan, 0x1p-60] as [Double])
    func `nothing is recorded at no ratio`(ratio: Double) {
        let sampler = RatioSampler(ratio)
        let result = sampler.shouldSample(input(TraceID(high: 0, low: .max)))
        #expect(!result.isSampled)
        #expect(result.traceState.isEmpty)
        #expect(sampler.ratio == 0)
    }

    @Test(arguments: [1, 2, .infinity] as [Double])
    func `everything is recorded at a ratio of one or more`(ratio: Double) {
        let result = RatioSampler(ratio).shouldSample(input(TraceID(high: 1, low: 0)))
        #expect(result.isSampled)
        #expect(result.traceState.header == "ot=th:0")
    }

    @Test func `any ratio gives a valid threshold near it`() {
        var random = SeededGenerator(seed: 235)
        for _ in 0..<4_000 {
            let ratio =
                Double.random(in: 0...1, using: &random)
                * Double(sign: .plus, exponent: -Int.random(in: 0...56, using: &random), significand: 1)
            let sampler = RatioSampler(ratio)
            #expect(sampler.ratio >= 0 && sampler.ratio <= 1)
            if ratio > 0x1p-40 { #expect(abs(sampler.ratio - ratio) / ratio < 0.001, "\(ratio)") }
        }
    }

    @Test(arguments: [0.5, 0.1, 0.01])
    func `the share that is recorded is the ratio`(ratio: Double) {
        let ids = IDGenerator(firstSeed: 20_261_121, secondSeed: 42)
        let sampler = RatioSampler(ratio)
        let count = 50_000
        var recorded = 0
        for _ in 0..<count {
            let (high, low) = ids.next128()
            if sampler.shouldSample(input(TraceID(high: high, low: low))).isSampled { recorded += 1 }
        }
        // Five standard deviations of a binomial distribution; the seed is fixed, so this does not flicker.
        let deviation = (Double(count) * ratio * (1 - ratio)).squareRoot()
        #expect(abs(Double(recorded) - Double(count) * ratio) < 5 * deviation)
    }

    @Test func `what a low ratio records every higher ratio records too`() {
        let samplers = [0.001, 0.01, 0.1, 0.3, 0.5, 0.9, 1].map { RatioSampler($0) }
        let ids = IDGenerator(firstSeed: 7, secondSeed: 8)
        for _ in 0..<4_000 {
            let (high, low) = ids.next128()
            let decisions = samplers.map { $0.shouldSample(input(TraceID(high: high, low: low))).isSampled }
            #expect(decisions == decisions.sorted { !$0 && $1 })
        }
    }

    @Test func `explicit randomness replaces the trace id's and is passed on`() throws {
        let sampler = RatioSampler(0.5)
        let low = sampler.shouldSample(
            input(TraceID(high: 1, low: .max), parent: try parent("ot=rv:7fffffffffffff,vendor=1")))
        #expect(!low.isSampled)
        #expect(low.traceState.header == "ot=rv:7fffffffffffff,vendor=1")
        let high = sampler.shouldSample(
            input(TraceID(high: 1, low: 0), parent: try parent("vendor=1,ot=rv:80000000000000")))
        #expect(high.isSampled)
        #expect(high.traceState.header == "ot=th:8;rv:80000000000000,vendor=1")
    }

    @Test(arguments: ["rv:7fffffffffffff0", "rv:7ffffffffffff", "rv:7FFFFFFFFFFFFF", "rv:", "rv:+fffffffffffff", "x:1"])
    func `randomness of a wrong form is no randomness`(field: String) throws {
        let result = RatioSampler(0.5).shouldSample(
            input(TraceID(high: 1, low: .max), parent: try parent("ot=\(field)")))
        #expect(result.isSampled)
    }

    @Test func `an inherited threshold is replaced, or erased where nothing is recorded`() throws {
        let context = try parent("ot=th:fd70a;x:1,vendor=1")
        let recorded = RatioSampler(0.25).shouldSample(input(TraceID(high: 1, low: .max), parent: context))
        #expect(recorded.traceState.header == "ot=th:c;x:1,vendor=1")
        let dropped = RatioSampler(0.25).shouldSample(input(TraceID(high: 1, low: 0), parent: context))
        #expect(dropped.traceState.header == "ot=x:1,vendor=1")
        let alone = RatioSampler(0).shouldSample(
            input(TraceID(high: 1, low: 0), parent: try parent("ot=th:8,vendor=1")))
        #expect(alone.traceState.header == "vendor=1")
    }

    @Test func `the probability is on every span of a trace`() throws {
        // Of random trace ids, the sampler leaves out one in 10,000.
        let ids = IDGenerator(firstSeed: 1, secondSeed: 2)
        let recorder = Recorder(sampler: ParentBasedSampler(root: RatioSampler(0.999_9)), ids: ids)
        recorder.tracer.withSpan("root") { _ in recorder.tracer.withSpan("child") { _ in } }
        #expect(try recorder.spans.map { $0.context.traceState["ot"] } == ["th:0007", "th:0007"])
    }
}
