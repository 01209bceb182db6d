import Astrolabe

/// Simulated metrics, such as a system's daily report contains, for a demonstration.
///
/// Every data point has the attribute `demo.simulated`.
struct SimulatedMetricsPayload: Sendable {
    var launchTimesInMilliseconds: [Double]
    var hangTimesInMilliseconds: [Double]
    var cpuTimeInSeconds: Double
    var peakMemoryInBytes: Int
    /// Milliseconds of hitches per second of scrolling.
    var scrollHitchRatio: Double

    static func random() -> SimulatedMetricsPayload {
        SimulatedMetricsPayload(
            launchTimesInMilliseconds: (0..<5).map { _ in .random(in: 180...1_400) },
            hangTimesInMilliseconds: (0..<3).map { _ in .random(in: 250...4_000) },
            cpuTimeInSeconds: .random(in: 20...300),
            peakMemoryInBytes: .random(in: 60 << 20...400 << 20),
            scrollHitchRatio: .random(in: 0...12),
        )
    }

    func record(on meter: Meter) {
        let simulated: Attributes = ["demo.simulated": true]
        let launch = meter.histogram("demo.payload.launch.duration", unit: "ms")
        let hang = meter.histogram("demo.payload.hang.duration", unit: "ms")
        for time in launchTimesInMilliseconds { launch.record(time, attributes: simulated) }
        for time in hangTimesInMilliseconds { hang.record(time, attributes: simulated) }
        meter.gauge("demo.payload.cpu.time", unit: "s").record(cpuTimeInSeconds, attributes: simulated)
        meter.gauge("demo.payload.memory.peak", unit: "By").record(peakMemoryInBytes, attributes: simulated)
        meter.gauge("demo.payload.scroll.hitch_ratio", unit: "ms/s").record(scrollHitchRatio, attributes: simulated)
    }
}
