import Astrolabe
import AstrolabeSessionReplay
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

@Suite struct DisabledSignalTests {
    private func record(with telemetry: Telemetry) {
        telemetry.tracer("test").withSpan("work") { span in
            span.recordException(CocoaError(.fileNoSuchFile))
            telemetry.logger("test").error("failed")
        }
        telemetry.meter("test").counter("demo.orders").add(1)
        _ = telemetry.meter("test").observableGauge("demo.cart.items") { 3 }
        telemetry.collectMetrics()
    }

    @Test(arguments: [
        ("OTEL_TRACES_EXPORTER", RecordKind.span), ("OTEL_LOGS_EXPORTER", .event), ("OTEL_METRICS_EXPORTER", .metric),
    ])
    func `an exporter that is none turns its signal off, and no other`(variable: String, kind: RecordKind) throws {
        let sink = MemorySink()
        let configuration = try TelemetryConfiguration.load(environment: [variable: "None"]) { configuration in
            configuration.storageDirectory = temporaryFolder()
            configuration.exceptionSignal = .both
        }
        let telemetry = Telemetry(configuration, sink: sink)
        record(with: telemetry)
        let (spans, events, metrics) = (try sink.spans, try sink.events, try sink.metrics)
        #expect(spans.isEmpty == (kind == .span))
        #expect(events.isEmpty == (kind == .event))
        #expect(metrics.isEmpty == (kind == .metric))
        // The SDK's own events are log records, and exceptions need their span.
        #expect(events.contains { $0.eventName == "session.start" } == (kind != .event))
        #expect(events.contains { $0.eventName == "exception" } == (kind == .metric))
        #expect(telemetry.logger("test").isEnabled == (kind != .event))
        let session = try #require(telemetry.session.current?.id)
        #expect(spans.allSatisfy { $0.attributes["session.id"] == .string(session) })
    }

    @Test func `records of signals that are off are in no count, and a remote parent is passed on`() async throws {
        let collector = TelemetryCollector()
        var configuration = try TelemetryConfiguration.load(environment: [
            "OTEL_TRACES_EXPORTER": "none", "OTEL_LOGS_EXPORTER": "none", "OTEL_METRICS_EXPORTER": "none",
        ])
        configuration.replay.isEnabled = true
        let telemetry = collector.start(configuration)
        #expect(!telemetry.replay.isEnabled, "nothing would hold its frames")
        record(with: telemetry)
        telemetry.session.reset()
        #expect(telemetry.isEnabled && telemetry.session.current != nil)
        let parent = SpanContext(
            traceID: TraceID(high: 1, low: 2), spanID: SpanID(3), flags: .sampled, isRemote: true)
        TelemetryContext(span: .nonRecording(parent)).withValue {
            telemetry.tracer("test").withSpan("work") { _ in
                #expect(TelemetryContext.current.span?.context == parent)
            }
        }
        let ledger = await telemetry.shutdown().ledger
        #expect(ledger.created == 0 && ledger.dropped.isEmpty && ledger.isBalanced)
        #expect(collector.spans.isEmpty && collector.events.isEmpty && collector.metrics.isEmpty)
    }
}
