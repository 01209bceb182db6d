import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct SpanTests {
    let recorder = Recorder()

    @Test func `a span records its name, kind and times`() throws {
        let span = recorder.tracer.spanBuilder("checkout").setSpanKind(.client).startSpan()
        recorder.time.advance(by: 250)
        span.end()

        let data = try recorder.span
        #expect(data.name == "checkout")
        #expect(data.kind == .client)
        #expect(data.endTimeUnixNano - data.startTimeUnixNano == 250)
        #expect(data.status == .unset)
        #expect(data.attributes.isEmpty && data.events.isEmpty && data.links.isEmpty)
        #expect(try recorder.headers.only.kind == .span)
        #expect(recorder.scopes.map(\.name) == ["test"] && recorder.scopes.map(\.version) == ["1"])
    }

    @Test(arguments: SpanKind.allCases)
    func `every kind reaches the record`(kind: SpanKind) throws {
        recorder.tracer.spanBuilder("any").setSpanKind(kind).startSpan().end()
        #expect(try recorder.span.kind == kind)
    }

    @Test func `a kind that nobody sets is internal`() throws {
        recorder.tracer.spanBuilder("any").startSpan().end()
        #expect(try recorder.span.kind == .internal)
    }

    @Test func `a root has a new valid trace, random and sampled, and no parent`() throws {
        recorder.tracer.spanBuilder("first").startSpan().end()
        recorder.tracer.spanBuilder("second").startSpan().end()

        let spans = try recorder.spans
        #expect(spans.allSatisfy { $0.context.isValid && $0.parentSpanID == .invalid })
        #expect(spans.allSatisfy { $0.context.flags == [.sampled, .random] })
        #expect(spans[0].context.traceID != spans[1].context.traceID)
        #expect(spans[0].context.spanID != spans[1].context.spanID)
    }

    @Test func `what is recorded is what the span says of itself`() throws {
        let span = recorder.tracer.spanBuilder("any").startSpan()
        span.end()
        #expect(try recorder.span.context == span.context)
    }

    @Test func `a child of a local span shares its trace and names it as parent`() throws {
        let parent = recorder.tracer.spanBuilder("parent").startSpan()
        let child = recorder.tracer.spanBuilder("child").setParent(parent).startSpan()
        child.end()
        parent.end()

        let data = try #require(try recorder.spans.first)
        #expect(data.context.traceID == parent.context.traceID)
        #expect(data.parentSpanID == parent.context.spanID)
        #expect(data.context.spanID != parent.context.spanID)
    }

    @Test func `a child of a remote span keeps its trace state`() throws {
        let state = try #require(TraceState(header: "vendor=1,other=2"))
        let remote = SpanContext(
            traceID: TraceID(high: 1, low: 2), spanID: SpanID(3), flags: [.sampled], traceState: state, isRemote: true,
        )
        recorder.tracer.spanBuilder("child").setParent(remote).startSpan().end()

        let data = try recorder.span
        #expect(data.context.traceID == remote.traceID)
        #expect(data.parentSpanID == remote.spanID)
        #expect(data.context.traceState.header == "vendor=1,other=2")
        // The random flag says how the trace id was made, so only the trace's root may set it.
        #expect(data.context.flags == [.sampled])
    }

    @Test func `the parent's whereabouts are in the flags of the record`() throws {
        for isRemote in [false, true] {
            let recorder = Recorder()
            let parent = SpanContext(
                traceID: TraceID(high: 1, low: 2), spanID: SpanID(3), flags: [.sampled], isRemote: isRemote)
            recorder.tracer.spanBuilder("child").setParent(parent).startSpan().end()
            let flags = try #require(try recorder.flagsFieldOfOnlySpan())
            #expect(flags & 0x100 == 0x100)
            #expect((flags & 0x200 == 0x200) == isRemote)
            #expect(flags & 0xFF == 1)
        }
    }

    @Test func `an invalid parent makes a root`() throws {
        recorder.tracer.spanBuilder("root").setParent(.invalid).startSpan().end()
        let halfValid = SpanContext(traceID: TraceID(high: 0, low: 7), spanID: .invalid, flags: [.sampled])
        recorder.tracer.spanBuilder("root").setParent(halfValid).startSpan().end()

        let spans = try recorder.spans
        #expect(spans.allSatisfy { $0.parentSpanID == .invalid && $0.context.isValid })
        #expect(spans[1].context.traceID != halfValid.traceID)
    }

    @Test func `a span without parent is a root inside another span too`() throws {
        recorder.tracer.withSpan("outer") { outer in
            let root = recorder.tracer.spanBuilder("root").setNoParent().startSpan()
            #expect(root.context.traceID != outer.context.traceID)
            root.end()
        }
        #expect(try recorder.spans.first?.parentSpanID == .invalid)
    }

    @Test func `explicit times are taken, and a span never ends before it starts`() throws {
        let early = recorder.tracer.spanBuilder("early").setStartTime(timeUnixNano: 500).startSpan()
        early.end(timeUnixNano: 700)
        let reversed = recorder.tracer.spanBuilder("reversed").setStartTime(timeUnixNano: 500).startSpan()
        reversed.end(timeUnixNano: 300)

        let spans = try recorder.spans
        #expect(spans[0].startTimeUnixNano == 500 && spans[0].endTimeUnixNano == 700)
        #expect(spans[1].startTimeUnixNano == 500 && spans[1].endTimeUnixNano == 500)
        #expect(recorder.headers.map(\.timeUnixNano) == [recorder.time.now, recorder.time.now], "it ages from now")
    }

    @Test func `the last name wins`() throws {
        let span = recorder.tracer.spanBuilder("GET").startSpan()
        span.updateName("GET /api/cart")
        span.updateName("GET /api/products/{id}")
        span.end()
        #expect(try recorder.span.name == "GET /api/products/{id}")
    }

    @Test func `a builder is a value: what is made from a copy leaves the other alone`() throws {
        let base = recorder.tracer.spanBuilder("base").setAttribute("shared", 1)
        let client = base.setSpanKind(.client).setAttribute("own", "client")
        base.startSpan().end()
        client.startSpan().end()
        base.setAttribute("own", "server").startSpan().end()

        let spans = try recorder.spans
        try #require(spans.map(\.kind) == [.internal, .client, .internal])
        #expect(spans[0].attributes == ["shared": 1])
        #expect(spans[1].attributes == ["shared": 1, "own": "client"])
        #expect(spans[2].attributes == ["shared": 1, "own": "server"])
    }

    @Test func `a tracer that is disabled records nothing and passes a parent on`() {
        let parent = SpanContext(traceID: TraceID(high: 1, low: 2), spanID: SpanID(3), flags: [.sampled])
        let span = Tracer.disabled.spanBuilder("any").setParent(parent).setAttribute("a", 1)
            .addLink(parent).startSpan()
        span.setAttribute("key", "value")
        span.recordException(CancellationError())
        span.end()
        #expect(!span.isRecording)
        #expect(span.context == parent)
        #expect(!Tracer.disabled.spanBuilder("any").setActive(true).startSpan().context.isValid)
        #expect(Tracer.disabled.withSpan("any") { $0.context.isValid } == false)
    }
}

extension Recorder {
    /// `Span.flags`, field 16, a fixed32 that the model does not keep whole.
    func flagsFieldOfOnlySpan() throws -> UInt32? {
        try ProtobufFields(rawRecords.only).fixed32(16)
    }
}
