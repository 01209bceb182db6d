package import AstrolabePlatform

/// A reader of the resources that the SDK has used so far.
///
///     let meter = ResourceMeter(
///         processor: cpuMeter, memoryBytes: { journal.bytes + queue.bytes }, bytesSent: { delivery.bytesSent },
///     )
///     governor.observe(meter.sample(), under: decision.budget, wanting: decision.mode)
package struct ResourceMeter: Sendable {
    package let processor: CPUTimeMeter
    private let memoryBytes: @Sendable () -> Int
    private let bytesSent: @Sendable () -> Int
    private let now: @Sendable () -> UInt64

    /// Creates a meter.
    ///
    /// - Parameters:
    ///   - processor: The CPU time of the SDK's own work.
    ///   - memoryBytes: Returns the bytes that buffers, mappings and caches hold now.
    ///   - bytesSent: Returns the bytes sent over the network since the SDK started.
    ///   - now: Nanoseconds on a monotonic clock.
    package init(
        processor: CPUTimeMeter,
        memoryBytes: @escaping @Sendable () -> Int,
        bytesSent: @escaping @Sendable () -> Int,
        now: @escaping @Sendable () -> UInt64 = { SystemTime.sinceBoot },
    ) {
        self.processor = processor
        self.memoryBytes = memoryBytes
        self.bytesSent = bytesSent
        self.now = now
    }

    /// Takes a sample. Costs a system call for each of the SDK's own threads, so every few seconds is enough.
    package func sample() -> ResourceSample {
        ResourceSample(
            time: .nanoseconds(Int64(clamping: now())),
            cpuTime: processor.total,
            memoryBytes: memoryBytes(),
            bytesSent: bytesSent(),
        )
    }
}
