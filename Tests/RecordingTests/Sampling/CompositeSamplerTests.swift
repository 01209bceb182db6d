import AstrolabeExtras
import AstrolabePlatform
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct CompositeSamplerTests {
    private static let half: UInt64 = 0x80_0000_0000_0000

    private func decide(
        _ sampler: ComposableSampler, low: UInt64 = half, parent: SpanContext? = nil, name: String = "any",
    ) -> SamplingResult {
        CompositeSampler(sampler).shouldSample(
            SamplingInput(parent: parent, traceID: TraceID(high: 1, low: low), name: name, kind: .internal))
    }

    private func parent(_ state: String, isSampled: Bool = true, isRemote: Bool = true) throws -> SpanContext {
        SpanContext(
            traceID: TraceID(high: 1, low: 2), spanID: SpanID(3), flags: isSampled ? [.sampled] : [],
            traceState: try #require(TraceState(header: state)), isRemote: isRemote)
    }

    @Test func `always on and always off are thresholds`() throws {
        #expect(decide(.alwaysOn, low: 0).decision == .recordAndSample)
        #expect(decide(.alwaysOn).traceState.header == "ot=th:0")
        let parent = try parent("ot=th:8;rv:ffffffffffffff,other=1")
        let off = decide(.alwaysOff, parent: parent)
        #expect(off.decision == .drop && off.traceState.header == "ot=rv:ffffffffffffff,other=1")
        #expect(decide(.alwaysOn, parent: parent).traceState.header == "ot=th:0;rv:ffffffffffffff,other=1")
    }

    @Test func `a probability compares the trace's randomness with its threshold`() throws {
        #expect(decide(.probability(0.5)).traceState.header == "ot=th:8")
        #expect(decide(.probability(0.5), low: Self.half - 1).decision == .drop)
        let explicit = try parent("ot=rv:7fffffffffffff")
        #expect(decide(.probability(0.5), parent: explicit).decision == .drop)
        #expect(decide(.probability(0), low: .max).decision == .drop)
        #expect(decide(.probability(.nan), low: .max).decision == .drop)
        #expect(decide(.probability(2), low: 0).decision == .recordAndSample)
    }

    @Test func `a child has the threshold of its parent, or follows its flag`() throws {
        let sampler = ComposableSampler.parentThreshold(root: .probability(0.25))
        #expect(decide(sampler).decision == .drop)
        #expect(decide(sampler, low: 0xC0_0000_0000_0000).traceState.header == "ot=th:c")
        #expect(decide(sampler, parent: try parent("ot=th:8")).traceState.header == "ot=th:8")
        #expect(decide(sampler, low: 1, parent: try parent("ot=th:8")).decision == .drop)
        let unweighted = decide(sampler, low: 1, parent: try parent("other=1"))
        #expect(unweighted.decision == .recordAndSample && unweighted.traceState.header == "other=1")
        for isRemote in [true, false] {
            let parent = try parent("other=1", isSampled: false, isRemote: isRemote)
            #expect(decide(.parentThreshold(root: .alwaysOn), parent: parent).decision == .drop)
        }
    }

    @Test func `the first rule that applies decides, and none drops`() {
        let sampler = ComposableSampler.ruleBased([
            .init("health", .alwaysOff) { $0.name == "health" },
            .init("known", .alwaysOn) { ["health", "checkout"].contains($0.name) },
        ])
        #expect(decide(sampler, name: "health").decision == .drop)
        #expect(decide(sampler, name: "checkout").decision == .recordAndSample)
        #expect(decide(sampler, name: "other").decision == .drop)
    }

    @Test func `attributes are added to what is recorded, the outer ones last`() {
        let inner = ComposableSampler.annotating(.probability(0.5), with: ["by": "inner", "a": 1])
        let sampler = ComposableSampler.annotating(inner, with: ["by": "outer"])
        #expect(decide(sampler).attributes == ["by": "outer", "a": 1])
        #expect(decide(sampler, low: 0).attributes.isEmpty)
    }

    @Test func `describes what it is composed of`() {
        let rule = ComposableSampler.Rule("all", .probability(0.25)) { _ in true }
        let sampler = CompositeSampler(
            .parentThreshold(root: .annotating(.ruleBased([rule]), with: ["by": "rule"])))
        #expect(
            sampler.description
                == "CompositeSampler{ComposableParentThreshold{root:ComposableAnnotating{ComposableRuleBased{"
                + "all:ComposableProbability{0.25}},by}}}")
    }

    @Test func `spans of a recording follow it, with its attributes and its threshold`() throws {
        let sampler = ComposableSampler.parentThreshold(
            root: .annotating(
                .ruleBased([.init("kept", .alwaysOn) { $0.attributes["keep"] == true }]), with: ["by": "rule"]))
        let recorder = Recorder(sampler: CompositeSampler(sampler))
        recorder.tracer.withSpan("dropped") { _ in recorder.tracer.withSpan("child of dropped") { _ in } }
        recorder.tracer.withSpan("kept", attributes: ["keep": true]) { _ in
            recorder.tracer.withSpan("child of kept") { _ in }
        }
        let spans = try recorder.spans
        #expect(spans.map(\.name) == ["child of kept", "kept"])
        #expect(spans.allSatisfy { $0.context.traceState.header == "ot=th:0" })
        #expect(spans.last?.attributes["by"] == "rule" && spans.first?.attributes["by"] == nil)
    }
}

@Suite struct AlwaysRecordSamplerTests {
    private final class EndedNames: SpanProcessor {
        let names = Locked<[String]>([])
        func onEnd(_ span: FinishedSpan) { names.withLock { $0.append(span.name) } }
    }

    @Test func `processors see what the other sampler drops, and it is not sent`() throws {
        let processor = EndedNames()
        let recorder = Recorder(
            sampler: AlwaysRecordSampler(AlwaysOffSampler()), processors: RecordProcessors(span: [processor]))
        recorder.tracer.withSpan("root") { _ in recorder.tracer.withSpan("child") { _ in } }
        #expect(processor.names.withLock { $0 } == ["child", "root"])
        #expect(try recorder.spans.isEmpty)
    }

    @Test func `what the other sampler records is sent, with its attributes and trace state`() throws {
        let root = CompositeSampler(.annotating(.alwaysOn, with: ["a": 1]))
        let input = SamplingInput(parent: nil, traceID: TraceID(high: 1, low: 1), name: "any", kind: .internal)
        let result = AlwaysRecordSampler(root).shouldSample(input)
        #expect(result.decision == .recordAndSample && result.attributes == ["a": 1])
        #expect(result.traceState.header == "ot=th:0")
    }
}
