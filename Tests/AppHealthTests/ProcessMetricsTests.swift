import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import Foundation
import Testing

@testable import AstrolabeAppHealth

@Suite struct ProcessMetricsTests {
    private let sink = HealthSink()
    private let registry: MetricRegistry

    init() {
        registry = MetricRegistry(core: RecordingCore(sink: sink, clock: .anchored(), sampler: AlwaysOnSampler()))
        ProcessMetrics.observe(registry)
    }

    /// The values of the last collection, by name and mode.
    private func collect() -> [String: Double] {
        let known = sink.metrics.count
        registry.collect()
        var values: [String: Double] = [:]
        for metric in sink.metrics.dropFirst(known) {
            guard case .sum(let points, _, _) = metric.data else { continue }
            for point in points {
                let mode = point.attributes["cpu.mode"]?.stringValue ?? ""
                values["\(metric.name) \(mode) \(metric.unit)"] = point.value.doubleValue
            }
        }
        return values
    }

    @Test func `CPU time is what was used since the last collection`() throws {
        let first = collect()
        #expect(Set(first.keys).isSuperset(of: ["process.cpu.time user s", "process.cpu.time system s"]))
        let start = clock()
        var sum = 0.0
        while Double(clock() - start) / Double(CLOCKS_PER_SEC) < 0.2 { sum += Double(clock()).squareRoot() }
        #expect(sum > 0)
        let used = collect()
        let total = (used["process.cpu.time user s"] ?? 0) + (used["process.cpu.time system s"] ?? 0)
        #expect(total >= 0.19)
        #expect(total <= Double(clock()) / Double(CLOCKS_PER_SEC))
    }

    @Test func `memory grows with what the process touches`() throws {
        let key = "process.memory.usage  By"
        let before = try #require(collect()[key])
        let size = 256 << 20
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 4_096)
        memset(memory, 1, size)
        let after = try #require(collect()[key])
        memory.deallocate()
        #expect(after - before > Double(size) / 2)
    }
}
