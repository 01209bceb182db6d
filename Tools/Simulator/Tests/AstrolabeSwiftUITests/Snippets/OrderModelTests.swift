import Astrolabe
import AstrolabeTesting
import Testing

@MainActor
struct OrderModelTests {
    private let collector = TelemetryCollector()

    @Test func `a declined card is a failed span and a message`() async throws {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        let model = OrderModel(telemetry: telemetry) { _ in throw CardDeclined() }

        await model.placeOrder(total: 57.08)
        await telemetry.flush()

        #expect(model.message == "The card was declined.")
        try collector.requireSpan(.named("place order").attribute("demo.order.amount", 57.08).failed())
    }
}
