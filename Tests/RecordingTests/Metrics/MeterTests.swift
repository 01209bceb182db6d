import AstrolabePlatform
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct MeterTests {
    let recorder = Recorder()

    @Test func `the same name is the same instrument, whatever its case`() throws {
        recorder.meter.counter("Requests", unit: "{request}").add(1)
        recorder.meter.counter("requests").add(2)
        let metric = try recorder.collectMetrics().only
        #expect(metric.name == "Requests" && metric.unit == "{request}")
        #expect(metric.data == .sum([try metric.numberPoints.only], temporality: .delta, isMonotonic: true))
        #expect(try metric.numberPoints.only.value == .int(3))
    }

    @Test func `histograms of one name with other bounds are one, and lose nothing`() throws {
        recorder.meter.histogram("latency", bounds: [1]).record(0)
        recorder.meter.histogram("latency", bounds: [2, 3]).record(5)
        let point = try recorder.collectMetrics().only.histogramPoints.only
        #expect(point.explicitBounds == [1])
        #expect(point.count == 2)
    }

    @Test func `two kinds under one name are both recorded`() throws {
        recorder.meter.counter("mixed").add(1)
        recorder.meter.gauge("mixed").record(2)
        recorder.meter.upDownCounter("mixed").add(3)
        #expect(try recorder.collectMetrics().map(\.name) == ["mixed", "mixed", "mixed"])
    }

    @Test func `scopes keep instruments of one name apart`() throws {
        let other = Meter(registry: recorder.registry, scope: InstrumentationScope(name: "other"))
        recorder.meter.counter("any").add(1)
        other.counter("any").add(2)
        #expect(try recorder.collectMetrics().count == 2)
        #expect(recorder.scopes.map(\.name) == ["test", "other"])
        #expect(Set(recorder.headers.map(\.scope.rawValue)) == [0, 1])
    }

    @Test func `an instrument without a name measures nothing`() throws {
        recorder.meter.counter("").add(1)
        #expect(try recorder.collectMetrics().isEmpty)
    }

    @Test func `names made of data cannot fill memory, and a diagnostic says so once`() throws {
        let lines = Locked<[String]>([])
        let recorder = Recorder(onDiagnostic: { line in lines.withLock { $0.append(line) } })
        for index in 0..<1_500 { recorder.meter.counter("name \(index)").add(1) }
        #expect(try recorder.collectMetrics().count == 1_000)
        #expect(
            lines.withLock { $0 } == [
                "The instrument \"name 1000\" of the meter \"test\" measures nothing, as there are 1000 instruments, "
                    + "the most that are possible. Put what varies into attributes instead of names."
            ])
    }

    @Test func `a disabled meter measures nothing`() {
        Meter.disabled.counter("any").add(1)
        Meter.disabled.upDownCounter("any").add(1)
        Meter.disabled.histogram("any").record(1)
        Meter.disabled.gauge("any").record(1)
        Meter.disabled.observableGauge("any") {
            Issue.record("asked")
            return 1
        }
    }
}
