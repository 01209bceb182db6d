import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeWire
import Foundation
import Testing

@testable import AstrolabeAppHealth

/// Measurements of a day by MetricKit become metrics, once for each payload.
@Suite struct SystemMetricsTests {
    private let folder = TemporaryDirectory()
    private let sink = HealthSink()
    private static let day: UInt64 = 86_400_000_000_000
    /// 2026-11-22 00:00:00 UTC.
    private static let midnight: UInt64 = 1_795_305_600_000_000_000

    init() throws { try PrivateFiles.makeDirectory(folder.path) }

    /// As another process would, with what the folder holds.
    private func recorder(since: UInt64 = 0) -> SystemMetricsRecorder {
        SystemMetricsRecorder(
            core: RecordingCore(sink: sink, clock: .anchored(), sampler: AlwaysOnSampler()), directory: folder.path,
            since: since)
    }

    private func counts(day: UInt64 = 0, normal: Int = 1) -> SystemMetrics {
        let begin = Self.midnight + day * Self.day
        var metrics = SystemMetrics(period: begin...(begin + Self.day))
        metrics.backgroundExits = [.normal: normal]
        return metrics
    }

    @Test func `a payload of a time in which the user refused is not recorded`() {
        recorder(since: Self.midnight + 1).record(counts())
        #expect(sink.metrics.isEmpty)
        recorder(since: Self.midnight).record(counts())
        #expect(!sink.metrics.isEmpty)
    }

    @Test func `each reason of each state is a point of one counter, over the time of the payload`() throws {
        var counts = counts(normal: 4)
        counts.foregroundExits = [.normal: 2, .watchdog: 1, .badAccess: 0]
        counts.backgroundExits[.memoryPressure] = 7
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
            #expect(point.attributes["astrolabe.app.build_number"]?.stringValue == "7")
        }
    }

    @Test func `CPU time, memory, writes, starts and hangs are a metric each`() throws {
        var day = counts(normal: 0)
        (day.cpuTime, day.peakMemory, day.diskWritten) = (120.5, 2e8, 3e6)
        day.launches = [.init(lower: 0.4, upper: 0.5, count: 3), .init(lower: 1, upper: 1.5, count: 1)]
        day.hangs = [.init(lower: 0.25, upper: 0.5, count: 2)]
        day.appVersion = "1.2"
        recorder().record(day)
        let found = sink.metrics.map(Self.summary)
        #expect(
            found == [
                "astrolabe.app.cpu.time 120.5 s [service.version: 1.2]",
                "astrolabe.app.disk.written 3000000.0 By [service.version: 1.2]",
                "astrolabe.app.memory.peak 200000000.0 By [service.version: 1.2]",
                "astrolabe.app.launch.duration [0.4, 0.5, 1.0, 1.5] [0, 3, 0, 1, 0] 4 no sum [service.version: 1.2]",
                "astrolabe.app.hang.duration [0.25, 0.5] [0, 2, 0] 2 no sum [service.version: 1.2]",
            ])
    }

    private static func summary(_ metric: MetricData) -> String {
        switch metric.data {
        case .sum(let points, .delta, true), .gauge(let points):
            return "\(metric.name) \(points[0].value.doubleValue) \(metric.unit) \(points[0].attributes)"
        case .histogram(let points, .delta):
            let sum = points[0].sum.map { "\($0)" } ?? "no sum"
            return "\(metric.name) \(points[0].explicitBounds) \(points[0].bucketCounts) \(points[0].count) \(sum) "
                + "\(points[0].attributes)"
        default: return "\(metric.data)"
        }
    }

    @Test func `what is not a number or not a bucket is left out`() {
        var day = counts(normal: 0)
        (day.cpuTime, day.diskWritten) = (.nan, -1)
        day.launches = [
            .init(lower: 2, upper: 1, count: 3), .init(lower: 0, upper: .infinity, count: 1),
            .init(lower: 0, upper: 1, count: -1),
        ]
        recorder().record(day)
        #expect(sink.metrics.isEmpty)
    }

    @Test func `the reasons are those of the guide`() {
        #expect(
            SystemMetrics.ExitReason.allCases.map(\.rawValue) == [
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

    @Test func `a day without anything records nothing`() {
        var counts = counts(normal: 0)
        (counts.cpuTime, counts.peakMemory, counts.diskWritten) = (0, 0, 0)
        recorder().record(counts)
        #expect(sink.metrics.isEmpty)
    }

    @Test func `a damaged list of periods counts as empty`() throws {
        try Data("\u{0}\u{1}\n5\t1\nx\ty\n".utf8).write(to: URL(fileURLWithPath: folder.path + "/exits"))
        recorder().record(counts())
        recorder().record(counts())
        #expect(sink.metrics.count == 1)
    }
}
