import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct SpanEndTests {
    let recorder = Recorder()

    @Test func `a span ends once`() throws {
        let span = recorder.tracer.spanBuilder("any").startSpan()
        span.end(timeUnixNano: 2_000_000_000_000)
        span.end(timeUnixNano: 3_000_000_000_000)
        span.end()
        #expect(try recorder.span.endTimeUnixNano == 2_000_000_000_000)
    }

    @Test func `a span that is never ended leaves no record`() throws {
        _ = recorder.tracer.spanBuilder("forgotten").startSpan()
        #expect(try recorder.spans.isEmpty)
    }

    @Test func `it is recording from start to end`() {
        let span = recorder.tracer.spanBuilder("any").startSpan()
        let copy = span
        #expect(span.isRecording)
        copy.end()
        #expect(!span.isRecording && !copy.isRecording)
    }

    @Test func `what comes after the end has no effect`() throws {
        let span = recorder.tracer.spanBuilder("any").startSpan()
        span.setAttribute("key", "in time")
        span.end()
        let before = recorder.rawRecords

        span.setAttribute("key", "late")
        span.setAttribute("int", 1)
        span.setAttribute("bool", true)
        span.setAttribute("double", 1.5)
        span.setAttributes(["late": "yes"])
        span.addEvent("late")
        span.addLink(span.context)
        span.recordException(CancellationError())
        span.setStatus(.error("late"))
        span.updateName("late")
        span.end()
        #expect(recorder.rawRecords == before)
    }

    @Test func `a span may end on another thread than it started on`() throws {
        let span = recorder.tracer.spanBuilder("any").startSpan()
        onThreads(1) { _ in
            span.setAttribute("thread", "other")
            span.end()
        }
        #expect(try recorder.span.attributes == ["thread": "other"])
    }
}
