import AstrolabePlatform
import AstrolabeSeededRandomness
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct SessionSamplerTests {
    private static func session(_ random: inout SeededGenerator) -> String {
        let ids = IDGenerator(firstSeed: random.next(), secondSeed: random.next())
        return ids.nextUUID()
    }

    private func isSampled(_ sampler: SessionSampler) -> Bool {
        sampler.shouldSample(
            SamplingInput(parent: nil, traceID: TraceID(high: 1, low: 2), name: "any", kind: .internal)
        ).isSampled
    }

    @Test func `all traces of a session are decided alike, whatever their ids`() {
        var random = SeededGenerator(seed: 33)
        for _ in 0..<200 {
            let rate = Double.random(in: 0...1, using: &random)
            let sampler = SessionSampler(rate: rate, session: Self.session(&random))
            let decisions = (0..<20).map { _ in
                sampler.shouldSample(
                    SamplingInput(
                        parent: nil, traceID: TraceID(high: random.next(), low: random.next()), name: "any",
                        kind: .client)
                ).isSampled
            }
            #expect(Set(decisions).count == 1)
            #expect(decisions.first == sampler.isSampling)
        }
    }

    @Test func `the same session is decided alike after a restart`() {
        var random = SeededGenerator(seed: 34)
        for _ in 0..<100 {
            let session = Self.session(&random)
            let before = SessionSampler(rate: 0.5, session: session)
            let after = SessionSampler(rate: 1)
            after.update(session: session)
            after.update(rate: 0.5)
            #expect(before.isSampling == after.isSampling)
        }
    }

    @Test(arguments: [0.5, 0.1, 0.0125])
    func `the share of sessions that is recorded is the rate`(rate: Double) {
        var random = SeededGenerator(seed: 20_261_121)
        let sampler = SessionSampler(rate: rate)
        let count = 20_000
        var recorded = 0
        for _ in 0..<count {
            sampler.update(session: Self.session(&random))
            if isSampled(sampler) { recorded += 1 }
        }
        // Five standard deviations of a binomial distribution; the seed is fixed, so this does not flicker.
        let deviation = (Double(count) * rate * (1 - rate)).squareRoot()
        #expect(abs(Double(recorded) - Double(count) * rate) < 5 * deviation)
        #expect(abs(sampler.rate - rate) / rate < 0.0001)
    }

    @Test func `a rate that rises keeps every session that a lower one kept`() {
        var random = SeededGenerator(seed: 35)
        for _ in 0..<500 {
            let sampler = SessionSampler(rate: 0, session: Self.session(&random))
            var decisions: [Bool] = []
            for rate in [0, 0.0125, 0.05, 0.1, 0.15, 0.5, 1] {
                sampler.update(rate: rate)
                decisions.append(isSampled(sampler))
            }
            #expect(decisions == decisions.sorted { !$0 && $1 })
            #expect(decisions.first == false && decisions.last == true)
        }
    }

    @Test func `what is recorded tells the rate and the session's randomness, which reaches the threshold`() throws {
        var random = SeededGenerator(seed: 36)
        var seen = 0
        for _ in 0..<500 {
            let rate = Double.random(in: 0.01...1, using: &random)
            let sampler = SessionSampler(rate: rate, session: Self.session(&random))
            let recorder = Recorder(sampler: sampler)
            recorder.tracer.withSpan("root") { _ in recorder.tracer.withSpan("child") { _ in } }
            for span in try recorder.spans {
                seen += 1
                let state = ProbabilityState(span.context.traceState)
                let threshold = try #require(state.threshold)
                #expect(state.randomness(of: span.context.traceID) >= threshold)
                #expect(abs((1 - Double(threshold) / 0x1p56) - rate) < 0.0001)
                #expect(span.context.traceState == SpanContext.consistent(span.context))
            }
        }
        #expect(seen > 300)
    }

    @Test func `traces of one session share the randomness, those of the next have another`() throws {
        let recorder = Recorder(sampler: SessionSampler(rate: 1, session: "first"))
        let sampler = SessionSampler(rate: 1, session: "first")
        let other = Recorder(sampler: sampler)
        recorder.tracer.withSpan("a") { _ in }
        other.tracer.withSpan("b") { _ in }
        sampler.update(session: "second")
        other.tracer.withSpan("c") { _ in }
        let states = try (recorder.spans + other.spans).map { $0.context.traceState.header }
        #expect(states[0] == states[1] && states[1] != states[2])
        #expect(states.allSatisfy { $0.hasPrefix("ot=th:0;rv:") && $0.utf8.count == "ot=th:0;rv:".utf8.count + 14 })
        #expect(try Set((recorder.spans + other.spans).map(\.context.traceID)).count == 3)
    }

    @Test(arguments: [(1.0, 0.0), (0, 1)])
    func `a rate of another document is that of the next session, except where the device can record no more`(
        before: Double, after: Double,
    ) {
        let sampler = SessionSampler(rate: before, session: "first")
        sampler.update(rate: after, by: "12")
        #expect(sampler.isSampled == (before == 1))
        sampler.update(rate: 0, by: "12", isLimited: true)
        #expect(!sampler.isSampled)
        sampler.update(rate: after, by: "13")
        #expect(sampler.isSampled == (before == 1))
        sampler.update(session: "second")
        #expect(sampler.isSampled == (after == 1))
        sampler.update(rate: before, by: "13")
        #expect(sampler.isSampled == (before == 1), "the device's conditions change")
        sampler.begin(with: "14")
        sampler.update(rate: after, by: "14")
        #expect(sampler.isSampled == (after == 1), "of the run's first decision")
    }

    @Test func `children follow their parent over a change of rate, and roots do not`() throws {
        let sampler = SessionSampler(rate: 1, session: "any")
        let recorder = Recorder(sampler: sampler, triggers: RecorderTriggers())
        recorder.tracer.withSpan("recorded") { _ in
            sampler.update(rate: 0)
            recorder.tracer.withSpan("child") { _ in }
            recorder.tracer.spanBuilder("root").setNoParent().startSpan().end()
        }
        recorder.tracer.withSpan("out") { _ in
            sampler.update(rate: 1)
            recorder.tracer.withSpan("child of out") { _ in }
        }
        recorder.tracer.withSpan("recorded again") { _ in }
        let sampled = try recorder.spans.filter(\.context.isSampled)
        let others = try recorder.spans.filter { !$0.context.isSampled }
        #expect(sampled.map(\.name) == ["child", "recorded", "recorded again"])
        #expect(others.map(\.name) == ["root", "child of out", "out"])
    }

    @Test func `another process's decision is followed, and its threshold kept where it is true`() throws {
        let recorder = Recorder(sampler: SessionSampler(rate: 0))
        for (state, passedOn) in [("ot=th:8", "ot=th:8"), ("ot=th:c1", ""), ("vendor=1", "vendor=1")] {
            let remote = SpanContext(
                traceID: TraceID(high: 1, low: 0xC0_0000_0000_0000), spanID: SpanID(3), flags: [.sampled],
                traceState: try #require(TraceState(header: state)), isRemote: true)
            let span = recorder.tracer.spanBuilder("server").setParent(remote).startSpan()
            #expect(span.isRecording && span.context.traceState.header == passedOn)
            let direct = SessionSampler(rate: 0).shouldSample(
                SamplingInput(parent: remote, traceID: remote.traceID, name: "server", kind: .server))
            #expect(direct.isSampled && direct.traceState.header == passedOn)
        }
    }

    /// Traces of many tasks, all of which change the rate and the session all the time: each is recorded whole or not
    /// at all.
    @Test func `traces stay whole over task groups while the rate changes`() async throws {
        var random = SeededGenerator(seed: 37)
        let sampler = SessionSampler(rate: 0.5, session: "first")
        let recorder = Recorder(sampler: sampler, triggers: RecorderTriggers())
        let sessions = (0..<200).map { _ in Self.session(&random) }
        await withTaskGroup(of: Void.self) { group in
            for session in sessions {
                group.addTask {
                    sampler.update(session: session)
                    await Self.trace(recorder.tracer) { sampler.update(rate: $0) }
                }
            }
        }
        let traces = Dictionary(grouping: try recorder.spans, by: \.context.traceID)
        #expect(traces.count == 200)
        #expect(traces.values.allSatisfy { $0.count == 13 && Set($0.map(\.context.traceState)).count == 1 })
        #expect(traces.values.allSatisfy { Set($0.map(\.context.isSampled)).count == 1 })
        #expect((1..<200).contains(traces.values.filter { $0[0].context.isSampled }.count))
    }

    /// A root with three children in a group, each with a child in a task of its own and two more.
    private static func trace(_ tracer: Tracer, _ setRate: @escaping @Sendable (Double) -> Void) async {
        await tracer.withSpan("root") { root in
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<3 {
                    group.addTask {
                        await tracer.withSpan("child") { _ in
                            setRate(Double(number) * 0.3 + 0.2)
                            await Task.yield()
                            await Task { tracer.withSpan("task") { _ in } }.value
                            tracer.spanBuilder("builder").startSpan().end()
                            await tracer.withSpan("grandchild") { _ in await Task.yield() }
                        }
                    }
                }
            }
            #expect(TelemetryContext.current.span?.context == root.context)
        }
    }

    @Test func `without sessions the sampler's life counts as one`() {
        let decisions = (0..<64).map { _ in SessionSampler(rate: 0.5).isSampling }
        // 64 equal ones come once in 2^63 runs.
        #expect(Set(decisions).count == 2)
        let sampler = SessionSampler(rate: 0.5)
        #expect(Set((0..<20).map { _ in isSampled(sampler) }).count == 1)
    }

    @Test(arguments: [0, -1, .nan] as [Double])
    func `nothing is recorded at no rate`(rate: Double) {
        #expect(!SessionSampler(rate: rate, session: "any").isSampling)
        #expect(SessionSampler(rate: rate).rate == 0)
    }

    @Test func `it describes itself`() {
        #expect(SessionSampler(rate: 0.25).description == "SessionSampler{0.25}")
    }
}

extension SpanContext {
    /// The trace state that a parent-based sampler would pass on.
    fileprivate static func consistent(_ context: SpanContext) -> TraceState { context.consistentTraceState }
}
