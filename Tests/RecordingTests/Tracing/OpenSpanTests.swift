import Foundation
import Testing

@testable import AstrolabeRecording

extension ProcessWideState {
    /// Nothing but the app's own references holds a span that was not ended, so a leak of them is the app's alone.
    @Suite struct `A span that is never ended` {
        @Test func `is released with its last reference`() throws {
            let tracer = Recorder().tracer
            weak var handle: SpanRecorder?
            do {
                let span = tracer.spanBuilder("open").startSpan()
                span.setAttribute("demo.key", "value")
                handle = span.recorder
                #expect(handle != nil)
            }
            #expect(handle == nil)
        }

        @Test func `is released with its last reference if it was made active`() throws {
            let tracer = Recorder().tracer
            weak var handle: SpanRecorder?
            do {
                let span = tracer.spanBuilder("open").setActive(true).startSpan()
                handle = span.recorder
                #expect(handle != nil)
            }
            #expect(handle == nil)
        }
    }
}
