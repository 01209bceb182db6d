import Astrolabe
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeRecording
import Foundation

/// Spans that are recorded without a pause, with default settings, while a collector on this machine answers.
enum BurstRows {
    static func measure(_ options: BenchmarkOptions) throws -> [Row] {
        let all = [(20_000, 1), (20_000, 4), (200_000, 1), (200_000, 4)]
        return try all.prefix(options.isShort ? 2 : 4).map { count, threads in
            row(count, threads, try ours(count, threads), beside: try other(count, threads))
        }
    }

    private struct Result {
        let lost: Int
        /// Seconds from the first span to the response for the last one.
        let seconds: Double
        /// The number of times that a thread that recorded had to prepare room in the journal.
        var prepared = 0
    }

    private static func row(_ count: Int, _ threads: Int, _ result: Result, beside other: Result) -> Row {
        let name = count < 100_000 ? "burst" : "flood"
        let allowed = count < 100_000 ? 0 : count / 100
        let rate = Double(count - result.lost) / result.seconds
        let otherRate = Double(count - other.lost) / other.seconds
        return Row(
            name: "\(name) of \(count) spans on \(threads == 1 ? "one thread" : "\(threads) threads"), delivered",
            figure: "\(share(result.lost, of: count)) lost, \(Int(rate)) spans/s, room late \(result.prepared) times",
            target: allowed == 0 ? "none lost" : "under 1 % lost", isMet: result.lost <= allowed,
            alternative: "batch processor with the specification's defaults: \(share(other.lost, of: count)) lost, "
                + "\(Int(otherRate)) spans/s")
    }

    private static func share(_ lost: Int, of count: Int) -> String {
        String(format: lost == 0 ? "%.0f %%" : "%.1f %%", Double(lost) / Double(count) * 100)
    }

    private static func ours(_ count: Int, _ threads: Int) throws -> Result {
        let collector = try MeasuredCollector()
        let folder = try BenchmarkFolder()
        var configuration = TelemetryConfiguration(serviceName: "benchmark")
        configuration.storageDirectory = URL(fileURLWithPath: folder.path("storage"), isDirectory: true)
        configuration.sampler = AlwaysOnSampler()
        configuration.conditions = SimulatedConditions(Conditions(network: .wifi, lifecycle: .active))
        configuration.endpoint = OTLPEndpoint(url: try collector.url)
        let telemetry = Telemetry.start(configuration)
        // As an app that has run for a second.
        Thread.sleep(forTimeInterval: 1)
        let tracer = telemetry.tracer(Workload.scope)
        let start = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            for _ in 0..<count / threads { Workload.record(with: tracer) }
        }
        let report = try wait { await telemetry.shutdown(timeout: .seconds(120)) }
        let seconds = (ContinuousClock.now - start).nanoseconds / 1e9
        let lost = count - (try collector.end())
        guard lost == report.ledger.droppedTotal else {
            throw BenchmarkFailure("\(lost) spans did not arrive; the ledger has \(report.ledger)")
        }
        return Result(lost: lost, seconds: seconds, prepared: report.segmentsPreparedWhileRecording)
    }

    private static func other(_ count: Int, _ threads: Int) throws -> Result {
        let collector = try MeasuredCollector()
        let processor = BatchSpanProcessor(endpoint: OTLPEndpoint(url: try collector.url))
        let start = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            for _ in 0..<count / threads { processor.onEnd(ObjectModelSpan.record()) }
        }
        processor.shutdown()
        let seconds = (ContinuousClock.now - start).nanoseconds / 1e9
        return Result(lost: count - (try collector.end()), seconds: seconds)
    }

    private static func wait<Value: Sendable>(for body: @escaping @Sendable () async -> Value) throws -> Value {
        let result = Locked<Value?>(nil)
        let done = DispatchSemaphore(value: 0)
        Task {
            let value = await body()
            result.withLock { $0 = value }
            done.signal()
        }
        done.wait()
        guard let value = result.withLock({ $0 }) else {
            throw BenchmarkFailure("the task has ended without a value")
        }
        return value
    }
}
