import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct DisabledRecordTests {
    @Test func `records of an earlier run are not made while their signal is disabled`() throws {
        let open = Recorder()
        open.tracer.withSpan("work") { _ in }
        let recorder = Recorder(disabledSignals: [.span, .event, .metric])
        try open.rawRecords[0].withUnsafeBytes { bytes in
            let fields = try #require(UnfinishedSpan.fields(ofFinished: Array(bytes)))
            fields.withUnsafeBytes { copied in
                let span = UnfinishedSpan(copied: copied)
                for core in [open.core, recorder.core] {
                    span?.record(
                        in: core, scope: InstrumentationScope(name: "earlier"), endTimeUnixNano: 9, reason: "crash")
                }
            }
        }
        recorder.events.emit(
            earlier: "app.crash", severity: .fatal, attributes: [:], timeUnixNano: 9, context: .invalid,
            priority: .critical)
        let point = NumberPoint(attributes: [:], startTimeUnixNano: 1, timeUnixNano: 9, value: .int(1))
        recorder.core.record(
            MetricData(name: "earlier", description: "", unit: "", data: .gauge([point])),
            scope: InstrumentationScope(name: "earlier"))
        #expect(try open.spans.count == 2)
        #expect(recorder.rawRecords.isEmpty)
    }
}
