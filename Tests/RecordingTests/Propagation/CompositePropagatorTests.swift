import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct CompositePropagatorTests {
    private func headers(of context: TelemetryContext) -> [String: String] {
        var headers: [String: String] = [:]
        CompositePropagator.w3c.inject(context) { headers[$0] = $1 }
        return headers
    }

    private func extract(_ headers: [String: String]) -> TelemetryContext {
        CompositePropagator.w3c.extract { headers[$0] }
    }

    @Test func `nothing is injected where there is nothing`() {
        #expect(headers(of: TelemetryContext()).isEmpty)
        #expect(headers(of: TelemetryContext(span: .nonRecording(.invalid))).isEmpty)
    }

    @Test func `the sampled flag tells the truth`() {
        let on = Recorder()
        let off = Recorder(sampler: AlwaysOffSampler())
        on.tracer.withSpan("on") { _ in
            #expect(headers(of: .current)["traceparent"]?.hasSuffix("-03") == true)
        }
        off.tracer.withSpan("off") { _ in
            #expect(headers(of: .current)["traceparent"]?.hasSuffix("-02") == true)
        }
    }

    @Test func `context and baggage come back on the other side`() throws {
        let recorder = Recorder()
        var baggage = Baggage()
        baggage["session.id"] = "0197 a"
        try TelemetryContext.withBaggage(baggage) {
            try recorder.tracer.withSpan("client", kind: .client) { span in
                let remote = extract(headers(of: .current))
                #expect(remote.baggage["session.id"] == "0197 a")
                let context = try #require(remote.span?.context)
                #expect(context.traceID == span.context.traceID && context.spanID == span.context.spanID)
                #expect(context.isRemote && context.isSampled)
                #expect(remote.span?.isRecording == false)
            }
        }
    }

    @Test func `trace state is carried on, and dropped alone where it is broken`() {
        let parent = "00-12345678901234567890123456789012-1234567890123456-01"
        let good = extract(["traceparent": parent, "tracestate": "a=1, b=2"])
        #expect(headers(of: good) == ["traceparent": parent, "tracestate": "a=1,b=2"])
        let broken = extract(["traceparent": parent, "tracestate": "a=1,A=2"])
        #expect(headers(of: broken) == ["traceparent": parent])
    }

    @Test func `trace state without a valid parent is not taken, and baggage is`() {
        let context = extract(["traceparent": "00-0-0-0", "tracestate": "a=1", "baggage": "session.id=1"])
        #expect(context.span == nil)
        #expect(headers(of: context) == ["baggage": "session.id=1"])
    }

    @Test func `what one SDK injects another continues`() throws {
        let phone = Recorder(sampler: ParentBasedSampler(root: RatioSampler(1)))
        let server = Recorder()
        phone.tracer.withSpan("GET", kind: .client) { _ in
            extract(headers(of: .current)).withValue {
                server.tracer.withSpan("GET /api/cart", kind: .server) { _ in }
            }
        }
        let client = try phone.span
        let request = try server.span
        #expect(request.parentSpanID == client.context.spanID)
        #expect(request.context.traceID == client.context.traceID)
        #expect(request.context.traceState.header == "ot=th:0")
    }
}
