// snippet: test-checkout
import Astrolabe
import AstrolabeTesting
import Testing

struct CheckoutTests {
    @Test func `an order is one span with the number of items`() async throws {
        let collector = TelemetryCollector()
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "my-app"))

        try await OrderService(telemetry: telemetry).placeOrder(Cart(count: 3))
        await telemetry.flush()

        let order = try #require(collector.spans(named: "place order").first)
        #expect(order.attributes["cart.items"] == 3)
        #expect(collector.children(of: order).map(\.name) == ["charge card"])
    }
}
// snippet: end

struct OfflineTests {
    // snippet: test-offline
    @Test func `an order that is placed offline is sent when the network returns`() async {
        let clock = TestClock()
        let collector = TelemetryCollector(clock: clock)
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "my-app"))

        collector.network.goOffline()
        telemetry.logger("checkout").emit("order.placed")
        await telemetry.flush()
        #expect(collector.events(named: "order.placed").isEmpty)

        collector.network.goOnline()
        clock.advance(by: .seconds(3600))
        await telemetry.flush()
        #expect(collector.events(named: "order.placed").count == 1)
    }
    // snippet: end
}
