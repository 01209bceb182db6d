import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct ExceptionSignalTests {
    private struct Declined: Error, CustomStringConvertible {
        var description: String { "card declined" }
    }

    private let type: AttributeValue = "AstrolabeRecordingTests.ExceptionSignalTests.Declined"

    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch {}
    }

    @Test func `exceptions are span events by default, and no log records`() throws {
        let recorder = Recorder()
        attempt { try recorder.tracer.withSpan("pay") { _ in throw Declined() } }
        #expect(try recorder.span.events.map(\.name) == ["exception"])
        #expect(try recorder.logRecords.isEmpty)
    }

    @Test func `an exception is a log record in the span's context and scope, and no span event`() throws {
        let recorder = Recorder(ambient: ["session.id": "s-1"], exceptionSignal: .logs)
        let span = recorder.tracer.spanBuilder("pay").startSpan()
        span.recordException(Declined(), attributes: ["retry": 2], timeUnixNano: 42)
        span.end()
        span.recordException(Declined())
        let record = try recorder.logRecord
        #expect(record.eventName == "exception" && record.timeUnixNano == 42 && record.body == .empty)
        #expect(record.attributes["exception.type"] == type)
        #expect(record.attributes["exception.message"] == "card declined")
        #expect(record.attributes["retry"] == 2 && record.attributes["session.id"] == "s-1")
        #expect(record.traceID == span.context.traceID && record.spanID == span.context.spanID)
        #expect(recorder.headers.map(\.kind) == [.event, .span] && Set(recorder.headers.map(\.scope)).count == 1)
        #expect(recorder.headers.first?.priority == .high)
        let data = try recorder.span
        #expect(data.events.isEmpty && data.status == .unset)
    }

    @Test func `an error that is thrown is the span's status, whichever signal has the exception`() throws {
        let recorder = Recorder(exceptionSignal: .logs)
        attempt { try recorder.tracer.withSpan("pay") { _ in throw Declined() } }
        #expect(try recorder.span.status == .error("card declined"))
        #expect(try recorder.span.events.isEmpty && recorder.logRecord.attributes["exception.type"] == type)
    }

    @Test func `both signals have the same attributes`() throws {
        let recorder = Recorder(exceptionSignal: .both)
        attempt { try recorder.tracer.withSpan("pay") { _ in throw Declined() } }
        var attributes = try recorder.logRecord.attributes
        attributes["log.record.uid"] = nil
        #expect(try recorder.span.events.only.attributes == attributes)
        #expect(try recorder.span.events.only.timeUnixNano == recorder.logRecord.timeUnixNano)
    }

    @Test(arguments: [
        (SpanKind.internal, Severity.warn), (.client, .warn), (.producer, .warn), (.server, .error),
        (.consumer, .error),
    ])
    func `the severity is that of the conventions for the kind of the span`(kind: SpanKind, severity: Severity) throws {
        let recorder = Recorder(exceptionSignal: .logs)
        recorder.tracer.withSpan("work", kind: kind) { $0.recordException(Declined()) }
        #expect(try recorder.logRecord.severityNumber == severity.rawValue)
        #expect(try recorder.logRecord.severityText == severity.text)
    }

    @Test func `log records take breadcrumbs once for an error that is thrown through spans`() throws {
        let recorder = Recorder(exceptionSignal: .logs)
        recorder.core.addBreadcrumb("opened the cart", category: "app")
        attempt {
            try recorder.tracer.withSpan("a", kind: .server) { _ in
                try recorder.tracer.withSpan("b", kind: .server) { _ in throw Declined() }
            }
        }
        let crumbs = try recorder.logRecords.map { $0.attributes["astrolabe.breadcrumbs"] != nil }
        #expect(crumbs == [true, false])
    }

    @Test func `secrets are removed, and limits hold`() throws {
        struct Leak: Error, CustomStringConvertible {
            var description: String { "refused 4111 1111 1111 1111" }
        }
        var limits = RecordLimits()
        limits.attributeCount = 2
        let recorder = Recorder(limits: limits, exceptionSignal: .logs)
        recorder.tracer.withSpan("pay") { $0.recordException(Leak(), attributes: ["more": 1]) }
        let record = try recorder.logRecord
        #expect(record.attributes["exception.message"]?.stringValue?.contains("4111") == false)
        #expect(record.attributes["more"] == nil && record.droppedAttributesCount == 1)
    }

    @Test func `a span that was sampled out records its exception under the same identifier`() throws {
        var triggers = RecorderTriggers()
        triggers.errors = false
        let recorder = Recorder(sampler: SessionSampler(rate: 0), exceptionSignal: .logs, triggers: triggers)
        attempt {
            try recorder.tracer.withSpan("checkout") { _ in
                try recorder.tracer.withSpan("charge", kind: .consumer) { _ in throw Declined() }
            }
        }
        let (spans, records) = (try recorder.spans, try recorder.logRecords)
        #expect(spans.map(\.name) == ["charge", "checkout"])
        #expect(spans.allSatisfy { $0.events.isEmpty && $0.status == .error("card declined") })
        #expect(records.map(\.spanID) == spans.map(\.context.spanID))
        #expect(records.map(\.traceID) == spans.map(\.context.traceID))
        #expect(records.map(\.severityNumber) == [Severity.error.rawValue, Severity.warn.rawValue])
        #expect(Set(recorder.headers.map(\.scope)).count == 1)
    }

    @Test func `with a sampler that turns traces off, exceptions are in no signal`() throws {
        let recorder = Recorder(sampler: AlwaysOffSampler(), exceptionSignal: .both)
        attempt { try recorder.tracer.withSpan("pay") { _ in throw Declined() } }
        #expect(try recorder.spans.isEmpty && recorder.logRecords.isEmpty)
    }
}
