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
        let scopes = RegisteredScopes()
        let severities = [0, 1, 4, 5, 12, 16, 17, 24].map { (number: Int32) -> Severity? in
            let data = LogRecordData(timeUnixNano: 0, severityNumber: number)
            return LogRecord(data, scope: ScopeNumber(rawValue: 0), scopes: scopes).severity
        }
        #expect(severities == [nil, .trace, .trace, .debug, .info, .warn, .error, .fatal])
    }
}
