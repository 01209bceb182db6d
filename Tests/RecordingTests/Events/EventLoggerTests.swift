import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct EventLoggerTests {
    let recorder = Recorder(ambient: ["session.id": "s-1", "app.screen.name": "Cart"])

    @Test func `an event has its name, time, severity, body and attributes`() throws {
        recorder.events.emit(
            "demo.cart.product_added", severity: .warn, body: "added", attributes: ["demo.product.id": "OLJCESPC7Z"],
            timeUnixNano: 42, )
        let record = try recorder.logRecord
        #expect(record.eventName == "demo.cart.product_added")
        #expect(record.timeUnixNano == 42)
        #expect(record.observedTimeUnixNano == recorder.time.now)
        #expect(record.severityNumber == 13 && record.severityText == "WARN")
        #expect(record.body == "added")
        #expect(record.attributes["demo.product.id"] == "OLJCESPC7Z")
        #expect(record.traceID == .invalid && record.spanID == .invalid)
    }

    @Test func `ambient attributes are there, and its own win`() throws {
        recorder.events.emit("any", attributes: ["app.screen.name": "Checkout"])
        let attributes = try recorder.logRecord.attributes
        #expect(attributes["session.id"] == "s-1")
        #expect(attributes["app.screen.name"] == "Checkout")
        #expect(Set(attributes.map(\.key)).count == attributes.count)
    }

    @Test func `every record has an id of its own, unless it brings one`() throws {
        recorder.events.emit("first")
        recorder.events.emit("second")
        recorder.events.emit("third", attributes: ["log.record.uid": "given"])
        let ids = try recorder.logRecords.compactMap { $0.attributes["log.record.uid"]?.stringValue }
        try #require(ids.count == 3 && Set(ids).count == 3)
        #expect(ids[0].utf8.count == 36 && ids[2] == "given")
    }

    @Test func `it belongs to the current span, or to the one that is given`() throws {
        let given = SpanContext(traceID: TraceID(high: 1, low: 2), spanID: SpanID(3), flags: [.sampled])
        let span = recorder.tracer.withSpan("outer") { span in
            recorder.events.emit("inside")
            recorder.events.emit("elsewhere", context: given)
            return span.context
        }
        let records = try recorder.logRecords
        #expect(records[0].traceID == span.traceID && records[0].spanID == span.spanID)
        #expect(records[0].flags == [.sampled, .random])
        #expect(records[1].traceID == given.traceID && records[1].spanID == given.spanID)
        #expect(records[1].flags == [.sampled])
    }

    @Test(arguments: [
        (Severity.trace, Priority.low), (.debug, .low), (.info, .normal), (.warn, .normal), (.error, .high),
        (.fatal, .high),
    ])
    func `grave events go before others`(severity: Severity, priority: Priority) throws {
        recorder.events.emit("any", severity: severity)
        #expect(try recorder.headers.only.priority == priority)
        #expect(try recorder.headers.only.kind == .event)
        #expect(try recorder.logRecord.severityNumber == severity.rawValue)
    }

    @Test func `attributes beyond the limit are counted, and those of the event come before those of all records`()
        throws
    {
        var limits = RecordLimits()
        limits.attributeCount = 3
        let recorder = Recorder(limits: limits, ambient: ["session.id": "s"])
        recorder.core.setAmbient("a", to: 1)
        recorder.core.setAmbient("b", to: 2)
        recorder.events.emit("any", attributes: ["b": 3, "c": 4, "d": 5, "e": 6])
        let record = try recorder.logRecord
        #expect(record.attributes["b"] == 3 && record.attributes["c"] == 4 && record.attributes["d"] == 5)
        #expect(record.attributes["a"] == nil && record.attributes["e"] == nil)
        #expect(record.attributes["session.id"] == "s")
        #expect(record.droppedAttributesCount == 2)
    }

    @Test func `no record passes the size limit: the largest attributes go first, then the body`() throws {
        var limits = RecordLimits()
        limits.recordSize = 2_000
        let recorder = Recorder(limits: limits)
        let long = AttributeValue.string(String(repeating: "x", count: 900))
        recorder.events.emit("any", body: "kept", attributes: ["a": long, "b": long, "c": long, "small": 1])
        recorder.events.emit("body", body: .array(Array(repeating: long, count: 10)), attributes: ["small": 1])
        #expect(recorder.recordSizes.allSatisfy { $0 <= 2_000 })
        let records = try recorder.logRecords
        #expect(records[0].droppedAttributesCount == 1)
        #expect(records[0].attributes["small"] == 1 && records[0].body == "kept")
        #expect(records[1].body == .empty)
    }

    @Test(arguments: ["text", 7, true, .map(["a": ["b"]]), .bytes([1, 2]), .empty] as [AttributeValue])
    func `a body may be of any type`(body: AttributeValue) throws {
        recorder.events.emit("any", body: body)
        #expect(try recorder.logRecord.body == body)
    }

    @Test func `a record below the minimum severity is not made, and one of unknown severity is`() throws {
        let logger = EventLogger(
            core: recorder.core, scope: InstrumentationScope(name: "strict"), minimumSeverity: .warn, )
        #expect(!logger.isEnabled(for: .info) && logger.isEnabled(for: .warn) && logger.isEnabled(for: .fatal))
        logger.info("left out")
        logger.emit("left.out")
        logger.warn("kept")
        logger.emit(
            "unknown", severity: .info, number: 0, body: .empty, attributes: [:], timeUnixNano: nil,
            observedTimeUnixNano: nil, context: nil, )
        #expect(try recorder.logRecords.map(\.eventName) == ["", "unknown"])
        #expect(recorder.events.isEnabled(for: .trace) && !EventLogger.disabled.isEnabled(for: .fatal))
    }

    @Test func `a logger that is disabled does nothing`() {
        #expect(!EventLogger.disabled.isEnabled)
        EventLogger.disabled.emit("any", attributes: ["a": 1])
    }

    @Test func `threads that emit at once lose nothing`() throws {
        onThreads(4) { thread in
            for index in 0..<250 { recorder.events.emit("\(thread).\(index)") }
        }
        let records = try recorder.logRecords
        #expect(Set(records.map(\.eventName)).count == 1_000)
        #expect(Set(records.compactMap { $0.attributes["log.record.uid"]?.stringValue }).count == 1_000)
    }
}
