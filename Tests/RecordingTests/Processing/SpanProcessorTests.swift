import AstrolabePlatform
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

/// Notes what it sees, and sets an attribute on each span that starts.
private final class NotingProcessor: SpanProcessor {
    let started = Locked<[(span: SpanContext, parent: SpanContext?)]>([])
    let ended = Locked<[FinishedSpan]>([])
    private let key: String?
    private let whenStarted: @Sendable (Tracer.Span) -> Void

    init(setting key: String? = nil, whenStarted: @escaping @Sendable (Tracer.Span) -> Void = { _ in }) {
        self.key = key
        self.whenStarted = whenStarted
    }

    func onStart(_ span: Tracer.Span, parent: SpanContext?) {
        started.withLock { $0.append((span.context, parent)) }
        if let key { span.setAttribute(key, true) }
        whenStarted(span)
    }

    func onEnd(_ span: FinishedSpan) { ended.withLock { $0.append(span) } }
}

@Suite struct SpanProcessorTests {
    private struct Declined: Error, CustomStringConvertible {
        var description: String { "card declined" }
    }

    @Test(arguments: [true, false])
    func `sees each span start and end, in order, however it is started`(isByBuilder: Bool) throws {
        let processor = NotingProcessor(setting: "seen")
        let recorder = Recorder(processors: RecordProcessors(span: [processor]))
        let (tracer, time) = (recorder.tracer, recorder.time)
        if isByBuilder {
            let root = tracer.spanBuilder("root").startSpan()
            time.advance(by: 5)
            tracer.spanBuilder("child").setParent(root).setAttribute("n", 1).startSpan().end()
            root.end()
        } else {
            tracer.withSpan("root") { _ in
                time.advance(by: 5)
                tracer.withSpan("child", attributes: ["n": 1]) { _ in }
            }
        }
        #expect(
            processor.started.withLock { $0.map(\.span) } == processor.ended.withLock { $0.reversed().map(\.context) })
        let ended = processor.ended.withLock { $0 }
        try #require(ended.map(\.name) == ["child", "root"])
        #expect(processor.started.withLock { $0.map(\.parent) } == [nil, ended[1].context])
        #expect(ended[0].attributes == ["n": 1, "seen": true])
        #expect(ended[1].endTimeUnixNano - ended[1].startTimeUnixNano == 5)
        #expect(try recorder.spans.map(\.attributes) == [["n": 1, "seen": true], ["seen": true]])
    }

    @Test func `sees in an asynchronous span what it sees in another`() async throws {
        let processor = NotingProcessor(setting: "seen")
        let recorder = Recorder(processors: RecordProcessors(span: [processor]))
        await recorder.tracer.withSpan("load", attributes: ["n": 2]) { _ in await Task.yield() }
        #expect(processor.ended.withLock { $0.map(\.attributes) } == [["n": 2, "seen": true]])
    }

    @Test func `reads every part of the record`() throws {
        let processor = NotingProcessor()
        let recorder = Recorder(processors: RecordProcessors(span: [processor]))
        let other = recorder.tracer.spanBuilder("other").startSpan()
        let span = recorder.tracer.spanBuilder("upload").setSpanKind(.client).addLink(
            other.context, attributes: ["l": 1],
        )
        .startSpan()
        span.setAttribute("text", "a")
        span.setAttribute("list", .array([1, "b"]))
        span.addEvent("retried", attributes: ["attempt": 2])
        span.recordException(Declined())
        span.setStatus(.error("failed"))
        span.updateName("upload again")
        span.end()
        let seen = try processor.ended.withLock { $0 }.only
        let expected = try recorder.span
        #expect(seen.name == "upload again" && seen.kind == .client && seen.status == .error("failed"))
        #expect(seen.context == expected.context && seen.parentSpanID == .invalid)
        #expect(seen.attributes == expected.attributes)
        #expect(seen["text"] == "a" && seen["list"] == [1, "b"] && seen["none"] == nil)
        #expect(seen.events == expected.events && seen.events.map(\.name) == ["retried", "exception"])
        #expect(seen.links.map(\.context) == [other.context] && seen.links.map(\.attributes) == [["l": 1]])
        #expect(seen.scopeName == "test")
        #expect(seen.encoded == recorder.rawRecords.first)
    }

    @Test func `runs in the order of the list, and sees what the ones before have set`() throws {
        let seen = Locked<[String]>([])
        let first = NotingProcessor(setting: "first") { _ in seen.withLock { $0.append("first") } }
        let second = NotingProcessor(setting: "second") { _ in seen.withLock { $0.append("second") } }
        let recorder = Recorder(processors: RecordProcessors(span: [first, second]))
        recorder.tracer.withSpan("root") { _ in }
        #expect(seen.withLock { $0 } == ["first", "second"])
        #expect(try recorder.span.attributes == ["first": true, "second": true])
    }

    @Test func `may record itself, and does not see that`() throws {
        let tracers = Locked<[Tracer]>([])
        let processor = NotingProcessor { span in
            tracers.withLock { $0 }.first?.withSpan("own") { _ in }
        }
        let recorder = Recorder(processors: RecordProcessors(span: [processor], beforeSend: [{ $0.name != "own" }]))
        tracers.withLock { $0 = [recorder.tracer] }
        recorder.tracer.withSpan("root") { _ in }
        #expect(processor.started.withLock { $0.count } == 1)
        #expect(try recorder.spans.map(\.name) == ["own", "root"])
    }

    @Test func `sees a span that is sampled out only while the flight recorder is on`() throws {
        let processor = NotingProcessor()
        let recorder = Recorder(
            sampler: SessionSampler(rate: 0), processors: RecordProcessors(span: [processor]),
            triggers: RecorderTriggers())
        recorder.tracer.withSpan("charge", attributes: ["currency": "EUR"]) { _ in }
        recorder.core.recordSampledOut(false)
        recorder.tracer.withSpan("off") { _ in }
        #expect(processor.started.withLock { $0.count } == 1)
        let ended = try processor.ended.withLock { $0 }.only
        #expect(ended.name == "charge" && ended["currency"] == "EUR" && ended.scopeName == "test")
    }

    @Test func `sees all spans of four threads, each once`() throws {
        let processor = NotingProcessor(setting: "seen")
        let recorder = Recorder(processors: RecordProcessors(span: [processor]))
        onThreads(4) { thread in
            for index in 0..<200 { recorder.tracer.withSpan("\(thread).\(index)") { _ in } }
        }
        #expect(Set(processor.ended.withLock { $0.map(\.name) }).count == 800)
        #expect(try recorder.spans.count == 800)
        #expect(try recorder.spans.allSatisfy { $0.attributes["seen"] == true })
    }
}
