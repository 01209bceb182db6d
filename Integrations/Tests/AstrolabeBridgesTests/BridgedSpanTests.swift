import AstrolabeTelemetryModel
import Foundation
import ServiceContextModule
import Testing
import Tracing

@testable import AstrolabeBridges

@Suite struct BridgedSpanTests {
    private struct OutOfStock: LocalizedError {
        var errorDescription: String? { "the Comet Book is out of stock" }
    }

    private struct FixedInstant: TracerInstant {
        let nanosecondsSinceEpoch: UInt64
        static func < (left: Self, right: Self) -> Bool { left.nanosecondsSinceEpoch < right.nanosecondsSinceEpoch }
    }

    let recorder = BridgeRecorder()

    @Test(arguments: [
        (Tracing.SpanKind.server, AstrolabeTelemetryModel.SpanKind.server), (.client, .client), (.producer, .producer),
        (.consumer, .consumer), (.internal, .internal),
    ])
    func `kinds are ours`(theirs: Tracing.SpanKind, ours: AstrolabeTelemetryModel.SpanKind) throws {
        recorder.tracer.withSpan("any", ofKind: theirs) { _ in }
        #expect(try recorder.span("any").kind == ours)
    }

    @Test func `attributes of every type reach the record`() throws {
        recorder.tracer.withSpan("any") { span in
            span.attributes["string"] = "text"
            span.attributes["int"] = 7
            span.attributes["int32"] = SpanAttribute.int32(-32)
            span.attributes["int64"] = SpanAttribute.int64(.max)
            span.attributes["double"] = 0.5
            span.attributes["bool"] = true
            span.attributes["strings"] = ["a", "b"]
            span.attributes["int32s"] = SpanAttribute.int32Array([1, 2])
            span.attributes["int64s"] = SpanAttribute.int64Array([3, .min])
            span.attributes["doubles"] = SpanAttribute.doubleArray([0.25, -1])
            span.attributes["bools"] = SpanAttribute.boolArray([true, false])
            span.attributes["convertible"] = SpanAttribute.stringConvertible(Substring("sub"))
            span.attributes["convertibles"] = SpanAttribute.stringConvertibleArray([1, "two"])
        }
        let expected: Attributes = [
            "string": "text", "int": 7, "int32": -32, "int64": Int64.max, "double": 0.5, "bool": true,
            "strings": ["a", "b"], "int32s": [1, 2], "int64s": [3, Int64.min], "doubles": [0.25, -1.0],
            "bools": [true, false], "convertible": "sub", "convertibles": ["1", "two"],
        ]
        let attributes = try recorder.span("any").attributes
        #expect(attributes.count == expected.count)
        for element in expected { #expect(attributes[element.key] == element.value, "\(element.key)") }
    }

    @Test func `what is set can be read back, and set again`() throws {
        let span = recorder.tracer.startSpan("any", context: .topLevel)
        span.updateAttributes { attributes in
            attributes["key"] = "first"
            attributes["other"] = 1
        }
        span.attributes["key"] = "second"
        #expect(span.attributes["key"]?.toSpanAttribute() == .string("second"))
        #expect(span.attributes["other"]?.toSpanAttribute() == .int64(1))
        span.operationName = "renamed"
        #expect(span.operationName == "renamed")
        span.end()
        #expect(try recorder.span("renamed").attributes == ["other": 1, "key": "second"])
    }

    @Test func `events and links are recorded`() throws {
        let other = recorder.tracer.startSpan("other", context: .topLevel)
        recorder.tracer.withSpan("any") { span in
            span.addEvent(SpanEvent(name: "retry", attributes: ["attempt": 2]))
            span.addEvent("plain")
            span.addLink(SpanLink(context: other.context, attributes: ["why": "batch"]))
            span.addLink(SpanLink(context: .topLevel, attributes: [:]))
        }
        other.end()
        let data = try recorder.span("any")
        #expect(data.events.map(\.name) == ["retry", "plain"])
        #expect(data.events.first?.attributes == ["attempt": 2])
        #expect(data.events.allSatisfy { $0.timeUnixNano >= data.startTimeUnixNano - 1_000_000 })
        let link = try data.links.only
        #expect(link.context.spanID == (try recorder.span("other").context.spanID))
        #expect(link.attributes == ["why": "batch"])
    }

    @Test func `an error that a body throws is recorded, and its message is the status`() throws {
        #expect(throws: OutOfStock.self) {
            try recorder.tracer.withSpan("checkout") { _ in throw OutOfStock() }
        }
        let data = try recorder.span("checkout")
        #expect(data.status == .error("the Comet Book is out of stock"))
        let event = try data.events.only
        #expect(event.name == "exception")
        #expect(event.attributes["exception.message"] == "the Comet Book is out of stock")
    }

    @Test func `cancellation is no failure`() async throws {
        let (never, forever) = AsyncStream.makeStream(of: Never.self)
        let task = Task {
            try await recorder.tracer.withSpan("load") { _ in
                for await _ in never {}  // ends when the task is cancelled
                try Task.checkCancellation()
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        forever.finish()
        #expect(try recorder.span("load").status == .unset)
        #expect(try recorder.span("load").events.map(\.name) == ["cancelled"])
    }

    @Test func `statuses are ours`() throws {
        recorder.tracer.withSpan("ok") { $0.setStatus(SpanStatus(code: .ok)) }
        recorder.tracer.withSpan("error") { $0.setStatus(SpanStatus(code: .error, message: "broken")) }
        recorder.tracer.withSpan("silent") { $0.setStatus(SpanStatus(code: .error)) }
        #expect(try recorder.span("ok").status == .ok)
        #expect(try recorder.span("error").status == .error("broken"))
        #expect(try recorder.span("silent").status == .error(""))
    }

    @Test func `instants of the default clock are put on the spans' clock`() throws {
        let now = DefaultTracerClock.now.nanosecondsSinceEpoch
        let early = DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: now - 5_000_000_000)
        let span = recorder.tracer.startSpan("any", context: .topLevel, at: early)
        span.end()
        // Wrong by no more than the time that the test took.
        let taken = DefaultTracerClock.now.nanosecondsSinceEpoch - now
        let data = try recorder.span("any")
        #expect((5_000_000_000...5_100_000_000 + taken).contains(data.durationNano))
    }

    @Test func `instants of another clock are taken as they are`() throws {
        let span = recorder.tracer.startSpan("any", context: .topLevel, at: FixedInstant(nanosecondsSinceEpoch: 1_000))
        span.recordError(OutOfStock(), attributes: [:], at: FixedInstant(nanosecondsSinceEpoch: 1_500))
        span.end(at: FixedInstant(nanosecondsSinceEpoch: 3_000))
        let data = try recorder.span("any")
        #expect(data.startTimeUnixNano == 1_000 && data.endTimeUnixNano == 3_000)
        #expect(try data.events.only.timeUnixNano == 1_500)
    }

    @Test func `the active span of a context is the one that was started, with what was set`() throws {
        try recorder.tracer.withSpan("outer") { span in
            span.attributes["key"] = "value"
            let context = try #require(ServiceContext.current)
            let active = try #require(recorder.tracer.activeSpan(identifiedBy: context))
            #expect(active.operationName == "outer")
            #expect(active.attributes["key"]?.toSpanAttribute() == .string("value"))
            active.attributes["from"] = "active"
        }
        #expect(recorder.tracer.activeSpan(identifiedBy: .topLevel) == nil)
        #expect(try recorder.span("outer").attributes == ["key": "value", "from": "active"])
    }

    @Test func `a span records until it ends`() {
        let span = recorder.tracer.startSpan("any", context: .topLevel)
        #expect(span.isRecording)
        span.end()
        #expect(!span.isRecording)
    }

    @Test func `names of secrets are redacted here as everywhere`() throws {
        recorder.tracer.withSpan("any") { span in
            span.attributes["url.query"] = "sessionId=abc"
            span.attributes["http.request.header.authorization"] = "Bearer abc"
            span.attributes["note"] = "card 4111111111111111"
        }
        #expect(
            try recorder.span("any").attributes == [
                "url.query": "sessionId=REDACTED", "http.request.header.authorization": "REDACTED",
                "note": "card REDACTED",
            ])
    }
}
