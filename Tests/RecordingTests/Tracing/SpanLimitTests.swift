import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct SpanLimitTests {
    @Test func `defaults are those of the specification`() {
        let limits = RecordLimits()
        #expect(limits.attributeCount == 128 && limits.eventCount == 128 && limits.linkCount == 128)
        #expect(limits.attributeCountPerEventOrLink == 128)
    }

    @Test func `attributes beyond the limit are counted, and those within it may still change`() throws {
        let recorder = Recorder()
        let span = recorder.tracer.spanBuilder("any").startSpan()
        for index in 0..<130 { span.setAttribute("key.\(index)", index) }
        span.setAttribute("key.0", "changed")
        span.end()

        let data = try recorder.span
        #expect(data.attributes.count == 128)
        #expect(data.droppedAttributesCount == 2)
        #expect(data.attributes["key.0"] == "changed")
        #expect(data.attributes["key.128"] == nil)
    }

    @Test func `events and links beyond their limits are counted`() throws {
        var limits = RecordLimits()
        limits.eventCount = 3
        limits.linkCount = 2
        let recorder = Recorder(limits: limits)
        let other = SpanContext(traceID: TraceID(high: 1, low: 2), spanID: SpanID(3))
        let span = recorder.tracer.spanBuilder("any").startSpan()
        for index in 0..<5 { span.addEvent("event \(index)") }
        for _ in 0..<5 { span.addLink(other) }
        span.end()

        let data = try recorder.span
        #expect(data.events.map(\.name) == ["event 0", "event 1", "event 2"])
        #expect(data.droppedEventsCount == 2)
        #expect(data.links.count == 2)
        #expect(data.droppedLinksCount == 3)
    }

    @Test func `attributes of events and links have a limit of their own`() throws {
        var limits = RecordLimits()
        limits.attributeCountPerEventOrLink = 1
        let recorder = Recorder(limits: limits)
        let other = SpanContext(traceID: TraceID(high: 1, low: 2), spanID: SpanID(3))
        let span = recorder.tracer.spanBuilder("any").startSpan()
        span.addEvent("event", attributes: ["a": 1, "b": 2, "c": 3])
        span.addLink(other, attributes: ["a": 1, "b": 2])
        span.end()

        let data = try recorder.span
        #expect(try data.events.only.attributes == ["a": 1])
        #expect(try data.events.only.droppedAttributesCount == 2)
        #expect(try data.links.only.attributes == ["a": 1])
        #expect(try data.links.only.droppedAttributesCount == 1)
        #expect(data.droppedAttributesCount == 0)
    }

    @Test func `long texts and bytes are cut, text at a character's edge`() throws {
        var limits = RecordLimits()
        limits.attributeValueLength = 10
        let recorder = Recorder(limits: limits)
        let span = recorder.tracer.spanBuilder("a name of many letters").startSpan()
        span.setAttribute("ascii", "0123456789ABC")
        span.setAttribute("exact", "abcdefghij")
        span.setAttribute("wide", "ä€ä€ä€ä€")
        span.setAttribute("list", ["0123456789ABC", "short"])
        span.setAttribute("bytes", .bytes(Array(repeating: 7, count: 20)))
        span.setStatus(.error("a description of many letters"))
        span.end()

        let data = try recorder.span
        #expect(data.attributes["ascii"] == "0123456789")
        #expect(data.attributes["exact"] == "abcdefghij")
        #expect(data.attributes["wide"] == "ä€ä€")
        #expect(data.attributes["list"] == ["0123456789", "short"])
        #expect(data.attributes["bytes"] == .bytes(Array(repeating: 7, count: 10)))
        #expect(data.name == "a name of ")
        #expect(data.status == .error("a descript"))
        #expect(data.droppedAttributesCount == 0)
    }

    @Test func `no record passes the size limit, whatever is put into it`() throws {
        var limits = RecordLimits()
        limits.recordSize = 8_192
        limits.attributeValueLength = 100_000
        let recorder = Recorder(limits: limits)
        let long = String(repeating: "long ", count: 1_000)
        let span = recorder.tracer.spanBuilder(String(repeating: "n", count: 50_000)).startSpan()
        for index in 0..<20 {
            span.setAttribute("key.\(index)", long)
            span.addEvent(long, attributes: ["text": long])
            span.addLink(span.context, attributes: ["text": long])
        }
        span.setAttribute("small", 1)
        span.setStatus(.error(String(repeating: "s", count: 50_000)))
        span.end()

        #expect(try recorder.recordSizes.only <= 8_192)
        let data = try recorder.span
        #expect(data.attributes["key.0"] == .string(long))
        #expect(data.attributes["small"] == 1)
        #expect(data.droppedAttributesCount == 19)
        #expect(data.droppedEventsCount == 20)
        #expect(data.droppedLinksCount == 20)
        #expect(data.status.isError)
    }

    @Test func `values nest no deeper than readers take`() throws {
        let recorder = Recorder()
        var value: AttributeValue = "core"
        for _ in 0..<100 { value = .array([value]) }
        var map: AttributeValue = "core"
        for _ in 0..<100 { map = .map(["inner": map]) }
        let span = recorder.tracer.spanBuilder("any").startSpan()
        span.setAttribute("arrays", value)
        span.setAttribute("maps", map)
        span.end()

        var depth = 0
        var rest = try #require(try recorder.span.attributes["arrays"])
        while case .array(let inner) = rest {
            depth += 1
            rest = try inner.only
        }
        #expect(depth == RecordLimits().attributeValueDepth && rest == .empty)
    }
}
