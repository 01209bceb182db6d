import Astrolabe
import AstrolabeOTLP
import AstrolabeRecording
import AstrolabeTelemetryModel
import BenchmarkSubjects
import Foundation

/// The cost of a span for the app.
enum SpanRows {
    static func measure() -> [Row] {
        let sink = CopyingSink()
        let tracer = Workload.telemetry(into: sink).tracer(Workload.scope)
        let recorded = Measurement.of(count: 100_000) { Workload.record(with: tracer) }
        var encodedBytes = 0
        let objects = Measurement.of(count: 20_000) { encodedBytes &+= ObjectModelSpan.record().encoded().count }
        let disabledTracer = Telemetry.disabled.tracer(Workload.scope)
        let disabled = Measurement.of(count: 1_000_000) { Workload.record(with: disabledTracer) }
        let session = SamplerSubject.session(rate: 0)
        let unsampledTracer = Workload.telemetry(into: sink, sampler: session).tracer(Workload.scope)
        let unsampled = Measurement.of(count: 1_000_000) { Workload.record(with: unsampledTracer) }
        let inside = unsampledTracer.withSpan("root") { _ in
            Measurement.of(count: 1_000_000) { Workload.record(with: unsampledTracer) }
        }
        return [
            row("span with 8 attributes, encoded as OTLP", recorded, objects, limit: 1_000, allocations: 2),
            redaction(into: sink, of: recorded),
            redaction(into: sink, "with a JSON Web Token in one more attribute", token),
            redaction(into: sink, "with a path of 200 bytes in one more attribute", path),
            onFourThreads(),
            row(
                "the same, with a span processor that does nothing", processed(into: sink), objects, limit: 1_500,
                allocations: 8),
            row(
                "the same, with a beforeSend that reads an attribute", filtered(into: sink), objects, limit: 1_500,
                allocations: 8),
            row("the same, SDK disabled", disabled, objects, limit: 20, allocations: 0),
            keptOnDevice(into: sink, sampler: session, recorded),
            row(
                "the same, trace sampled out, without a flight recorder", unsampled, objects, limit: 20, allocations: 0,
            ),
            row(
                "the same, child of a sampled-out span, without a flight recorder", inside, objects, limit: 20,
                allocations: 0),
            nested(),
        ]
    }

    /// The cost of a span that goes to the flight recorder's ring.
    private static func keptOnDevice(into sink: CopyingSink, sampler: any Sampler, _ recorded: Measurement) -> Row {
        let core = RecordingCore(sink: sink, sampler: sampler, recorder: RecorderTriggers())
        let tracer = Tracer(core: core, scope: InstrumentationScope(name: Workload.scope))
        let kept = Measurement.of(count: 100_000) { Workload.record(with: tracer) }
        let ratio = kept.nanoseconds / recorded.nanoseconds
        return Row(
            name: "the same, trace sampled out, with a flight recorder",
            figure: "\(Report.ns(kept.nanoseconds)), \(Report.count(kept.allocations)) allocations",
            target: "at most 1.1 times a recorded one, no allocation more",
            isMet: ratio <= 1.1 && kept.allocations <= recorded.allocations,
            alternative: "recorded: \(Report.ns(recorded.nanoseconds)); \(Report.times(ratio)) as long")
    }

    /// The cost of a span that many others are around.
    private static func nested() -> Row {
        let tracer = Workload.telemetry(into: DiscardingSink()).tracer(Workload.scope)
        func nest(_ depth: Int) {
            tracer.withSpan("level") { _ in if depth > 1 { nest(depth - 1) } }
        }
        let shallow = Measurement.of(count: 100) { for _ in 0..<100 { nest(5) } }
        let deep = Measurement.of(count: 100) { nest(500) }
        let ratio = deep.nanoseconds / shallow.nanoseconds
        return Row(
            name: "500 spans inside one another",
            figure: "\(Report.ns(deep.nanoseconds / 500)) for each, \(Report.times(ratio)) as long",
            target: "at most twice as long", isMet: ratio <= 2,
            alternative: "5 spans inside one another: \(Report.ns(shallow.nanoseconds / 500)) for each")
    }

    /// The share of a span that its redaction takes: of 8 keys, 4 texts, the name and 3 numbers.
    private static func redaction(into sink: CopyingSink, of redacted: Measurement) -> Row {
        let tracer = Workload.telemetry(into: sink) { $0.redaction.isEnabled = false }.tracer(Workload.scope)
        let plain = Measurement.of(count: 100_000) { Workload.record(with: tracer) }
        let cost = redacted.nanoseconds - plain.nanoseconds
        return Row(
            name: "redaction of the same span",
            figure: "\(Report.ns(cost)), \(Report.count(redacted.allocations - plain.allocations)) allocations",
            target: "under \(Report.ns(300)), 0 allocations",
            isMet: cost < 300 && redacted.allocations <= plain.allocations,
            alternative: "redaction off: \(Report.ns(plain.nanoseconds)) for the span")
    }

    private static let token =
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0."
        + "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c"
    private static let path = String(
        "/var/mobile/Containers/Data/Application/Library/Caches/"
            .appending(String(repeating: "catalogue/telescopes/", count: 7)).prefix(200))

    /// The cost of the redaction of such a span, which has a text more.
    private static func redaction(into sink: CopyingSink, _ what: String, _ note: String) -> Row {
        let tracers = [true, false].map { isEnabled in
            Workload.telemetry(into: sink) { $0.redaction.isEnabled = isEnabled }.tracer(Workload.scope)
        }
        let times = tracers.map { tracer in
            Measurement.of(count: 100_000) { Workload.record(with: tracer, note: note) }.nanoseconds
        }
        return Row(
            name: "redaction of the same span, \(what)", figure: Report.ns(times[0] - times[1]), target: "none",
            isMet: nil, alternative: "redaction off: \(Report.ns(times[1])) for the span")
    }

    private struct Nothing: SpanProcessor {}

    private static func processed(into sink: CopyingSink) -> Measurement {
        let telemetry = Workload.telemetry(into: sink) { $0.spanProcessors = [Nothing()] }
        let tracer = telemetry.tracer(Workload.scope)
        return Measurement.of(count: 100_000) { Workload.record(with: tracer) }
    }

    private static func filtered(into sink: CopyingSink) -> Measurement {
        let telemetry = Workload.telemetry(into: sink) { configuration in
            configuration.beforeSend.append { record in
                if case .span(let span) = record { return span["demo.cached"] != true }
                return true
            }
        }
        let tracer = telemetry.tracer(Workload.scope)
        return Measurement.of(count: 100_000) { Workload.record(with: tracer) }
    }

    private static let threads = 4

    /// The processor time of a span, as far as four threads keep all processors busy, up to four.
    private static func perSpan(_ count: Int, _ record: @escaping @Sendable () -> Void) -> Double {
        let measured = Measurement.of(count: 1) {
            DispatchQueue.concurrentPerform(iterations: threads) { _ in
                for _ in 0..<count { record() }
            }
        }
        let processors = Double(min(threads, ProcessInfo.processInfo.activeProcessorCount))
        return measured.nanoseconds * processors / Double(threads * count)
    }

    private static func onFourThreads() -> Row {
        let tracer = Workload.telemetry(into: DiscardingSink()).tracer(Workload.scope)
        let recorded = perSpan(50_000) { Workload.record(with: tracer) }
        let objects = perSpan(5_000) { _ = ObjectModelSpan.record().encoded() }
        return Row(
            name: "the same, on four threads at once", figure: "\(Report.ns(recorded)) of processor time",
            target: "under \(Report.ns(1_000))", isMet: recorded < 1_000,
            alternative: "objects, encoded later: \(Report.ns(objects)); \(Report.times(objects / recorded))")
    }

    private static func row(
        _ name: String, _ measured: Measurement, _ other: Measurement, limit: Double, allocations: Double,
    ) -> Row {
        Row(
            name: name,
            figure: "\(Report.ns(measured.nanoseconds)), \(Report.count(measured.allocations)) allocations",
            target: "under \(Report.ns(limit)), \(Report.count(allocations)) allocations",
            isMet: measured.nanoseconds < limit && measured.allocations <= allocations,
            alternative:
                "objects, encoded later: \(Report.ns(other.nanoseconds)), \(Report.count(other.allocations)) allocations; "
                + Report.times(other.nanoseconds / measured.nanoseconds))
    }
}
