import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeOpenTelemetryCore

/// Keeps nothing.
private final class NoSink: RecordSink {
    func register(_ scope: InstrumentationScope) -> ScopeNumber { ScopeNumber(rawValue: 0) }
    func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {}
}

private final class Object: Sendable {}

/// One test after the other: what is set by hand and never removed is limited for the process.
@Suite(.serialized) struct ContextStoreTests {
    private let tracer = Tracer(core: RecordingCore(sink: NoSink()), scope: InstrumentationScope(name: "test"))

    private func baggage(_ value: String) -> Baggage {
        var baggage = Baggage()
        baggage["cart"] = value
        return baggage
    }

    @Test func `has the object of the span that was bound, in child tasks too`() async {
        let (span, object) = (tracer.spanBuilder("root").startSpan(), Object())
        #expect(ContextStore.span == nil)
        await ContextStore.with(span: span, object: object) {
            #expect(ContextStore.span?.object === object)
            await Task.yield()
            let child = await Task { ContextStore.span?.object === object }.value
            #expect(child)
            let detached = await Task.detached { ContextStore.span == nil }.value
            #expect(detached)
        }
        #expect(ContextStore.span == nil)
    }

    @Test func `has no object for a span of the SDK inside, and the outer one again after it`() {
        let (span, object) = (tracer.spanBuilder("root").startSpan(), Object())
        ContextStore.with(span: span, object: object) {
            tracer.withSpan("inner") { inner in
                #expect(ContextStore.span?.value.context == inner.context && ContextStore.span?.object == nil)
                #expect(inner.context.traceID == span.context.traceID)
            }
            #expect(ContextStore.span?.object === object)
            ContextStore.with(span: nil, object: nil) { #expect(ContextStore.span == nil) }
        }
    }

    @Test func `keeps baggage when a span is bound, and the span when baggage is`() {
        let (span, of, with) = (tracer.spanBuilder("root").startSpan(), Object(), Object())
        ContextStore.with(baggage: baggage("1"), object: with) {
            ContextStore.with(span: span, object: of) {
                #expect(ContextStore.baggage?.object === with && ContextStore.span?.object === of)
                ContextStore.with(baggage: baggage("2"), object: nil) {
                    #expect(ContextStore.baggage?.value["cart"] == "2" && ContextStore.baggage?.object == nil)
                    #expect(ContextStore.span?.object === of)
                }
            }
        }
        #expect(ContextStore.baggage == nil)
    }

    @Test func `has what was set by hand until it is removed`() {
        let (outer, inner) = (tracer.spanBuilder("outer").startSpan(), tracer.spanBuilder("inner").startSpan())
        let (first, second, of) = (Object(), Object(), Object())
        ContextStore.set(span: outer, object: first)
        ContextStore.set(baggage: baggage("1"), object: of)
        ContextStore.set(span: inner, object: second)
        #expect(ContextStore.span?.object === second && ContextStore.baggage?.object === of)
        #expect(TelemetryContext.current.baggage["cart"] == "1")
        tracer.withSpan("child") { #expect($0.context.traceID == inner.context.traceID) }
        ContextStore.remove(second)
        #expect(ContextStore.span?.object === first)
        ContextStore.remove(of)
        ContextStore.remove(first)
        #expect(ContextStore.span == nil && ContextStore.baggage == nil)
    }

    @Test func `forgets what was set by hand and never removed`() {
        weak var forgotten: Object?
        do {
            let object = Object()
            forgotten = object
            ContextStore.set(span: tracer.spanBuilder("leaked").startSpan(), object: object)
        }
        let others = (0..<1_024).map { _ in Object() }
        for object in others { ContextStore.set(span: tracer.spanBuilder("other").startSpan(), object: object) }
        #expect(forgotten == nil)
        for object in others { ContextStore.remove(object) }
        #expect(ContextStore.span == nil)
    }
}
