import Astrolabe
import AstrolabeTesting
import Testing

extension SpanMatcher {
    /// The attributes of every order of this shop.
    static let paid = SpanMatcher.any.attribute("demo.order.amount").withoutPersonalData("Ada Lovelace")
}

@Test func `an order charges the card, and then ships`() async throws {
    let collector = TelemetryCollector()
    let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))

    Checkout(telemetry: telemetry).placeOrder(total: 57.08)
    await telemetry.flush()

    let charge = try collector.requireSpan(.named("charge card").child(of: "checkout"))
    #expect(charge.status == .unset)
    #expect(collector.contains(.named("checkout").root().event("demo.order.placed").and(.paid)))
    try collector.requireNoSpan(.any.failed())
    #expect(collector.personalData("Ada Lovelace", "12 Analytical Lane") == [])
}
