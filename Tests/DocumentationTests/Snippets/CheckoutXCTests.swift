import Astrolabe
import AstrolabeTesting
import XCTest

final class CheckoutXCTests: XCTestCase {
    func testAnOrderChargesTheCard() async throws {
        let collector = TelemetryCollector()
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))

        try await OrderService(telemetry: telemetry).placeOrder(Cart(count: 3))
        await telemetry.flush()

        let charge = try collector.requireSpan(.named("charge card").child(of: "place order"))
        XCTAssertEqual(charge.status, .unset)
        XCTAssertTrue(collector.contains(.named("place order").root().attribute("cart.items", 3)))
        try collector.requireNoSpan(.any.failed())
        XCTAssertEqual(collector.personalData("Ada Lovelace", "12 Analytical Lane"), [])
    }
}
