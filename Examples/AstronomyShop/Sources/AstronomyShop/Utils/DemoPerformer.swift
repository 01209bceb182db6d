import Foundation

/// The actions of demonstrations. Tests inject other ones, so that they survive.
struct DemoPerformer: Sendable {
    var crash: @MainActor @Sendable () -> Void
    var hang: @MainActor @Sendable (Duration) -> Void
    var burnCPU: @MainActor @Sendable (Duration) -> Void
    var sendMetricsPayload: @MainActor @Sendable () -> Void

    /// The real actions: a trap, a blocked main thread, a busy main thread, and simulated measurements.
    static func live(_ telemetry: ShopTelemetry) -> DemoPerformer {
        DemoPerformer(
            crash: { crash() },
            hang: { freeze(for: $0) },
            burnCPU: { burn(for: $0) },
            sendMetricsPayload: { SimulatedMetricsPayload.random().record(on: telemetry.meter) },
        )
    }

    // Named functions, because the pages of crashes and hangs show their names.

    @MainActor
    private static func crash() -> Never {
        fatalError("Demonstration: ten National Park Foundation Explorascopes are in the cart")
    }

    @MainActor
    private static func freeze(for duration: Duration) {
        Thread.sleep(forTimeInterval: duration / .seconds(1))
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
