import AstrolabeTelemetryModel
import Foundation
import Testing

@testable import AstrolabeRecording

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct SpanEventTests {
    private struct Unreachable: LocalizedError {
        var errorDescription: String? { "the server could not be reached" }
    }

    private enum PaymentFailure: Error {
        case refused(code: Int)
    }

    let recorder = Recorder()

    @Test func `events keep their order, times and attributes`() throws {
        let span = recorder.tracer.spanBuilder("any").startSpan()
        recorder.time.advance(by: 10)
        span.addEvent("first")
        span.addEvent("second", attributes: ["retry": 2, "reason": "timeout"], timeUnixNano: 42)
        span.end()

        let data = try recorder.span
        try #require(data.events.map(\.name) == ["first", "second"])
        #expect(data.events[0].timeUnixNano == data.startTimeUnixNano + 10)
        #expect(data.events[1].timeUnixNano == 42)
        #expect(data.events[1].attributes == ["retry": 2, "reason": "timeout"])
    }

    @Test func `an exception is an event that leaves the status alone`() throws {
        let span = recorder.tracer.spanBuilder("any").startSpan()
        span.recordException(Unreachable())
        span.end()

        let data = try recorder.span
        let event = try data.events.only
        #expect(event.name == "exception")
        #expect(event.attributes["exception.message"] == "the server could not be reached")
        #expect(data.status == .unset)
    }

    @Test func `an exception's type is the same in every build`() throws {
        let span = recorder.tracer.spanBuilder("any").startSpan()
        span.recordException(Unreachable())
        span.recordException(PaymentFailure.refused(code: 3))
        span.end()

        let events = try recorder.span.events
        #expect(events[0].attributes["exception.type"] == "AstrolabeRecordingTests.SpanEventTests.Unreachable")
        #expect(events[1].attributes["exception.type"] == "AstrolabeRecordingTests.SpanEventTests.PaymentFailure")
        #expect(events[1].attributes["exception.message"] == "refused(code: 3)")
    }

    @Test func `an error of Foundation is its domain and code, without its user info`() throws {
        let recorder = Recorder()
        let span = recorder.tracer.spanBuilder("any").startSpan()
        let information: [String: Any] = [
            NSLocalizedDescriptionKey: "The request timed out.", "NSErrorFailingURLKey": "https://a.example/private",
        ]
        span.recordException(NSError(domain: NSURLErrorDomain, code: -1001, userInfo: information))
        span.recordException(URLError(.timedOut))
        span.recordException(CocoaError(.fileNoSuchFile))
        span.end()
        let events = try recorder.span.events
        #expect(
            events.map { $0.attributes["exception.type"]?.stringValue } == [
                "NSURLErrorDomain/-1001", "NSURLErrorDomain/-1001", "NSCocoaErrorDomain/4",
            ])
        #expect(events.first?.attributes["exception.message"] == "The request timed out.")
        #expect(events.allSatisfy { $0.attributes["exception.message"]?.stringValue?.contains("private") == false })
    }

    @Test func `attributes given with an exception win over its own, at the time that is given`() throws {
        let span = recorder.tracer.spanBuilder("any").startSpan()
        span.recordException(
            Unreachable(), attributes: ["exception.message": "gone", "exception.stacktrace": "main + 4"],
            timeUnixNano: 77)
        span.end()

        let event = try recorder.span.events.only
        #expect(event.attributes["exception.message"] == "gone")
        #expect(event.attributes["exception.stacktrace"] == "main + 4")
        #expect(event.timeUnixNano == 77)
    }

    @Test func `links keep their contexts and attributes; an invalid one is ignored`() throws {
        let state = try #require(TraceState(header: "vendor=1"))
        let other = SpanContext(
            traceID: TraceID(high: 5, low: 6), spanID: SpanID(7), flags: [.sampled], traceState: state)
        let span = recorder.tracer.spanBuilder("any").addLink(other, attributes: ["from": "builder"]).startSpan()
        span.addLink(.invalid)
        span.addLink(other, attributes: ["from": "span"])
        span.end()

        let links = try recorder.span.links
        #expect(links.map(\.attributes) == [["from": "builder"], ["from": "span"]])
        #expect(links.allSatisfy { $0.context.traceID == other.traceID && $0.context.spanID == other.spanID })
        #expect(links.allSatisfy { $0.context.traceState.header == "vendor=1" && $0.context.isSampled })
        #expect(try recorder.span.droppedLinksCount == 0)
    }

    @Test func `attributes, events and links may come in any order`() throws {
        let span = recorder.tracer.spanBuilder("any").startSpan()
        for index in 0..<20 {
            span.setAttribute("attribute", index)
            span.addEvent("event", attributes: ["attribute": Int64(-index)])
            span.addLink(span.context, attributes: ["attribute": "link"])
        }
        span.end()
        let data = try recorder.span
        #expect(data.attributes == ["attribute": 19])
        #expect(data.events.map { $0.attributes["attribute"] } == (0..<20).map { .int(-$0) })
        #expect(data.links.count == 20)
    }
}
