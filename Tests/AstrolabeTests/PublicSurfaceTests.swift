import Astrolabe
import Foundation
import Testing

/// This file imports what an app imports and no module of the SDK beside it.
@Suite struct `The public surface` {
    private func total(_ bytes: Span<UInt8>) -> Int {
        bytes.indices.reduce(0) { $0 + Int(bytes[$1]) }
    }

    @Test func `leaves Span to the standard library`() {
        let bytes: ContiguousArray<UInt8> = [1, 2, 3]
        #expect(total(bytes.span) == 6)
    }

    @Test func `names spans and instruments within their tracer and meter`() {
        let span: Tracer.Span = Telemetry.disabled.tracer("shop").spanBuilder("checkout").startSpan()
        let gauge: Meter.Gauge = Telemetry.disabled.meter("shop").gauge("demo.cart.items.count")
        let counter: Meter.Counter = Telemetry.disabled.meter("shop").counter("demo.orders")
        gauge.record(2)
        counter.add(1)
        span.end()
        #expect(!span.isRecording)
    }

    @Test func `has the types of a configuration`() {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.sampling = .ratio(0.5)
        configuration.limits.attributeCount = 64
        configuration.health.hangThresholds = HangThresholds()
        let session: SessionSnapshot? = Telemetry.disabled.session.current
        #expect(session == nil)
    }

    private struct Renaming: SpanProcessor, LogRecordProcessor {
        func onStart(_ span: Tracer.Span, parent: SpanContext?) { span.setAttribute("is.root", parent == nil) }
        func onEnd(_ span: FinishedSpan) {}
        func onEmit(_ record: inout LogRecord) { record.attributes["seen"] = true }
    }

    private struct Everything: Sampler {
        var description: String { "Everything" }

        func shouldSample(_ input: SamplingInput) -> SamplingResult {
            SamplingResult(
                input.attributes.isEmpty ? .recordAndSample : .recordOnly,
                traceState: input.parent?.traceState ?? TraceState(), )
        }
    }

    @Test func `lets an app write processors and samplers`() {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.spanProcessors = [Renaming()]
        configuration.logRecordProcessors = [Renaming()]
        configuration.beforeSend.append { record in
            if case .span(let span) = record { return span.events.isEmpty && span.links.isEmpty }
            return true
        }
        configuration.sampler = ParentBasedSampler(root: Everything(), remoteParentNotSampled: RatioSampler(0.5))
        #expect(
            configuration.sampler?.description
                == "ParentBased{root:Everything,remoteParentNotSampled:RatioSampler{0.5}}")
    }
}
