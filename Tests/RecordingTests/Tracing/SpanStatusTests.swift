import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct SpanStatusTests {
    static let sequences: [(set: [SpanStatus], recorded: SpanStatus)] = [
        ([], .unset),
        ([.ok], .ok),
        ([.error("broken")], .error("broken")),
        ([.error("")], .error("")),
        ([.error("first"), .error("second")], .error("second")),
        ([.error("broken"), .ok], .ok),
        ([.ok, .error("too late")], .ok),
        ([.ok, .unset], .ok),
        ([.error("broken"), .unset], .error("broken")),
        ([.unset], .unset),
    ]

    @Test(arguments: sequences.indices)
    func `ok is final, an error replaces an error, unset changes nothing`(index: Int) throws {
        let recorder = Recorder()
        let span = recorder.tracer.spanBuilder("any").startSpan()
        for status in Self.sequences[index].set { span.setStatus(status) }
        span.end()
        #expect(try recorder.span.status == Self.sequences[index].recorded)
    }

    @Test func `a span that failed goes before others`() throws {
        let recorder = Recorder()
        let failed = recorder.tracer.spanBuilder("failed").startSpan()
        failed.setStatus(.error("broken"))
        failed.end()
        recorder.tracer.spanBuilder("fine").startSpan().end()
        #expect(recorder.headers.map(\.priority) == [.high, .normal])
    }
}
