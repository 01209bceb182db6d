import AstrolabeSemantics
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

/// Records of a server in traces that their caller did not sample, and what asks for them.
@Suite struct FlightRecorderServerTests {
    private let recorder = Recorder(triggers: RecorderTriggers(), recorderKey: .trace)
    private let caller = SpanContext(
        traceID: TraceID(high: 1, low: 2), spanID: SpanID(3), isSampled: false, isRemote: true)

    private func start(_ name: String) -> Tracer.Span {
        recorder.tracer.spanBuilder(name).setSpanKind(.server).setParent(caller).startSpan()
    }

    private var requests: [LogRecordData] {
        get throws { try recorder.logRecords.filter { $0.eventName == EventName.recorderPromotion } }
    }

    @Test func `spans and lines are for the recorder, errors are sent, and ask for their trace`() throws {
        let span = start("POST /api/cart")
        recorder.events.emit("", body: "line", context: span.context)
        recorder.events.emit("", severity: .error, body: "failed", context: span.context)
        span.end()
        #expect(try recorder.span.context.traceID == caller.traceID)
        #expect(try recorder.span.parentSpanID == caller.spanID && !recorder.span.context.isSampled)
        // The line, the error, its request and the span.
        #expect(recorder.headers.map(\.isSampledOut) == [true, false, true, true])
        let request = try requests.only
        #expect(request.traceID == caller.traceID)
        #expect(request.attributes[AttributeKey.astrolabeRecorderTrigger] == "error")
        #expect(request.attributes[AttributeKey.sessionID] == nil)
    }

    @Test func `a span that fails asks for its trace`() throws {
        let span = start("POST /api/cart")
        span.setAttribute(AttributeKey.httpRequestMethod, "POST")
        span.setAttribute(AttributeKey.httpResponseStatusCode, 503)
        span.setStatus(.error(""))
        span.end()
        let request = try requests.only
        #expect(request.traceID == caller.traceID)
        #expect(request.attributes[AttributeKey.astrolabeRecorderTrigger] == "http")
    }

    @Test func `an error outside of a trace, or in one that is sampled, asks for nothing`() throws {
        recorder.events.emit("", severity: .error, body: "outside")
        recorder.tracer.withSpan("sampled") { span in
            recorder.events.emit("", body: "line")
            recorder.events.emit("", severity: .error, body: "inside")
            #expect(!recorder.core.keepRecording(.app, at: 1, context: span.context))
        }
        #expect(!recorder.core.keepRecording(.app, at: 1))
        #expect(try requests.isEmpty)
        #expect(recorder.headers.allSatisfy { !$0.isSampledOut })
    }

    @Test func `while the recorder is off, lines are sent and spans are not recorded`() throws {
        recorder.core.recordSampledOut(false)
        let span = start("POST /api/cart")
        #expect(!span.isRecording)
        recorder.events.emit("", body: "line", context: span.context)
        span.end()
        #expect(recorder.headers.map(\.isSampledOut) == [false])
    }

    @Test func `another program can ask for 1,000 traces in an hour, each once`() {
        let answers = (UInt64(1)...1_001).map { number in
            recorder.core.keepRecording(
                .remote, at: recorder.time.now,
                context: SpanContext(traceID: TraceID(high: 7, low: number), spanID: .invalid))
        }
        #expect(answers.filter(\.self).count == 1_000)
        recorder.time.advance(by: 3_600_000_000_000)
        let again = SpanContext(traceID: caller.traceID, spanID: .invalid)
        #expect(recorder.core.keepRecording(.remote, at: recorder.time.now, context: again))
        #expect(!recorder.core.keepRecording(.remote, at: recorder.time.now, context: again))
    }
}
