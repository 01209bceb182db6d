import Astrolabe
import AstrolabeTesting
import Testing

/// Buys what is in the cart.
struct Checkout {
    let telemetry: Telemetry

    func placeOrder(total: Double) {
        let tracer = telemetry.tracer("shop")
        tracer.withSpan("checkout") { span in
            span.setAttribute("demo.order.amount", total)
            tracer.withSpan("charge card") { _ in }
            tracer.withSpan("ship order") { _ in }
            telemetry.logger("shop").emit("demo.order.placed")
        }
    }
}

@Test func `a checkout is one trace, and says what was paid`() async throws {
    let collector = TelemetryCollector()
    let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))

    Checkout(telemetry: telemetry).placeOrder(total: 57.08)
    await telemetry.flush()

    #expect(collector.traces.map(\.description) == ["checkout\n  charge card\n  ship order"])
    let checkout = try #require(collector.spans(named: "checkout").first)
    #expect(checkout.attributes["demo.order.amount"] == 57.08)
    #expect(collector.events(of: checkout).map(\.eventName) == ["demo.order.placed"])
}
