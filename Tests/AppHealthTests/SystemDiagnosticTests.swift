import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeWire
import Foundation
import Testing

@testable import AstrolabeAppHealth

/// Reports of MetricKit about a crash or a hang are evidence of what the SDK has reported, and count only once.
@Suite struct SystemDiagnosticTests {
    private let folder = TemporaryDirectory()
    private let sink = HealthSink()
    /// 2026-11-22 10:00:00 UTC.
    private let noon: UInt64 = 1_795_341_600_000_000_000

    init() throws { try PrivateFiles.makeDirectory(folder.path) }

    private var troubles: CaptureLedger { CaptureLedger(directory: folder.path) }

    private func deliver(_ payload: String, since: UInt64 = 0) {
        let core = RecordingCore(sink: sink, clock: .anchored(), sampler: AlwaysOnSampler())
        let events = EventLogger(core: core, scope: HealthRecorder.scope)
        SystemDiagnosticRecorder(
            events: events, reported: troubles, settings: HealthConfiguration(), since: since,
        )
        .record(Data(payload.utf8))
    }

    private func crash(_ id: String, signal: Int32 = 11, after seconds: UInt64, build: String = "7") -> CapturedTrouble
    {
        CapturedTrouble(
            kind: .crash(signal: signal), id: id, time: noon + seconds * 1_000_000_000, appBuild: build,
            session: "session of \(id)")
    }

    private func hang(_ id: String, lasting duration: Double) -> CapturedTrouble {
        CapturedTrouble(kind: .hang(seconds: duration), id: id, time: noon, appBuild: "7", session: "s")
    }

    private let crashData = """
        "appBuildVersion": "7", "appVersion": "1.2", "osVersion": "iPhone OS 18.1 (22B83)", "exceptionType": 1,
        "exceptionCode": 0, "signal": 11, "terminationReason": "Namespace SIGNAL, Code 0xb",
        "virtualMemoryRegionInfo": "0 is not in any region."
        """

    private func payload(crashes: [String] = [], hangs: [String] = []) -> String {
        func list(_ entries: [String]) -> String {
            entries.map {
                "{\"version\": \"1.0.0\", \"callStackTree\": {\"callStacks\": []}, \"diagnosticMetaData\": {\($0)}}"
            }
            .joined(separator: ", ")
        }
        return """
            {"timeStampBegin": "2026-11-22 10:00:00", "timeStampEnd": "2026-11-22 11:00:00",
             "crashDiagnostics": [\(list(crashes))], "hangDiagnostics": [\(list(hangs))]}
            """
    }

    @Test func `a crash that was reported gets evidence and no second crash`() throws {
        troubles.add(crash("own", after: 120))
        deliver(payload(crashes: [crashData]))
        let event = try #require(sink.events.only)
        #expect(event.name == "astrolabe.diagnostic")
        #expect(event.time == noon + 120_000_000_000)
        #expect(event["app.crash.id"]?.stringValue == "own")
        #expect(event["session.id"]?.stringValue == "session of own")
        #expect(event["astrolabe.diagnostic.termination_reason"]?.stringValue == "Namespace SIGNAL, Code 0xb")
        #expect(event["astrolabe.diagnostic.memory_region"]?.stringValue == "0 is not in any region.")
        #expect(event["astrolabe.diagnostic.call_stacks"]?.stringValue == "{\"callStacks\":[]}")
        #expect(event["service.version"]?.stringValue == "1.2")
    }

    @Test(arguments: [-8 * 86_400, 8 * 86_400, -40 * 31_536_000, 40 * 31_536_000] as [Int64])
    func `a crash that was reported is known after one at which the clock was wrong`(step: Int64) throws {
        troubles.add(crash("own", after: 120))
        var other = crash("other", after: 120)
        other.time = UInt64(Int64(other.time) + step * 1_000_000_000)
        troubles.add(other)
        deliver(payload(crashes: [crashData]))
        #expect(sink.events.only?["app.crash.id"]?.stringValue == "own")
    }

    @Test func `a payload of a time in which the user refused is not recorded`() throws {
        troubles.add(crash("own", after: 120))
        deliver(payload(crashes: [crashData]), since: noon + 1)
        #expect(sink.events.isEmpty)
        deliver(payload(crashes: [crashData]), since: noon)
        #expect(sink.events.count == 1)
    }

    @Test func `a crash that the SDK has missed is a crash`() throws {
        deliver(payload(crashes: [crashData]))
        let event = try #require(sink.events.only)
        #expect(event.name == "app.crash")
        #expect(event["exception.type"]?.stringValue == "SIGSEGV")
        #expect(event["exception.message"]?.stringValue == "Namespace SIGNAL, Code 0xb")
        #expect(event["astrolabe.diagnostic.source"]?.stringValue == "metrickit")
    }

    @Test func `a delivery of the same payload has the same ids`() throws {
        deliver(payload(crashes: [crashData]))
        deliver(payload(crashes: [crashData]))
        let ids = sink.events.map { $0["log.record.uid"]?.stringValue }
        #expect(ids.count == 2 && ids[0] == ids[1] && ids[0]?.count == 32)
    }

    @Test func `two crashes and two diagnostics belong together, and a third is another crash`() {
        troubles.add(crash("first", after: 60))
        troubles.add(crash("second", after: 600))
        deliver(
            payload(crashes: [crashData, crashData.replacing("\"exceptionCode\": 0", with: "\"exceptionCode\": 1")]))
        #expect(sink.events.map(\.name) == ["astrolabe.diagnostic", "astrolabe.diagnostic"])
        #expect(Set(sink.events.map { $0["app.crash.id"]?.stringValue }) == ["first", "second"])
        deliver(payload(crashes: [crashData.replacing("\"exceptionCode\": 0", with: "\"exceptionCode\": 2")]))
        #expect(sink.events.last?.name == "app.crash")
    }

    @Test func `another signal, build or time is another crash`() {
        troubles.add(crash("signal", signal: 6, after: 60))
        troubles.add(crash("build", after: 60, build: "8"))
        troubles.add(crash("later", after: 7_200))
        deliver(payload(crashes: [crashData]))
        #expect(sink.events.map(\.name) == ["app.crash"])
    }

    @Test func `without a signal, Mach's exception type decides`() throws {
        troubles.add(crash("abort", signal: 6, after: 60))
        troubles.add(crash("bus", signal: 10, after: 60))
        deliver(payload(crashes: [crashData.replacing("\"signal\": 11, ", with: "")]))
        #expect(sink.events.only?["app.crash.id"]?.stringValue == "bus")
    }

    @Test(arguments: ["20 sec", "20000 ms", "0,33 min"])
    func `a hang that was reported gets evidence and no second hang`(_ duration: String) throws {
        troubles.add(hang("short", lasting: 3))
        troubles.add(hang("long", lasting: 19.4))
        deliver(payload(hangs: ["\"appBuildVersion\": \"7\", \"hangDuration\": \"\(duration)\""]))
        let event = try #require(sink.events.only)
        #expect(event.name == "astrolabe.diagnostic")
        #expect(event["astrolabe.hang.id"]?.stringValue == "long")
    }

    @Test func `a hang that the SDK has missed is a hang`() throws {
        troubles.add(hang("short", lasting: 3))
        deliver(payload(hangs: ["\"hangDuration\": \"20 sec\""]))
        let event = try #require(sink.events.only)
        #expect(event.name == "astrolabe.hang")
        #expect(event["astrolabe.hang.duration"]?.doubleValue == 20)
        #expect(event["astrolabe.hang.severity"]?.stringValue == "severe")
    }

    @Test(arguments: [
        "", "[]", "{}", "{\"timeStampEnd\": \"soon\"}", "{\"timeStampEnd\": \"2026-11-22 11:00:00\"}",
        "{\"timeStampBegin\": \"9999-01-01 00:00:00\", \"timeStampEnd\": \"9999-01-02 00:00:00\"}",
    ])
    func `a payload that makes no sense records nothing`(_ payload: String) {
        deliver(payload)
        #expect(sink.events.isEmpty)
    }

    @Test func `a damaged list of reports counts as empty`() throws {
        let lines =
            ["crash\t11", "\u{0}\u{1}"]
            + ["hang\tnan", "crash\tnan", "crash\t1e300", "crash\t-1e300", "crash\tinf"].map { $0 + "\tx\t1\t\t\t0" }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: folder.path + "/reported"))
        deliver(payload(crashes: [crashData]))
        #expect(sink.events.map(\.name) == ["app.crash"])
    }
}

extension LogRecordData {
    fileprivate var name: String { eventName }
    fileprivate var time: UInt64 { timeUnixNano }

    fileprivate subscript(key: String) -> AttributeValue? { attributes[key] }
}

extension Collection {
    fileprivate var only: Element? { count == 1 ? first : nil }
}
