import Astrolabe
import AstrolabeRecording
import Logging
import ServiceContextModule
import Testing
import Tracing

@testable import AstrolabeBridges

/// Our scopes and those of swift-distributed-tracing, one inside the other.
@Suite struct NestingTests {
    let recorder = BridgeRecorder()
    private var ours: AstrolabeRecording.Tracer { recorder.telemetry.tracer("ours") }
    private var currentID: SpanID { TelemetryContext.current.span?.context.spanID ?? .invalid }

    /// Checks that spans nest in this order, outermost first, in one trace.
    private func expectChain(_ names: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let spans = try names.map { try recorder.span($0) }
        #expect(spans.first?.parentSpanID == .invalid, sourceLocation: sourceLocation)
        for (outer, inner) in zip(spans, spans.dropFirst()) {
            #expect(inner.parentSpanID == outer.context.spanID, "\(inner.name)", sourceLocation: sourceLocation)
            #expect(inner.context.traceID == outer.context.traceID, sourceLocation: sourceLocation)
        }
    }

    @Test func `a span of ours is the child of theirs`() throws {
        recorder.tracer.withSpan("theirs") { _ in ours.withSpan("ours") { _ in } }
        try expectChain(["theirs", "ours"])
    }

    @Test func `a span of theirs is the child of ours`() throws {
        ours.withSpan("ours") { _ in recorder.tracer.withSpan("theirs") { _ in } }
        try expectChain(["ours", "theirs"])
    }

    @Test func `they alternate to any depth, and each comes back`() async throws {
        await recorder.tracer.withSpan("1") { _ in
            let first = currentID
            await ours.withSpan("2") { second in
                await recorder.tracer.withSpan("3") { _ in
                    await Task.yield()
                    let third = currentID
                    await ours.withSpan("4") { _ in
                        await Task.yield()
                        recorder.tracer.withSpan("5") { _ in ours.withSpan("6") { _ in } }
                    }
                    #expect(currentID == third)
                }
                #expect(currentID == second.context.spanID)
            }
            #expect(currentID == first)
        }
        #expect(currentID == .invalid)
        try expectChain(["1", "2", "3", "4", "5", "6"])
    }

    @Test func `tasks inherit both`() async throws {
        await recorder.tracer.withSpan("theirs") { _ in
            await ours.withSpan("ours") { _ in
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { recorder.tracer.withSpan("child of ours") { _ in } }
                }
            }
            await Task { ours.withSpan("child of theirs") { _ in } }.value
        }
        try expectChain(["theirs", "ours", "child of ours"])
        try expectChain(["theirs", "child of theirs"])
    }

    @Test func `active spans of ours take part`() throws {
        recorder.tracer.withSpan("theirs") { _ in
            let active = ours.spanBuilder("active").setActive(true).startSpan()
            recorder.tracer.withSpan("inside") { _ in }
            active.end()
            recorder.tracer.withSpan("after") { _ in }
        }
        try expectChain(["theirs", "active", "inside"])
        try expectChain(["theirs", "after"])
    }

    @Test func `a context that is passed is taken at its word`() throws {
        let elsewhere = recorder.tracer.startSpan("elsewhere", context: .topLevel)
        ours.withSpan("ours") { _ in
            recorder.tracer.withSpan("explicit", context: elsewhere.context) { _ in ours.withSpan("inside") { _ in } }
        }
        recorder.tracer.withSpan("theirs") { _ in
            recorder.tracer.withSpan("root", context: .topLevel) { _ in }
        }
        elsewhere.end()
        try expectChain(["elsewhere", "explicit", "inside"])
        #expect(try recorder.span("root").parentSpanID == .invalid)
    }

    @Test func `a context that was kept can be made current again inside a scope of ours`() throws {
        let kept = recorder.tracer.startSpan("kept", context: .topLevel)
        ours.withSpan("ours") { ours in
            ServiceContext.$current.withValue(kept.context) {
                self.ours.withSpan("inside") { _ in }
            }
            #expect(currentID == ours.context.spanID)
        }
        kept.end()
        try expectChain(["kept", "inside"])
    }

    @Test func `spans of many tasks at once do not mix`() async throws {
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<40 {
                group.addTask {
                    await recorder.tracer.withSpan("a\(index)") { _ in
                        await Task.yield()
                        await ours.withSpan("b\(index)") { _ in
                            await Task.yield()
                            recorder.tracer.withSpan("c\(index)") { _ in }
                        }
                    }
                }
            }
        }
        for index in 0..<40 { try expectChain(["a\(index)", "b\(index)", "c\(index)"]) }
    }

    @Test func `baggage is one, whoever sets it`() {
        var context = ServiceContext.topLevel
        context.baggage["session.id"] = "s-1"
        recorder.tracer.withSpan("theirs", context: context) { _ in
            #expect(TelemetryContext.current.baggage["session.id"] == "s-1")
            var changed = TelemetryContext.current.baggage
            changed["cart.id"] = "c-1"
            TelemetryContext.withBaggage(changed) {
                recorder.tracer.withSpan("inner") { span in
                    #expect(span.context.baggage["session.id"] == "s-1")
                    #expect(span.context.baggage["cart.id"] == "c-1")
                    #expect(ServiceContext.current?.baggage["cart.id"] == "c-1")
                }
            }
            TelemetryContext.withBaggage(Baggage()) {
                #expect(TelemetryContext.current.baggage.isEmpty)
            }
            #expect(TelemetryContext.current.baggage.names == ["session.id"])
        }
    }

    @Test func `a trace that is not sampled is recorded in neither, and travels on`() throws {
        let recorder = BridgeRecorder(sampler: ParentBasedSampler(root: AlwaysOffSampler()))
        recorder.tracer.withSpan("theirs") { theirs in
            #expect(!theirs.isRecording)
            recorder.telemetry.tracer("ours").withSpan("ours") { ours in
                #expect(ours.context.isValid && !ours.context.isSampled)
            }
            var headers: [String: String] = [:]
            recorder.tracer.inject(theirs.context, into: &headers, using: HeaderCarrier())
            #expect(headers["traceparent"]?.hasSuffix("-02") == true)
        }
        #expect(try recorder.spans.isEmpty)
    }
}
