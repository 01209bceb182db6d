import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeWire
import Foundation
import Testing

@testable import AstrolabeAppHealth

/// MetricKit's daily exit counts become one metric of their own, once for each payload.
@Suite struct SystemExitCountsTests {
    private let folder = TemporaryDirectory()
    private let sink = MetricSink()
    private static let day: UInt64 = 86_400_000_000_000
    /// 2026-11-22 00:00:00 UTC.
    private static let midnight: UInt64 = 1_795_305_600_000_000_000

    init() throws { try PrivateFiles.makeDirectory(folder.path) }

    /// As another process would, with what the folder holds.
    private func recorder() -> SystemExitRecorder {
        SystemExitRecorder(
            core: RecordingCore(sink: sink, clock: .anchored(), sampler: AlwaysOnSampler()), directory: folder.path, )
    }

    private func counts(day: UInt64 = 0, normal: Int = 1) -> SystemExitCounts {
        let begin = Self.midnight + day * Self.day
        return SystemExitCounts(period: begin...(begin + Self.day), background: [.normal: normal])
    }

    @Test func `each reason of each state is a point of one counter, over the time of the payload`() throws {
        var counts = counts(normal: 4)
        counts.foreground = [.normal: 2, .watchdog: 1, .badAccess: 0]
        counts.background[.memoryPressure] = 7
        counts.appVersion = "1.2"
        counts.appBuild = "7"
        recorder().record(counts)
        let metric = try #require(sink.metrics.first)
        #expect(sink.metrics.count == 1)
        #expect(metric.name == "astrolabe.app.exits" && metric.unit == "{exit}")
        guard case .sum(let points, let temporality, let isMonotonic) = metric.data else {
            Issue.record("not a sum: \(metric.data)")
            return
        }
        #expect(temporality == .delta && isMonotonic)
        let found = points.map { point in
            let key = ["state", "reason"].map { point.attributes["astrolabe.exit.\($0)"]?.stringValue ?? "" }
            return "\(key.joined(separator: " ")) \(Int(point.value.doubleValue))"
        }
        #expect(
            found == [
                "foreground normal 2", "foreground watchdog 1", "background normal 4", "background memory_pressure 7",
            ]
        )
        for point in points {
            #expect(point.startTimeUnixNano == Self.midnight && point.timeUnixNano == Self.midnight + Self.day)
            #expect(point.attributes["service.version"]?.stringValue == "1.2")
            #expect(point.attributes["app.build_id"]?.stringValue == "7")
        }
    }

    @Test func `the reasons are those of the guide`() {
        #expect(
            SystemExitCounts.Reason.allCases.map(\.rawValue) == [
                "normal", "abnormal", "watchdog", "memory_resource_limit", "bad_access", "illegal_instruction",
                "memory_pressure", "suspended_with_locked_file", "background_task_assertion_timeout",
                "cpu_resource_limit",
            ])
    }

    @Test func `a payload that comes again counts once, also in another process`() {
        let first = recorder()
        first.record(counts())
        first.record(counts())
        recorder().record(counts())
        #expect(sink.metrics.count == 1)
    }

    @Test func `the payload of another day counts`() {
        recorder().record(counts(day: 0))
        recorder().record(counts(day: 1))
        recorder().record(counts(day: 0))
        #expect(sink.metrics.count == 2)
    }

    @Test func `a payload of a month ago is still known`() {
        for day in 0..<31 { recorder().record(counts(day: UInt64(day))) }
        recorder().record(counts(day: 0))
        #expect(sink.metrics.count == 31)
    }

    @Test func `a day without exits records nothing`() {
        recorder().record(counts(normal: 0))
        #expect(sink.metrics.isEmpty)
    }

    @Test func `a damaged list of periods counts as empty`() throws {
        try Data("\u{0}\u{1}\n5\t1\nx\ty\n".utf8).write(to: URL(fileURLWithPath: folder.path + "/exits"))
        recorder().record(counts())
        recorder().record(counts())
        #expect(sink.metrics.count == 1)
    }
}

/// Keeps metrics with their points.
private final class MetricSink: RecordSink {
    private let records = Locked(EncodedRecords())

    var metrics: [MetricData] {
        let request = ExportRequest.build(
            resource: EncodedResource(Resource()),
            scopes: [(scope: EncodedScope(HealthRecorder.scope), records: records.withLock { $0 })], )
        let groups = try? OTLPDecoder.metrics(protobuf: request)
        return groups?.flatMap { $0.scopes.flatMap(\.records) } ?? []
    }

    func register(_ scope: InstrumentationScope) -> ScopeNumber { ScopeNumber(rawValue: 1) }

    func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
        guard header.kind == .metric else { return }
        records.withLock { $0.append(bytes) }
    }
}
