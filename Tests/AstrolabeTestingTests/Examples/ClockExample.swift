import Astrolabe
import AstrolabeTesting
import Testing

/// Asks for a price up to three times, and waits longer each time.
struct PriceLookup<Time: Clock<Duration>>: Sendable {
    let telemetry: Telemetry
    let clock: Time
    let ask: @Sendable () async -> Double?

    func price() async throws -> Double? {
        try await telemetry.tracer("prices").withSpan("look up price") { span in
            for attempt in 1...3 {
                span.setAttribute("demo.attempts", attempt)
                if let price = await ask() { return price }
                try await clock.sleep(for: .seconds(attempt))
            }
            return nil
        }
    }
}

@Test func `a lookup gives up after six seconds`() async throws {
    let clock = TestClock()
    let collector = TelemetryCollector(clock: clock)
    let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
    let lookup = PriceLookup(telemetry: telemetry, clock: clock) { nil }

    async let price = lookup.price()
    for seconds in 1...3 {
        // The SDK's flush timer and the lookup.
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(seconds))
    }
    #expect(try await price == nil)
    await telemetry.flush()

    try collector.requireSpan(
        .named("look up price").attribute("demo.attempts", 3).duration(atLeast: .seconds(6), atMost: .seconds(6))
    )
}
