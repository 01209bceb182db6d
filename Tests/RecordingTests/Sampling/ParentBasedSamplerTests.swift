import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct ParentBasedSamplerTests {
    private struct CountingSampler: Sampler {
        let seen = SeenInputs()
        var description: String { "Counting" }

        func shouldSample(_ input: SamplingInput) -> SamplingResult {
            seen.add(input)
            return SamplingResult(isSampled: true)
        }
    }

    private func remote(isSampled: Bool, state: String = "") throws -> SpanContext {
        SpanContext(
            traceID: TraceID(high: 1, low: 0xC0_0000_0000_0000), spanID: SpanID(3), flags: isSampled ? [.sampled] : [],
            traceState: try #require(TraceState(header: state)), isRemote: true)
    }

    @Test func `a child does as its parent did, a root as its own sampler says`() throws {
        let recorder = Recorder(sampler: ParentBasedSampler(root: AlwaysOffSampler()))
        recorder.tracer.spanBuilder("sampled").setParent(try remote(isSampled: true)).startSpan().end()
        recorder.tracer.spanBuilder("unsampled").setParent(try remote(isSampled: false)).startSpan().end()
        recorder.tracer.spanBuilder("root").setNoParent().startSpan().end()
        #expect(try recorder.spans.map(\.name) == ["sampled"])
    }

    @Test func `a trace that is not recorded is recorded nowhere, and its context travels on`() throws {
        let recorder = Recorder(sampler: ParentBasedSampler(root: AlwaysOffSampler()))
        recorder.tracer.withSpan("root") { root in
            #expect(root.context.isValid && !root.context.isSampled && !root.isRecording)
            #expect(root.context.flags == [.random])
            recorder.tracer.withSpan("child") { child in
                #expect(child.context == root.context)
                #expect(TraceContextPropagator.traceParent(of: child.context).hasSuffix("-02"))
            }
        }
        #expect(try recorder.spans.isEmpty)
    }

    @Test func `the sampler is asked once for a trace, with what is known of its root`() throws {
        let sampler = CountingSampler()
        let recorder = Recorder(sampler: ParentBasedSampler(root: sampler))
        recorder.tracer.withSpan("root", kind: .server) { root in
            recorder.tracer.withSpan("child") { _ in recorder.tracer.withSpan("grandchild") { _ in } }
            #expect(sampler.seen.all.map(\.traceID) == [root.context.traceID])
        }
        let input = try sampler.seen.all.only
        #expect(input.name == "root" && input.kind == .server && input.parent == nil)
    }

    @Test func `a sampler that is not parent based is asked for children too`() throws {
        let sampler = CountingSampler()
        let recorder = Recorder(sampler: sampler)
        recorder.tracer.withSpan("root") { root in
            recorder.tracer.withSpan("child") { _ in }
            #expect(sampler.seen.all.last?.parent == root.context)
        }
        #expect(sampler.seen.all.count == 2)
    }

    @Test func `a threshold that contradicts the parent's decision is erased`() throws {
        let recorder = Recorder()
        let cases: [(isSampled: Bool, state: String, passedOn: String)] = [
            (true, "ot=th:c,vendor=1", "ot=th:c,vendor=1"),
            (true, "ot=th:c1,vendor=1", "vendor=1"),
            (true, "ot=th:8;rv:7fffffffffffff,vendor=1", "ot=rv:7fffffffffffff,vendor=1"),
            (false, "ot=th:c1", "ot=th:c1"),
            (false, "ot=th:c", ""),
            (true, "ot=th:zz", "ot=th:zz"),
            (true, "vendor=1", "vendor=1"),
        ]
        for (isSampled, state, passedOn) in cases {
            let parent = try remote(isSampled: isSampled, state: state)
            let span = recorder.tracer.spanBuilder("child").setParent(parent).startSpan()
            #expect(span.context.traceState.header == passedOn, "\(state)")
            let direct = ParentBasedSampler(root: AlwaysOnSampler()).shouldSample(
                SamplingInput(parent: parent, traceID: parent.traceID, name: "child", kind: .internal))
            #expect(direct.traceState.header == passedOn && direct.isSampled == isSampled)
        }
    }

    @Test func `samplers describe themselves`() {
        #expect(ParentBasedSampler(root: RatioSampler(0.5)).description == "ParentBased{root:RatioSampler{0.5}}")
        #expect(AlwaysOnSampler().description == "AlwaysOnSampler")
        #expect(AlwaysOffSampler().description == "AlwaysOffSampler")
    }
}
