import AstrolabePlatform
import AstrolabeSemantics
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

/// Spans of sampled-out sessions as they go to the flight recorder, and what asks that to keep them.
@Suite struct FlightRecorderSpanTests {
    private struct Declined: Error, CustomStringConvertible {
        var description: String { "card declined" }
    }

    private func recorder(_ change: (inout RecorderTriggers) -> Void = { _ in }) -> Recorder {
        var triggers = RecorderTriggers()
        change(&triggers)
        return Recorder(
            sampler: SessionSampler(rate: 0), ambient: [AttributeKey.sessionID: "s-1"], triggers: triggers)
    }

    /// The triggers of all requests so far.
    private func requests(_ recorder: Recorder) throws -> [String?] {
        try recorder.logRecords.filter { $0.eventName == EventName.recorderPromotion }
            .map { $0.attributes[AttributeKey.astrolabeRecorderTrigger]?.stringValue }
    }

    @Test func `a span is recorded as any other, without the sampled flag and a probability`() throws {
        let recorder = recorder()
        recorder.tracer.withSpan("root", attributes: ["n": 1]) { root in
            #expect(root.isRecording && root.context.flags == [.random])
            recorder.tracer.withSpan("child") { child in
                child.setAttribute("late", 2)
                #expect(child.context.traceID == root.context.traceID && child.context.spanID != root.context.spanID)
            }
        }
        let spans = try recorder.spans
        #expect(spans.map(\.name) == ["child", "root"])
        #expect(spans[0].attributes["late"] == 2 && spans[0].parentSpanID == spans[1].context.spanID)
        #expect(spans[1].attributes["n"] == 1 && spans[1].attributes[AttributeKey.sessionID] == "s-1")
        #expect(spans.allSatisfy { !$0.context.isSampled && $0.context.traceState.isEmpty })
        #expect(recorder.headers.allSatisfy { $0.isSampledOut })
        #expect(try requests(recorder).isEmpty)
    }

    @Test func `what an app's sampler leaves out loses the probability that it names`() throws {
        struct Named: Sampler {
            var description: String { "Named" }
            func shouldSample(_: SamplingInput) -> SamplingResult {
                SamplingResult(.drop, traceState: TraceState().setting("ot", to: "th:8;rv:12345678901234"))
            }
        }
        let recorder = Recorder(sampler: Named(), triggers: RecorderTriggers())
        recorder.tracer.withSpan("root") { _ in }
        #expect(try recorder.span.context.traceState.header == "ot=rv:12345678901234")
    }

    @Test func `a span that fails makes one request, however many fail soon after`() throws {
        let recorder = recorder()
        _ = try? recorder.tracer.withSpan("checkout") { _ in
            try recorder.tracer.withSpan("charge") { _ in throw Declined() }
        }
        recorder.events.emit("demo.failed", severity: .error)
        let request = try recorder.logRecords.filter { $0.eventName == EventName.recorderPromotion }.only
        #expect(request.attributes[AttributeKey.astrolabeRecorderTrigger] == "error")
        #expect(request.attributes[AttributeKey.sessionID] == "s-1")
        #expect(request.attributes[AttributeKey.astrolabeRecorderID]?.stringValue?.isEmpty == false)
        #expect(try request.traceID == recorder.spans[0].context.traceID)
        let header = try recorder.headers.filter { $0.kind == .event && $0.isSampledOut }.only
        #expect(header.priority == .critical)
        recorder.time.advance(by: 31_000_000_000)
        recorder.events.emit("demo.failed", severity: .error)
        #expect(try requests(recorder) == ["error", "error"])
    }

    @Test(arguments: [(500, "http"), (503, "http"), (404, nil), (0, nil)] as [(Int, String?)])
    func `a failed request is a trigger if the server or the time is at fault`(status: Int, trigger: String?) throws {
        let recorder = recorder()
        let span = recorder.tracer.spanBuilder("POST").setSpanKind(.client).startSpan()
        span.setAttribute(AttributeKey.httpRequestMethod, "POST")
        if status > 0 { span.setAttribute(AttributeKey.httpResponseStatusCode, status) }
        span.setStatus(.error("no"))
        span.end()
        #expect(try requests(recorder) == (trigger.map { [$0] } ?? []))
        recorder.time.advance(by: 60_000_000_000)
        let late = recorder.tracer.spanBuilder("POST").setSpanKind(.client).startSpan()
        late.setAttribute(AttributeKey.httpRequestMethod, "POST")
        late.setAttribute(AttributeKey.errorType, "timeout")
        late.setStatus(.error("timed out"))
        late.end()
        #expect(try requests(recorder).last == "http")
    }

    @Test func `a span over the bound is a trigger`() throws {
        let recorder = recorder { $0.slowSpans = .milliseconds(500) }
        recorder.tracer.withSpan("quick") { _ in recorder.time.advance(by: 500_000_000) }
        #expect(try requests(recorder).isEmpty)
        recorder.tracer.withSpan("slow") { _ in recorder.time.advance(by: 500_000_001) }
        #expect(try requests(recorder) == ["slow"])
    }

    @Test func `triggers that are off, and those beyond their number in an hour, ask for nothing`() throws {
        let off = recorder { $0.errors = false }
        _ = try? off.tracer.withSpan("charge") { _ in throw Declined() }
        #expect(try requests(off).isEmpty)
        let few = recorder { $0.limitPerHour = 2 }
        for _ in 0..<5 {
            few.time.advance(by: 31_000_000_000)
            few.events.emit("demo.failed", severity: .error)
        }
        #expect(try requests(few) == ["error", "error"])
        few.core.keepRecording(.app, at: few.time.now, reason: "feedback")
        #expect(try requests(few).last == "app")
        few.time.advance(by: 3_600_000_000_000)
        few.events.emit("demo.failed", severity: .error)
        #expect(try requests(few).count == 4)
    }

    @Test(arguments: [("SIGSEGV", "crash"), ("NSRangeException", "exception")])
    func `a crash of an earlier run asks for the session that crashed`(type: String, trigger: String) throws {
        let recorder = recorder()
        recorder.events.emit(
            earlier: EventName.appCrash, severity: .fatal,
            attributes: [AttributeKey.sessionID: "s-0", AttributeKey.exceptionType: type],
            timeUnixNano: 7, context: .invalid, priority: .critical)
        let request = try recorder.logRecords.filter { $0.eventName == EventName.recorderPromotion }.only
        #expect(request.attributes[AttributeKey.astrolabeRecorderTrigger]?.stringValue == trigger)
        #expect(request.attributes[AttributeKey.sessionID] == "s-0")
        #expect(request.timeUnixNano == 7)
    }

    @Test func `a session that ends is looked at for each flow`() throws {
        let recorder = recorder {
            $0.abandonedFlows = [.init(from: "Cart", to: "Confirmation"), .init(from: "Login", to: "Home")]
        }
        recorder.core.keepAbandonedFlows(ofSession: "s-0", endedAt: 7)
        #expect(try requests(recorder) == ["flow", "flow"])
        let attributes = try recorder.logRecords[0].attributes
        #expect(attributes[AttributeKey.sessionID] == "s-0")
        #expect(attributes[AttributeKey.astrolabeRecorderFlowTo] == "Confirmation")
    }

    @Test func `the reason of the app is redacted`() throws {
        let recorder = recorder()
        recorder.core.keepRecording(.app, at: recorder.time.now, reason: "call ada@example.com")
        let reason = try recorder.logRecord.attributes[AttributeKey.astrolabeRecorderReason]?.stringValue ?? ""
        #expect(!reason.contains("ada@example.com"))
    }

    @Test func `while consent is denied, nothing is recorded or asked for`() throws {
        let recorder = recorder()
        let span = recorder.tracer.spanBuilder("open").startSpan()
        recorder.core.refuse()
        span.setStatus(.error("no"))
        span.end()
        recorder.tracer.withSpan("after") { _ in }
        #expect(!recorder.core.keepRecording(.app, at: 1))
        #expect(recorder.rawRecords.isEmpty)
    }

    @Test func `nothing is recorded with a sampler that is off`() {
        let recorder = Recorder(sampler: AlwaysOffSampler(), triggers: RecorderTriggers())
        recorder.tracer.withSpan("root") { #expect(!$0.isRecording) }
        #expect(!recorder.core.keepRecording(.app, at: 1))
        #expect(recorder.rawRecords.isEmpty)
    }
}
