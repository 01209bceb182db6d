import Foundation

/// What really happens when a demonstration is agreed to. Injected, so that tests outlive it.
struct DemoPerformer: Sendable {
    var crash: @MainActor @Sendable () -> Void
    var hang: @MainActor @Sendable (Duration) -> Void
    var burnCPU: @MainActor @Sendable (Duration) -> Void
    var sendMetricsPayload: @MainActor @Sendable () -> Void

    /// The honest ones: a trap, a blocked main thread, a busy main thread, and measurements marked as made up.
    static func live(_ telemetry: ShopTelemetry) -> DemoPerformer {
        DemoPerformer(
            crash: { fatalError("Demonstration: ten National Park Foundation Explorascopes are in the cart") },
            hang: { Thread.sleep(forTimeInterval: $0.inSeconds) },
            burnCPU: { burn(for: $0) },
            sendMetricsPayload: { SimulatedMetricsPayload.random().record(on: telemetry.meter) },
        )
    }

    /// Searches for primes until the time is up.
    @MainActor
    private static func burn(for duration: Duration) {
        let clock = ContinuousClock()
        let end = clock.now + duration
        var candidate = 3
        var found = 0
        while clock.now < end {
            if !(2..<candidate).contains(where: { $0 * $0 <= candidate && candidate.isMultiple(of: $0) }) { found += 1 }
            candidate = candidate > 20_000 ? 3 : candidate + 2
        }
        withExtendedLifetime(found) {}
    }
}
