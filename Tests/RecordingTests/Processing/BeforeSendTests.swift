import AstrolabePlatform
import AstrolabeSemantics
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct BeforeSendTests {
    private struct Declined: Error, CustomStringConvertible {
        var description: String { "card declined" }
    }

    private func recorder(
        limits: RecordLimits = RecordLimits(), _ beforeSend: RecordProcessors.BeforeSend...,
    ) -> Recorder {
        Recorder(limits: limits, ambient: ["session.id": "s-1"], processors: RecordProcessors(beforeSend: beforeSend))
    }

    @Test func `drops spans, events and log lines, and counts them`() throws {
        let recorder = recorder { $0.name != "heartbeat" }
        recorder.tracer.withSpan("heartbeat") { _ in recorder.tracer.withSpan("request") { _ in } }
        recorder.events.emit("heartbeat")
        recorder.events.info("a line")
        #expect(try recorder.spans.map(\.name) == ["request"])
        #expect(try recorder.logRecord.body == "a line")
        #expect(recorder.core.droppedByFilters() == 2)
    }

    @Test func `scrubs the attributes of a span, its events and its links, and of an event`() throws {
        let recorder = recorder { record in
            record.updateAttributes { $0["demo.card.holder"] = nil }
            return true
        }
        let other = recorder.tracer.spanBuilder("other").startSpan()
        let holder: Attributes = ["demo.card.holder": "M. Mustermann", "n": 1]
        recorder.tracer.withSpan("charge", attributes: holder) { span in
            span.addEvent("charged", attributes: holder)
            span.addLink(other.context, attributes: holder)
            span.setStatus(.ok)
        }
        recorder.events.emit("charged", attributes: holder)
        let span = try recorder.span
        #expect(span.attributes == ["session.id": "s-1", "n": 1])
        #expect(span.events.map(\.attributes) == [["n": 1]] && span.links.map(\.attributes) == [["n": 1]])
        #expect(span.links.map(\.context) == [other.context] && span.status == .ok && span.name == "charge")
        #expect(try recorder.logRecord.attributes["demo.card.holder"] == nil)
        #expect(recorder.rawRecords.allSatisfy { !String(decoding: $0, as: UTF8.self).contains("Mustermann") })
    }

    @Test func `leaves the bytes of a record that it does not change as they are`() throws {
        let plain = Recorder(ambient: ["session.id": "s-1"])
        let processed = recorder { record in
            record.updateAttributes { _ in }
            return true
        }
        for recorder in [plain, processed] {
            recorder.tracer.withSpan("root", attributes: ["n": 1]) { $0.addEvent("e") }
        }
        // The identifiers come first and differ.
        let sizes = [plain, processed].map(\.recordSizes)
        #expect(sizes[0] == sizes[1])
        let tails = [plain, processed].map { Array($0.rawRecords[0].dropFirst(28)) }
        #expect(tails[0] == tails[1])
    }

    @Test func `changes every part of a span`() throws {
        let recorder = recorder { record in
            guard case .span(var span) = record else { return true }
            span.name = "renamed"
            span.attributes = ["only": 1]
            span.events = [SpanEvent(name: "new", timeUnixNano: 5, attributes: ["e": 1])]
            span.links = []
            span.status = .error("changed")
            record = .span(span)
            return true
        }
        recorder.tracer.withSpan("root", attributes: ["n": 1]) { $0.addEvent("old") }
        let span = try recorder.span
        #expect(span.name == "renamed" && span.attributes == ["only": 1] && span.status == .error("changed"))
        #expect(span.events == [SpanEvent(name: "new", timeUnixNano: 5, attributes: ["e": 1])])
        #expect(recorder.headers.map(\.priority) == [.high])
    }

    @Test func `cannot bring in what redaction and limits keep out`() throws {
        var limits = RecordLimits()
        limits.attributeValueLength = 8
        let recorder = recorder(limits: limits) { record in
            record.updateAttributes {
                $0["password"] = "hunter2"
                $0["long"] = "0123456789"
            }
            record.name = "user a@example.com"
            return true
        }
        recorder.tracer.withSpan("root") { _ in }
        recorder.events.emit("event")
        #expect(try recorder.span.attributes == ["session.id": "s-1", "password": "REDACTED", "long": "01234567"])
        #expect(try recorder.logRecord.attributes["password"] == "REDACTED")
        #expect(try recorder.logRecord.attributes["long"] == "01234567")
        #expect(try !recorder.span.name.contains("@") && !recorder.logRecord.eventName.contains("@"))
    }

    @Test func `runs each closure until one drops the record, with the changes of those before`() throws {
        let seen = Locked<[String]>([])
        let recorder = recorder(
            { record in
                record.name += "1"
                return true
            },
            { record in
                seen.withLock { $0.append(record.name) }
                return record.name != "drop1"
            },
            { record in
                seen.withLock { $0.append("last: " + record.name) }
                return true
            })
        recorder.events.emit("drop")
        recorder.events.emit("keep")
        #expect(seen.withLock { $0 } == ["drop1", "keep1", "last: keep1"])
        #expect(try recorder.logRecord.eventName == "keep1")
    }

    @Test func `sees spans of an earlier run and those of the flight recorder`() throws {
        let recorder = Recorder(
            sampler: SessionSampler(rate: 0),
            processors: RecordProcessors(beforeSend: [
                { record in
                    record.updateAttributes { $0["secret"] = nil }
                    return record.name != "quiet"
                }
            ]), triggers: RecorderTriggers())
        _ = try? recorder.tracer.withSpan("charge", attributes: ["secret": 1]) { _ in throw Declined() }
        let span = try recorder.span
        #expect(span.attributes["secret"] == nil && !span.context.isSampled)

        let open = Recorder()
        open.tracer.withSpan("quiet") { _ in }
        try open.rawRecords[0].withUnsafeBytes { bytes in
            let fields = try #require(UnfinishedSpan.fields(ofFinished: Array(bytes)))
            fields.withUnsafeBytes { copied in
                UnfinishedSpan(copied: copied)?.record(
                    in: recorder.core, scope: InstrumentationScope(name: "earlier"), endTimeUnixNano: 9,
                    reason: "crash")
            }
        }
        #expect(try recorder.spans.map(\.name) == ["charge"])
        #expect(recorder.core.droppedByFilters() == 1)
    }
}
