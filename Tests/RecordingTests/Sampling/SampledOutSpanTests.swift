import AstrolabePlatform
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

/// Spans of sampled-out sessions while there is no flight recorder, or while it is off.
@Suite struct SampledOutSpanTests {
    private struct Declined: Error {}

    let recorder = Recorder(sampler: SessionSampler(rate: 0))

    private var current: SpanContext { TelemetryContext.current.span?.context ?? .invalid }

    @Test func `spans of the session are none: they record nothing and are the parent of nothing`() async throws {
        await recorder.tracer.withSpan("root") { root in
            #expect(!root.context.isValid && !root.isRecording)
            #expect(current == .invalid)
            recorder.tracer.withSpan("child") { #expect(!$0.context.isValid) }
            #expect(!recorder.tracer.spanBuilder("other").startSpan().context.isValid)
            await Task { #expect(current == .invalid) }.value
        }
        _ = try? recorder.tracer.withSpan("failing") { _ in throw Declined() }
        #expect(recorder.rawRecords.isEmpty)
    }

    @Test func `a span that names itself to another process says that nothing is recorded`() throws {
        var baggage = Baggage()
        baggage["session.id"] = "s-1"
        TelemetryContext.withBaggage(baggage) {
            recorder.tracer.withSpan("root") { _ in
                recorder.tracer.withSpan("GET", kind: .client) { span in
                    var headers: [String: String] = [:]
                    CompositePropagator.w3c.inject(.current) { headers[$0] = $1 }
                    #expect(headers["traceparent"] == "00-\(span.context.traceID)-\(span.context.spanID)-02")
                    #expect(headers["tracestate"] == nil)
                    #expect(headers["baggage"] == "session.id=s-1")
                }
            }
        }
        #expect(try recorder.spans.isEmpty)
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

    @Test func `a span of another tracer follows a trace whose sampler left it out by its id`() throws {
        let recorder = Recorder(sampler: RatioSampler(0))
        let recording = Recorder()
        var baggage = Baggage()
        baggage["key"] = "value"
        recorder.tracer.withSpan("root") { root in
            #expect(root.context.isValid && !root.isRecording && current == root.context)
            TelemetryContext.withBaggage(baggage) {
                recording.tracer.withSpan("child") { child in
                    #expect(child.context == root.context && !child.isRecording)
                    #expect(TelemetryContext.current.baggage["key"] == "value")
                }
            }
            #expect(TelemetryContext.current.baggage.isEmpty)
        }
        #expect(try recording.spans.isEmpty)
    }

    @Test func `a trace that another process records is recorded here too`() throws {
        let remote = SpanContext(
            traceID: TraceID(high: 1, low: 2), spanID: SpanID(3), flags: [.sampled], isRemote: true)
        TelemetryContext(span: .nonRecording(remote)).withValue {
            recorder.tracer.withSpan("server", kind: .server) { _ in recorder.tracer.withSpan("child") { _ in } }
        }
        #expect(try recorder.spans.map(\.name) == ["child", "server"])
        #expect(try recorder.spans.last?.parentSpanID == remote.spanID)
    }

    @Test func `a trace that another process does not record passes through with its context`() throws {
        let state = try #require(TraceState(header: "vendor=1"))
        let remote = SpanContext(
            traceID: TraceID(high: 1, low: 2), spanID: SpanID(3), traceState: state, isRemote: true)
        let recorder = Recorder()
        TelemetryContext(span: .nonRecording(remote)).withValue {
            recorder.tracer.withSpan("server", kind: .server) { server in
                #expect(server.context == remote && current == remote)
                recorder.tracer.withSpan("child") { #expect($0.context == remote && !$0.isRecording) }
            }
        }
        #expect(try recorder.spans.isEmpty)
    }

    @Test func `the recorder that is turned off in the middle of a trace leaves its children out`() throws {
        let recorder = Recorder(sampler: SessionSampler(rate: 0), triggers: RecorderTriggers())
        recorder.tracer.withSpan("root") { root in
            recorder.tracer.withSpan("before") { _ in }
            recorder.core.recordSampledOut(false)
            recorder.tracer.withSpan("after") { child in
                #expect(!child.isRecording && child.context.traceID == root.context.traceID)
                child.setAttribute("of.child", 1)
            }
        }
        recorder.core.recordSampledOut(true)
        recorder.tracer.withSpan("again") { _ in }
        #expect(try recorder.spans.map(\.name) == ["before", "again"])
    }
}
