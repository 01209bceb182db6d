import AstrolabePlatform
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct LogRecordProcessorTests {
    private struct Tagging: LogRecordProcessor {
        let key: String
        var seen = Locked<[LogRecord]>([])

        func onEmit(_ record: inout LogRecord) {
            seen.withLock { [record] in $0.append(record) }
            record.attributes[key] = .int(Int64(record.attributes.count))
        }
    }

    @Test func `changes records in order, before they are stored`() throws {
        let (first, second) = (Tagging(key: "first"), Tagging(key: "second"))
        let recorder = Recorder(processors: RecordProcessors(log: [first, second]))
        recorder.tracer.withSpan("root") { span in
            recorder.events.emit("demo.viewed", severity: .warn, body: "text", attributes: ["n": 1])
            let seen = second.seen.withLock { $0 }.first
            #expect(seen?.name == "demo.viewed" && seen?.severity == .warn && seen?.body == "text")
            #expect(seen?.traceID == span.context.traceID && seen?.spanID == span.context.spanID)
            #expect(seen?.attributes == ["n": 1, "first": 1] && seen?.scopeName == "test")
            #expect(seen?.timeUnixNano == recorder.time.now)
        }
        let attributes = try recorder.logRecord.attributes
        #expect(attributes["first"] == 1 && attributes["second"] == 2)
        #expect(attributes["log.record.uid"] != nil)
    }

    @Test func `changes name and body, which are redacted`() throws {
        struct Renaming: LogRecordProcessor {
            func onEmit(_ record: inout LogRecord) {
                record.name = "demo.renamed"
                record.body = "password=hunter2"
            }
        }
        let recorder = Recorder(processors: RecordProcessors(log: [Renaming()]))
        recorder.events.emit("demo.viewed")
        #expect(try recorder.logRecord.eventName == "demo.renamed")
        #expect(try recorder.logRecord.body == "password=REDACTED")
    }

    @Test func `sees the severity group of a number`() {
        struct Reading: LogRecordProcessor {
            let seen = Locked<[Severity?]>([])

            func onEmit(_ record: inout LogRecord) {
                let severity = record.severity
                seen.withLock { $0.append(severity) }
            }
        }
        let reading = Reading()
        let recorder = Recorder(processors: RecordProcessors(log: [reading]))
        for number: Int32 in [0, 1, 4, 5, 12, 16, 17, 24] {
            recorder.events.emit(
                "any", severity: .info, number: number, body: .empty, attributes: [:], timeUnixNano: nil,
                observedTimeUnixNano: nil, context: nil)
        }
        #expect(
            reading.seen.withLock { $0 } == [nil, .trace, .trace, .debug, .info, .warn, .error, .fatal])
    }

    @Test func `leaves the bytes of a record that it does not change as they are`() throws {
        struct Reading: LogRecordProcessor {
            func onEmit(_ record: inout LogRecord) {
                _ = (record.name, record.severity, record.body, record.attributes, record.time, record.traceID)
            }
        }
        let plain = Recorder(ambient: ["session.id": "s-1"])
        let processed = Recorder(
            ambient: ["session.id": "s-1"],
            processors: RecordProcessors(
                log: [Reading()],
                beforeSend: [
                    { record in
                        record.updateAttributes { $0["none"] = nil }
                        return true
                    }
                ]))
        for recorder in [plain, processed] {
            recorder.events.emit("demo.viewed", body: "text", attributes: ["n": 1, "log.record.uid": "given"])
        }
        #expect(plain.rawRecords == processed.rawRecords)
    }

    @Test func `a changed record keeps its time, severity, trace and number of dropped attributes`() throws {
        struct Tagged: LogRecordProcessor {
            func onEmit(_ record: inout LogRecord) {
                record.attributes["a"] = nil
                record.attributes["tag"] = true
            }
        }
        var limits = RecordLimits()
        limits.attributeCount = 2
        let recorder = Recorder(
            limits: limits, ambient: ["session.id": "s-1"], processors: RecordProcessors(log: [Tagged()]))
        let given = SpanContext(traceID: TraceID(high: 1, low: 2), spanID: SpanID(3), flags: [.sampled])
        recorder.events.emit(
            "any", severity: .warn, number: 14, body: .array([1, "two"]), attributes: ["a": 1, "b": 2, "c": 3],
            timeUnixNano: 42, observedTimeUnixNano: 43, context: given)
        let record = try recorder.logRecord
        #expect(record.timeUnixNano == 42 && record.observedTimeUnixNano == 43)
        #expect(record.severityNumber == 14 && record.severityText == "WARN" && record.body == .array([1, "two"]))
        #expect(record.traceID == given.traceID && record.spanID == given.spanID && record.flags == [.sampled])
        #expect(record.attributes.dropLast().map(\.key) == ["session.id", "b", "tag"])
        #expect(record.droppedAttributesCount == 1)
    }
}
