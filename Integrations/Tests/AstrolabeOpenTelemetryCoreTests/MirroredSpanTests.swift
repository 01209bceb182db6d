import AstrolabeRecording
import AstrolabeTelemetryModel
import Foundation
import Testing

@testable import AstrolabeOpenTelemetryCore

@Suite struct MirroredSpanTests {
    private let sink = SpanSink()
    private let tracer: Tracer

    init() {
        tracer = Tracer(core: RecordingCore(sink: sink), scope: InstrumentationScope(name: "test"))
    }

    private func span(_ name: String) -> MirroredSpan {
        MirroredSpan(
            tracer.spanBuilder(name).startSpan(), name: name, kind: .internal, time: ForeignTime(tracer))
    }

    @Test func `reads back name and status as the record has them`() throws {
        let span = span("first")
        span.name = "second"
        span.status = .error("failed")
        span.status = .unset
        #expect(span.name == "second" && span.status == .error("failed"))
        span.status = .ok
        span.status = .error("late")
        #expect(span.status == .ok)
        span.end(at: nil, object: span)
        let record = try #require(try sink.spans.first)
        #expect(record.name == "second" && record.status == .ok)
    }

    @Test func `keeps the name and the status of the record after the end`() throws {
        let span = span("upload")
        span.status = .error("failed")
        span.end(at: nil, object: span)
        span.name = "late"
        span.status = .ok
        #expect(span.name == "upload" && span.status == .error("failed"))
        #expect(try sink.spans.map(\.name) == ["upload"])
    }

    @Test func `records exceptions and dates of another API`() throws {
        let span = span("upload")
        let date = Date()
        span.recordException(type: "Declined", message: "no", stack: ["a", "b"], attributes: ["n": 1], at: date)
        span.recordException(type: "Other", message: nil, stack: nil, attributes: ["exception.type": "Mine"], at: nil)
        span.end(at: date.addingTimeInterval(2), object: span)
        let taken = -date.timeIntervalSinceNow
        let record = try #require(try sink.spans.first)
        #expect(
            record.events.map(\.attributes) == [
                ["exception.type": "Declined", "exception.message": "no", "exception.stacktrace": "a\nb", "n": 1],
                ["exception.type": "Mine"],
            ])
        try #require(record.events.map(\.name) == ["exception", "exception"])
        let seconds = Double(record.endTimeUnixNano - record.events[0].timeUnixNano) / 1e9
        #expect(abs(seconds - 2) < taken + 0.1, "wrong by no more than the time that the test took")
    }

    @Test func `takes no date before 1970`() {
        #expect(ForeignTime(tracer).nanoseconds(Date(timeIntervalSince1970: -1e9)) == 0)
        #expect(ForeignTime(tracer).nanoseconds(.distantFuture) > 0)
    }

    @Test func `maps numbers of severity to their group`() {
        let severities = [0, 1, 4, 9, 12, 13, 20, 24, 25].map(Severity.init(number:))
        #expect(severities == [.info, .trace, .trace, .info, .info, .warn, .error, .fatal, .info])
    }
}
