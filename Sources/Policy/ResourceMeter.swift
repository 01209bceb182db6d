package import AstrolabePlatform

/// Reads what the SDK has taken of the device so far.
///
///     let meter = ResourceMeter(
///         processor: account, memoryBytes: { journal.bytes + queue.bytes }, bytesSent: { delivery.bytesSent },
///     )
///     governor.observe(meter.sample(), under: decision.budget, wanting: decision.mode)
package struct ResourceMeter: Sendable {
    package let processor: CPUTimeMeter
    private let memoryBytes: @Sendable () -> Int
    private let bytesSent: @Sendable () -> Int
    private let now: @Sendable () -> UInt64

    /// - Parameters:
    ///   - processor: That of the SDK's own work.
    ///   - memoryBytes: What buffers, mappings and caches hold at the moment.
    ///   - bytesSent: Over the network since the SDK started.
    ///   - now: Nanoseconds by a clock that never goes back.
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

    /// Costs a system call for each thread of the SDK's own; every few seconds is often enough.
    package func sample() -> ResourceSample {
        ResourceSample(
            time: .nanoseconds(Int64(clamping: now())),
            cpuTime: processor.total,
            memoryBytes: memoryBytes(),
            bytesSent: bytesSent(),
        )
    }
}
