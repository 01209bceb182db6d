import Astrolabe
import AstrolabeOTLP
import BenchmarkSubjects

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
            row("the same, SDK disabled", disabled, objects, limit: 20, allocations: 0),
            row("the same, trace sampled out", unsampled, objects, limit: 20, allocations: 0),
            row("the same, child of a sampled-out span", inside, objects, limit: 20, allocations: 0),
        ]
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
                + Report.times(other.nanoseconds / measured.nanoseconds), )
    }
}
