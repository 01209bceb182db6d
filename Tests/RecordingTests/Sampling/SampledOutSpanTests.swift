import AstrolabePlatform
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct SampledOutSpanTests {
    let recorder = Recorder(sampler: SessionSampler(rate: 0))

    private var current: SpanContext { TelemetryContext.current.span?.context ?? .invalid }

    @Test func `the local root stands for all spans of its trace, and is current in all of them`() async throws {
        await recorder.tracer.withSpan("root") { root in
            #expect(root.context.isValid && root.context.flags == [.random] && !root.isRecording)
            #expect(current == root.context)
            recorder.tracer.withSpan("child") { child in
                #expect(child.context == root.context)
                #expect(current == root.context)
                #expect(recorder.tracer.spanBuilder("grandchild").startSpan().context == root.context)
            }
            await withTaskGroup(of: SpanContext.self) { group in
                for _ in 0..<10 {
                    group.addTask { await recorder.tracer.withSpan("task") { _ in await Task { current }.value } }
                }
                for await context in group { #expect(context == root.context) }
            }
            #expect(await Task.detached { current }.value == .invalid)
        }
        #expect(current == .invalid)
        #expect(try recorder.spans.isEmpty)
    }

    @Test func `headers are valid, say that nothing is recorded, and leave the baggage as it is`() throws {
        var baggage = Baggage()
        baggage["session.id"] = "s-1"
        TelemetryContext.withBaggage(baggage) {
            recorder.tracer.withSpan("root") { root in
                recorder.tracer.withSpan("child") { _ in
                    var headers: [String: String] = [:]
                    CompositePropagator.w3c.inject(.current) { headers[$0] = $1 }
                    #expect(headers["traceparent"] == "00-\(root.context.traceID)-\(root.context.spanID)-02")
                    #expect(headers["tracestate"] == nil)
                    #expect(headers["baggage"] == "session.id=s-1")
                    #expect(
                        CompositePropagator.w3c.extract { headers[$0] }.span?.context.traceID == root.context.traceID)
                }
            }
        }
    }

    @Test func `no two traces share an identifier, on however many threads they begin`() {
        let contexts = Locked<[SpanContext]>([])
        let recorders = (0..<3).map { _ in Recorder(sampler: SessionSampler(rate: 0)) }
        onThreads(6) { thread in
            let tracer = recorders[thread % 3].tracer
            var own: [SpanContext] = []
            for _ in 0..<1_000 { own.append(tracer.spanBuilder("root").startSpan().context) }
            for _ in 0..<1_000 { tracer.withSpan("root") { own.append($0.context) } }
            contexts.withLock { $0 += own }
        }
        let all = contexts.withLock { $0 }
        #expect(all.allSatisfy { $0.isValid })
        #expect(Set(all.map(\.traceID)).count == 12_000)
        #expect(Set(all.map(\.spanID)).count == 12_000)
        #expect(Set(all.map(\.traceID.high)).count == 12_000)
    }

    @Test func `a root asks once for the end of a session whose time has passed`() {
        let passed = Locked(0)
        let deadline = recorder.core.sessionDeadline
        deadline.whenPassed { passed.withLock { $0 += 1 } }
        deadline.set(recorder.time.now + 60)
        recorder.tracer.withSpan("soon") { _ in }
        #expect(passed.withLock { $0 } == 0)
        recorder.time.advance(by: 60)
        for _ in 0..<2 { recorder.tracer.withSpan("late") { _ in } }
        #expect(passed.withLock { $0 } == 1)
        deadline.set(recorder.time.now + 60)
        deadline.set(nil)
        recorder.time.advance(by: 60)
        recorder.tracer.withSpan("in front") { _ in }
        #expect(passed.withLock { $0 } == 1)
    }

    @Test func `each span that is not recorded is counted, once`() throws {
        onThreads(4) { _ in
            for _ in 0..<250 {
                recorder.tracer.withSpan("root") { _ in
                    recorder.tracer.withSpan("child") { _ in }
                    recorder.tracer.spanBuilder("child").setAttribute("key", 1).startSpan().end()
                }
                recorder.tracer.spanBuilder("root").startSpan().end()
            }
        }
        #expect(recorder.core.sampledOut == 4_000)
        #expect(recorder.core.keptByError == 0)
        #expect(try recorder.spans.isEmpty)
    }

    @Test(
        arguments: [
            AlwaysOffSampler(), ParentBasedSampler(root: AlwaysOffSampler()), RatioSampler(0), SessionSampler(rate: 0),
        ] as [any Sampler])
    func `every sampler's spans are counted`(sampler: any Sampler) {
        let recorder = Recorder(sampler: sampler)
        recorder.tracer.withSpan("root") { _ in recorder.tracer.withSpan("child") { _ in } }
        recorder.tracer.spanBuilder("root").setNoParent().startSpan().end()
        #expect(recorder.core.sampledOut == 3)
    }

    @Test func `spans that are recorded are not counted`() {
        let recorder = Recorder()
        recorder.tracer.withSpan("root") { _ in recorder.tracer.withSpan("child") { _ in } }
        #expect(recorder.core.sampledOut == 0)
    }

    @Test func `attributes are built once where a span is recorded, and not at all where it is not`() async throws {
        let built = Locked(0)
        @Sendable func attributes() -> Attributes {
            built.withLock { $0 += 1 }
            return ["key": "value"]
        }
        recorder.tracer.withSpan("out", attributes: attributes()) { _ in }
        await recorder.tracer.withSpan("out", attributes: attributes()) { _ in await Task.yield() }
        Tracer.disabled.withSpan("disabled", attributes: attributes()) { _ in }
        #expect(built.withLock { $0 } == 0)

        let recording = Recorder()
        recording.tracer.withSpan("in", attributes: attributes()) { _ in }
        #expect(built.withLock { $0 } == 1)
        #expect(try recording.span.attributes == ["key": "value"])
    }

    @Test func `a scope inside keeps its baggage, and one of another tracer follows the trace`() throws {
        let recording = Recorder()
        var baggage = Baggage()
        baggage["key"] = "value"
        recorder.tracer.withSpan("root") { root in
            TelemetryContext.withBaggage(baggage) {
                recording.tracer.withSpan("child") { child in
                    #expect(child.context == root.context && !child.isRecording)
                    #expect(TelemetryContext.current.baggage["key"] == "value")
                }
            }
            #expect(TelemetryContext.current.baggage.isEmpty)
        }
        #expect(try recording.spans.isEmpty)
        #expect(recording.core.sampledOut == 1)
    }

    @Test func `a root inside another context is the current span there`() {
        var baggage = Baggage()
        baggage["key"] = "value"
        TelemetryContext.withBaggage(baggage) {
            recorder.tracer.withSpan("root") { root in
                #expect(current == root.context)
                #expect(TelemetryContext.current.baggage["key"] == "value")
            }
            #expect(current == .invalid)
        }
    }

    @Test func `a trace that another process records is recorded here too`() throws {
        let remote = SpanContext(
            traceID: TraceID(high: 1, low: 2), spanID: SpanID(3), flags: [.sampled], isRemote: true, )
        TelemetryContext(span: .nonRecording(remote)).withValue {
            recorder.tracer.withSpan("server", kind: .server) { _ in recorder.tracer.withSpan("child") { _ in } }
        }
        #expect(try recorder.spans.map(\.name) == ["child", "server"])
        #expect(try recorder.spans.last?.parentSpanID == remote.spanID)
    }

    @Test func `a trace that another process does not record gets a local root with a parent there`() throws {
        let state = try #require(TraceState(header: "vendor=1"))
        let remote = SpanContext(
            traceID: TraceID(high: 1, low: 2), spanID: SpanID(3), traceState: state, isRemote: true, )
        let recorder = Recorder()
        TelemetryContext(span: .nonRecording(remote)).withValue {
            recorder.tracer.withSpan("server", kind: .server) { server in
                #expect(server.context.traceID == remote.traceID)
                #expect(server.context.spanID != remote.spanID && !server.context.isRemote)
                #expect(server.context.traceState == state)
                #expect(current == server.context)
                recorder.tracer.withSpan("child") { #expect($0.context == server.context) }
            }
        }
        #expect(try recorder.spans.isEmpty)
    }

    @Test func `a span that is started in it, recorded elsewhere and ended later follows it too`() async throws {
        let sampler = SessionSampler(rate: 0)
        let recorder = Recorder(sampler: sampler)
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let late = recorder.tracer.withSpan("root") { _ in
            Task {
                for await _ in stream {}
                return recorder.tracer.spanBuilder("late").startSpan().context.isSampled
            }
        }
        sampler.update(rate: 1)
        continuation.finish()
        #expect(await !late.value)
        recorder.tracer.withSpan("next") { _ in }
        #expect(try recorder.spans.map(\.name) == ["next"])
    }
}
