import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeRecording

extension ProcessWideState {
    @Suite struct KeptErrorTests {
        private struct Declined: Error, CustomStringConvertible {
            var description: String { "card declined" }
        }

        let recorder = Recorder(sampler: SessionSampler(rate: 0), ambient: ["session.id": "s-1"])

        private func attempt(_ body: () throws -> Void) {
            do { try body() } catch {}
        }

        @Test func `of a trace that was sampled out, the span that fails and the local root are kept, and no other`()
            throws
        {
            var context = SpanContext.invalid
            attempt {
                try recorder.tracer.withSpan("checkout", kind: .client, attributes: ["items": 3]) { root in
                    context = root.context
                    recorder.time.advance(by: 5_000_000)
                    recorder.tracer.withSpan("quote") { _ in }
                    try recorder.tracer.withSpan("charge", attributes: ["currency": "EUR"]) { span in
                        recorder.time.advance(by: 7_000_000)
                        span.setAttribute("lost", "set in between")
                        throw Declined()
                    }
                }
            }
            let spans = try recorder.spans
            try #require(spans.map(\.name) == ["charge", "checkout"])
            #expect(spans.allSatisfy { $0.context.traceID == context.traceID && $0.status == .error("card declined") })
            #expect(spans[1].context.spanID == context.spanID && spans[1].parentSpanID == .invalid)
            #expect(spans[0].context.spanID != context.spanID && spans[0].parentSpanID == context.spanID)
            #expect(spans.map(\.kind) == [.internal, .client])
            #expect(
                spans[0].attributes == [
                    "session.id": "s-1", "astrolabe.sampling.kept_by": "error", "currency": "EUR",
                ])
            #expect(spans[1].attributes["items"] == 3)
            #expect(try spans[0].events.only.attributes["exception.message"] == "card declined")
            // The start has a resolution of 2^20 ns.
            #expect((7_000_000..<8_100_000).contains(spans[0].durationNano))
            #expect((12_000_000..<13_100_000).contains(spans[1].durationNano))
            #expect(recorder.headers.map(\.priority) == [.high, .high])
            #expect(recorder.core.sampledOut == 3 && recorder.core.keptByError == 2)
        }

        @Test func `a root is kept for an error that was caught inside it`() throws {
            recorder.tracer.withSpan("load", attributes: ["screen": "home"]) { _ in
                recorder.tracer.withSpan("request") { _ in
                    attempt { try recorder.tracer.withSpan("parse") { _ in throw Declined() } }
                }
            }
            let spans = try recorder.spans
            try #require(spans.map(\.name) == ["parse", "load"])
            #expect(spans[1].status == .unset && spans[1].events.isEmpty)
            #expect(spans[1].attributes["astrolabe.sampling.kept_by"] == "error")
            #expect(spans[1].attributes["screen"] == "home")
            #expect(recorder.headers.map(\.priority) == [.high, .high])
        }

        @Test func `the record claims no probability and says that it was not sampled`() throws {
            attempt { try recorder.tracer.withSpan("root") { _ in throw Declined() } }
            let span = try recorder.span
            #expect(span.context.traceState.isEmpty)
            #expect(span.context.flags == [.random])
        }

        @Test func `a trace without an error is not kept, whatever failed before and beside it`() throws {
            recorder.tracer.withSpan("good") { _ in
                attempt { try recorder.tracer.spanBuilder("bad").setNoParent().startSpan().failAndEnd(Declined()) }
                recorder.tracer.withSpan("child") { _ in }
            }
            recorder.tracer.withSpan("later") { _ in }
            #expect(try recorder.spans.map(\.name) == ["bad"])
        }

        @Test func `cancellation and an ok status are no errors`() throws {
            attempt { try recorder.tracer.withSpan("cancelled") { _ in throw CancellationError() } }
            recorder.tracer.withSpan("ok") { $0.setStatus(.ok) }
            #expect(try recorder.spans.isEmpty)
        }

        @Test func `a status and an exception that a span is told keep it`() throws {
            let first = recorder.tracer.spanBuilder("status").setSpanKind(.producer).startSpan()
            first.setStatus(.error("broken"))
            #expect(!first.isRecording)
            first.end()
            let second = recorder.tracer.spanBuilder("exception").startSpan()
            second.recordException(Declined(), attributes: ["attempt": 2])
            second.end(timeUnixNano: recorder.time.now + 900_000_000)

            let spans = try recorder.spans
            try #require(spans.map(\.name) == ["status", "exception"])
            #expect(spans[0].status == .error("broken") && spans[0].kind == .producer)
            #expect(spans[1].status == .unset)
            #expect(try spans[1].events.only.attributes["attempt"] == 2)
            #expect((900_000_000..<902_000_000).contains(spans[1].durationNano))
        }

        @Test func `what its builder said is kept: attributes, links and the start`() throws {
            let other = SpanContext(traceID: TraceID(high: 1, low: 2), spanID: SpanID(3))
            let span = recorder.tracer.spanBuilder("any").setAttribute("key", "value").addLink(other)
                .setStartTime(timeUnixNano: 12_345).startSpan()
            span.recordException(Declined())
            span.end(timeUnixNano: 23_456)
            let data = try recorder.span
            #expect(data.attributes["key"] == "value")
            #expect(data.links.map(\.context.spanID) == [SpanID(3)])
            #expect(data.startTimeUnixNano == 12_345 && data.endTimeUnixNano == 23_456)
        }

        @Test func `a child does not take what its parent's builder said for its own`() throws {
            let parent = recorder.tracer.spanBuilder("parent").setAttribute("of", "parent").startSpan()
            let child = recorder.tracer.spanBuilder("child").setParent(parent).startSpan()
            try child.failAndEnd(nil)
            parent.end()
            let spans = try recorder.spans
            try #require(spans.map(\.name) == ["child", "parent"])
            #expect(spans.map { $0.attributes["of"] } == [nil, "parent"])
            #expect(spans[0].parentSpanID == parent.context.spanID)
        }

        @Test func `an exception that is recorded on the current span keeps the local root`() throws {
            recorder.tracer.withSpan("root") { _ in
                recorder.tracer.withSpan("child") { _ in TelemetryContext.current.span?.recordException(Declined()) }
            }
            let data = try recorder.span
            #expect(data.name == "root")
            #expect(try data.events.only.attributes["exception.message"] == "card declined")
        }

        @Test func `an active span that was sampled out is kept, and so is what fails inside it`() throws {
            let active = recorder.tracer.spanBuilder("active").setActive(true).startSpan()
            attempt { try recorder.tracer.withSpan("child") { _ in throw Declined() } }
            TelemetryContext.current.span?.setStatus(.error("of the active span"))
            active.end()
            let spans = try recorder.spans
            try #require(spans.map(\.name) == ["child", "active"])
            #expect(spans[0].parentSpanID == active.context.spanID)
            #expect(spans[1].status == .error("of the active span"))
        }

        @Test func `a span that ends twice is recorded once`() throws {
            recorder.tracer.withSpan("root") { span in
                span.setStatus(.error("early"))
                span.end()
                span.setStatus(.error("late"))
                span.end()
            }
            #expect(try recorder.span.status == .error("early"))
        }

        @Test func `a local root is kept though it ended before its trace failed, as a tap that starts a request`()
            throws
        {
            var start: UInt64 = 0
            let late = recorder.tracer.withSpan("tap", kind: .consumer) { _ in
                start = recorder.time.now
                recorder.time.advance(by: 20_000_000)
                return recorder.tracer.spanBuilder("request").startSpan()
            }
            let end = recorder.time.now
            recorder.time.advance(by: 3_000_000_000)
            recorder.tracer.withSpan("other") { _ in }
            try late.failAndEnd(Declined())
            late.recordException(Declined())
            late.end()

            let spans = try recorder.spans
            try #require(spans.map(\.name) == ["tap", "request"])
            #expect(spans[1].parentSpanID == spans[0].context.spanID)
            #expect(spans[0].kind == .consumer && spans[0].status == .unset)
            #expect(spans[0].startTimeUnixNano <= start && spans[0].startTimeUnixNano + 1_100_000 > start)
            #expect(spans[0].endTimeUnixNano == end)
            #expect(spans[1].durationNano >= 3_000_000_000)
            #expect(recorder.core.keptByError == 2)
        }

        @Test func `so it is where another process sampled the trace out, or its id did`() throws {
            let remote = SpanContext(traceID: TraceID(high: 1, low: 2), spanID: SpanID(3), isRemote: true)
            for recorder in [Recorder(), Recorder(sampler: ParentBasedSampler(root: RatioSampler(0)))] {
                let late = TelemetryContext(span: .nonRecording(remote)).withValue {
                    recorder.tracer.withSpan("server") { _ in recorder.tracer.spanBuilder("late").startSpan() }
                }
                try late.failAndEnd(nil)
                let spans = try recorder.spans
                try #require(spans.map(\.name) == ["server", "late"])
                #expect(spans[0].parentSpanID == remote.spanID)
            }
        }

        @Test func `of a root that ended too long ago, the span that fails is kept alone`() throws {
            let late = recorder.tracer.withSpan("root") { _ in recorder.tracer.spanBuilder("late").startSpan() }
            for _ in 0..<1_000 { recorder.tracer.withSpan("other") { _ in } }
            try late.failAndEnd(Declined())
            #expect(try recorder.span.name == "late")
        }

        @Test func `the local root of a trace that another process did not sample keeps its parent there`() throws {
            let recorder = Recorder()
            let remote = SpanContext(
                traceID: TraceID(high: 1, low: 0x20_0000_0000_0000), spanID: SpanID(3),
                traceState: try #require(TraceState(header: "ot=th:c;x:1,vendor=1")), isRemote: true, )
            TelemetryContext(span: .nonRecording(remote)).withValue {
                recorder.tracer.withSpan("server", kind: .server) { _ in
                    attempt { try recorder.tracer.withSpan("child") { _ in throw Declined() } }
                }
            }
            let spans = try recorder.spans
            try #require(spans.map(\.name) == ["child", "server"])
            #expect(spans[1].parentSpanID == remote.spanID)
            #expect(spans[0].parentSpanID == spans[1].context.spanID)
            #expect(spans.allSatisfy { $0.context.traceID == remote.traceID })
            #expect(spans.allSatisfy { $0.context.traceState.header == "ot=x:1,vendor=1" })
        }

        @Test func `a root that was sampled out by its trace id is kept with that id`() throws {
            let recorder = Recorder(sampler: ParentBasedSampler(root: RatioSampler(0)))
            var context = SpanContext.invalid
            attempt {
                try recorder.tracer.withSpan("root") { root in
                    context = root.context
                    try recorder.tracer.withSpan("child") { _ in throw Declined() }
                }
            }
            let spans = try recorder.spans
            try #require(spans.map(\.name) == ["child", "root"])
            #expect(spans[1].context.spanID == context.spanID && spans[0].parentSpanID == context.spanID)
        }

        @Test func `nothing is kept where that is not wanted`() throws {
            for recorder in [
                Recorder(sampler: SessionSampler(rate: 0), keepsErrors: false),
                Recorder(sampler: AlwaysOffSampler()), Recorder(sampler: ParentBasedSampler(root: AlwaysOffSampler())),
            ] {
                attempt {
                    try recorder.tracer.withSpan("root") { root in
                        root.recordException(Declined())
                        TelemetryContext.current.span?.recordException(Declined())
                        try recorder.tracer.withSpan("child") { _ in throw Declined() }
                    }
                }
                #expect(try recorder.spans.isEmpty)
                #expect(recorder.core.keptByError == 0)
            }
        }

        @Test func `errors' texts are redacted`() throws {
            struct LoginFailure: Error { let user = "ada@example.com" }
            attempt {
                try recorder.tracer.withSpan("login", attributes: ["who": "ada@example.com"]) { _ in
                    throw LoginFailure()
                }
            }
            #expect(try !"\(recorder.span)".contains("ada@"))
        }

        @Test func `on the system's clock a span starts when it started, to a few milliseconds`() throws {
            let sink = MemorySink()
            let core = RecordingCore(sink: sink, sampler: SessionSampler(rate: 0))
            let tracer = Tracer(core: core, scope: InstrumentationScope(name: "test"))
            let before = core.clock.now
            // The time of the system's last tick, from which starts are known.
            let roughBefore = core.time(ofRough: core.roughNow)
            attempt {
                try tracer.withSpan("root") { _ in
                    try tracer.withSpan("child") { _ in
                        let began = core.clock.now
                        while core.clock.now < began + 50_000_000 {}
                        throw Declined()
                    }
                }
            }
            let after = core.clock.now
            #expect(roughBefore + 1_000_000_000 > before && roughBefore <= after)
            let spans = try sink.spans
            try #require(spans.map(\.name) == ["child", "root"])
            #expect(spans[0].startTimeUnixNano >= spans[1].startTimeUnixNano)
            for span in spans {
                // The start is cut to 2^20 ns, and the offset between the clocks to a millisecond.
                #expect(span.startTimeUnixNano + 3_000_000 > roughBefore && span.startTimeUnixNano <= after)
                #expect(span.endTimeUnixNano >= before && span.endTimeUnixNano <= after)
                #expect(span.durationNano >= 50_000_000)
            }
        }

        @Test func `a span that outlives its core does nothing more`() {
            let span: Tracer.Span
            do { span = Recorder(sampler: SessionSampler(rate: 0)).tracer.spanBuilder("late").startSpan() }
            span.recordException(Declined())
            span.end()
            #expect(span.context.isValid && !span.isRecording)
        }

        @Test func `the same error is kept twenty times in a session, others still are, and so is it in the next one`()
            throws
        {
            let lines = Locked<[String]>([])
            let recorder = Recorder(
                sampler: SessionSampler(rate: 0), ambient: ["session.id": "s-1"],
                onDiagnostic: { line in lines.withLock { $0.append(line) } }, )
            func poll() {
                recorder.tracer.withSpan("poll") { _ in
                    recorder.tracer.withSpan("GET") { $0.setStatus(.error("HTTP 404")) }
                }
            }
            for _ in 0..<100 { poll() }
            #expect(try recorder.spans.count == 40, "each with its root")
            #expect(recorder.core.sampledOut == 200 && recorder.core.keptByError == 40)
            #expect(lines.withLock { $0.count } == 1)
            recorder.tracer.withSpan("GET") { $0.setStatus(.error("HTTP 500")) }
            attempt { try recorder.tracer.withSpan("GET") { _ in throw Declined() } }
            #expect(try recorder.spans.count == 42)
            recorder.core.ambient.set(AttributeKey.sessionID, to: "s-2")
            poll()
            #expect(try recorder.spans.count == 44)
        }

        @Test func `a server, which has no session, keeps each error`() throws {
            let recorder = Recorder(sampler: ParentBasedSampler(root: RatioSampler(0)))
            for _ in 0..<100 { recorder.tracer.withSpan("GET") { $0.setStatus(.error("HTTP 404")) } }
            #expect(try recorder.spans.count == 100)
        }

        @Test func `failures of spans that never end are forgotten in the end`() throws {
            for _ in 0..<1_000 { recorder.tracer.spanBuilder("leaked").startSpan().recordException(Declined()) }
            attempt { try recorder.tracer.withSpan("kept") { _ in throw Declined() } }
            #expect(try recorder.span.name == "kept")
        }
    }
}

extension Tracer.Span {
    /// Records an error, or sets the status if `error` is `nil`, and ends the span.
    fileprivate func failAndEnd(_ error: (any Error)?) throws {
        if let error { recordException(error) } else { setStatus(.error("")) }
        end()
    }
}
