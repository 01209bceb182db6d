import AstrolabePlatform
import AstrolabeSeededRandomness
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct EventLoggerTests {
    let recorder = Recorder(ambient: ["session.id": "s-1", "app.screen.name": "Cart"])

    @Test func `an event has its name, time, severity, body and attributes`() throws {
        recorder.events.emit(
            "demo.cart.product_added", severity: .warn, body: "added", attributes: ["demo.product.id": "OLJCESPC7Z"],
            timeUnixNano: 42)
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

    @Test func `it belongs to a sampled-out trace also in a task that outlives the root`() async throws {
        let recorder = Recorder(sampler: SessionSampler(rate: 0))
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (context, task) = await recorder.tracer.withSpan("root") { span in
            let task = Task {
                _ = await gate.first { _ in true }
                recorder.events.emit("later")
            }
            await Task.yield()
            return (span.context, task)
        }
        open.yield()
        await task.value
        #expect(try recorder.logRecord.traceID == context.traceID)
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
        #expect(records[1].body == .empty && records[1].attributes["small"] == 1)
        #expect(records.allSatisfy { $0.attributes["log.record.uid"] != nil })
    }

    @Test func `a name that is larger than a record is cut, and a diagnostic names what is too large once`() throws {
        var limits = RecordLimits()
        limits.recordSize = 1_024
        limits.attributeValueLength = .max
        let lines = Locked<[String]>([])
        let recorder = Recorder(limits: limits, onDiagnostic: { line in lines.withLock { $0.append(line) } })
        recorder.events.emit(String(repeating: "n", count: 5_000), attributes: ["small": 1])
        let long = AttributeValue.string(String(repeating: "x", count: 2_000))
        for _ in 0..<2 { recorder.events.emit("demo.large", attributes: ["long": long, "small": 1]) }
        #expect(recorder.recordSizes.allSatisfy { $0 <= 1_024 })
        let records = try recorder.logRecords
        #expect(records[0].eventName.utf8.count > 500 && records[0].attributes["small"] == 1)
        #expect(records[1].attributes["long"] == nil && records[1].attributes["small"] == 1)
        #expect(records.map(\.droppedAttributesCount) == [0, 1, 1])
        #expect(
            lines.withLock { $0 } == [
                "The event \"demo.large\" is too large: a record can have 1024 bytes. Its largest attributes are "
                    + "dropped and counted on the event. Record less."
            ])
    }

    @Test func `attributes follow the rules, whatever is set on an event and on all records`() throws {
        var random = SeededGenerator(seed: 20_261_127)
        func keys(_ count: ClosedRange<Int>) -> [String] {
            Array((0..<16).map { "key.\($0)" }.shuffled(using: &random).prefix(Int.random(in: count, using: &random)))
        }
        for _ in 0..<200 {
            var limits = RecordLimits()
            limits.attributeCount = Int.random(in: 0...12, using: &random)
            let (sdk, app, own) = (keys(0...3), keys(0...6), keys(0...16))
            let recorder = Recorder(
                limits: limits,
                ambient: Attributes(elements: sdk.map { Attributes.Element(key: $0, value: "sdk") }))
            for key in app { recorder.core.setAmbient(key, to: "app") }
            recorder.events.emit(
                "any", attributes: Attributes(elements: own.map { Attributes.Element(key: $0, value: "own") }))

            let kept = own.prefix(limits.attributeCount)
            let rest = app.filter { !sdk.contains($0) && !kept.contains($0) }
            let expected: [(String, AttributeValue)] =
                sdk.filter { !kept.contains($0) }.map { ($0, AttributeValue("sdk")) }
                + rest.prefix(limits.attributeCount - kept.count).map { ($0, AttributeValue("app")) }
                + kept.map { ($0, AttributeValue("own")) }
            let record = try recorder.logRecord
            let found = record.attributes.filter { $0.key != "log.record.uid" }
            #expect(found.map(\.key) == expected.map(\.0))
            #expect(found.map(\.value) == expected.map(\.1))
            guard Set(app).isDisjoint(with: own) else { continue }
            let dropped = own.count - kept.count + max(rest.count - (limits.attributeCount - kept.count), 0)
            #expect(record.droppedAttributesCount == dropped)
        }
    }

    @Test func `what an event has been given is redacted: keys, texts, numbers, lists, name and body`() throws {
        recorder.events.emit(
            "user ada@example.com", body: "password=hunter2",
            attributes: [
                "password": "hunter2", "card": 4_111_111_111_111_111, "list": ["ada@example.com"],
                "of ada@example.com": true,
            ])
        let record = try recorder.logRecord
        #expect(record.body == "password=REDACTED" && !record.eventName.contains("ada@"))
        #expect(record.attributes["password"] == "REDACTED" && record.attributes["card"] == "REDACTED")
        #expect(try !String(decoding: recorder.rawRecords.only, as: UTF8.self).contains("ada@example.com"))
    }

    @Test(arguments: ["text", 7, true, .map(["a": ["b"]]), .bytes([1, 2]), .empty] as [AttributeValue])
    func `a body may be of any type`(body: AttributeValue) throws {
        recorder.events.emit("any", body: body)
        #expect(try recorder.logRecord.body == body)
    }

    @Test func `a record below the minimum severity is not made, and one of unknown severity is`() throws {
        let logger = EventLogger(
            core: recorder.core, scope: InstrumentationScope(name: "strict"), minimumSeverity: .warn)
        #expect(!logger.isEnabled(for: .info) && logger.isEnabled(for: .warn) && logger.isEnabled(for: .fatal))
        logger.info("left out")
        logger.emit("left.out")
        logger.warn("kept")
        logger.emit(
            "unknown", severity: .info, number: 0, body: .empty, attributes: [:], timeUnixNano: nil,
            observedTimeUnixNano: nil, context: nil)
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
