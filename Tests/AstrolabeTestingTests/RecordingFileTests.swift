import Astrolabe
import AstrolabePlatform
import AstrolabeTesting
import Foundation
import Testing

@Suite struct `A recorded session` {
    private let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).jsonl")

    /// Keeps the names and the durations of what ends.
    private final class Ended: SpanProcessor {
        let spans = Locked<[String]>([])

        func onEnd(_ span: FinishedSpan) {
            let milliseconds = (span.endTimeUnixNano - span.startTimeUnixNano) / 1_000_000
            let amount = span["demo.order.amount"]?.doubleValue
            spans.withLock { $0.append("\(span.scopeName) \(span.name) \(milliseconds) \(amount ?? 0) \(span.status)") }
        }
    }

    @Test func `comes back from a file as it was`() async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let trace = CheckoutTrace()
        await trace.record()
        trace.telemetry.meter("shop").counter("demo.orders").add(2, attributes: ["demo.country": "NZ"])
        await trace.telemetry.flush()
        try trace.collector.write(to: file)
        let session = try TelemetryCollector(contentsOf: file)
        #expect(session.spans == trace.collector.spans)
        #expect(session.events == trace.collector.events)
        #expect(session.metrics == trace.collector.metrics)
        #expect(session.total(ofCounter: "demo.orders") == 2)
        try session.requireSpan(.named("charge card").failed().child(of: "checkout"))
        #expect(session.traceText() == trace.collector.traceText())
        // A line for each signal, and again the same.
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(
            text.split(separator: "\n").map { $0.prefix(15) } == [
                "{\"resourceSpans", "{\"resourceLogs\"", "{\"resourceMetri",
            ])
        try session.write(to: file)
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test func `goes through a processor`() async throws {
        let trace = CheckoutTrace()
        await trace.record()
        let ended = Ended()
        trace.collector.replay(into: ended)
        #expect(
            ended.spans.withLock { $0 } == [
                "shop charge card 2000 0.0 error(\"declined\")", "shop ship order 0 0.0 unset",
                "shop checkout 2001 57.08 unset",
            ])
    }

    @Test func `is divided into requests of a thousand records`() async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let collector = TelemetryCollector()
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        for number in 0..<1_001 { telemetry.tracer("shop").withSpan("work \(number)") { _ in } }
        await telemetry.flush()
        try collector.write(to: file)
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("{\"resourceSpans") }.count == 2)
        #expect(try TelemetryCollector(contentsOf: file).spans.map(\.name) == collector.spans.map(\.name))
    }

    @Test func `is refused with the number of the line that is no request`() throws {
        defer { try? FileManager.default.removeItem(at: file) }
        for (text, expected) in [
            ("{\"resourceSpans\":[]}\n\nhello\n", "line 3: expected a request of OTLP in JSON"),
            ("{\"resourceSpans\":[{\"scopeSpans\":7}]}", "line 1: "),
            ("{\"resourceProfiles\":[]}", "line 1: expected"),
        ] {
            try Data(text.utf8).write(to: file)
            let error = #expect(throws: (any Error).self) { try TelemetryCollector(contentsOf: file) }
            #expect(error?.localizedDescription.hasPrefix(expected) == true, "\(String(describing: error))")
        }
        try Data().write(to: file)
        #expect(try TelemetryCollector(contentsOf: file).spans.isEmpty)
        #expect(throws: (any Error).self) {
            try TelemetryCollector(contentsOf: URL(fileURLWithPath: "/nowhere/session.jsonl"))
        }
    }
}
