// snippet: testing-swiftui-xctest
import Astrolabe
import AstrolabeSwiftUI
import AstrolabeTesting
import SwiftUI
import XCTest

final class OrderModelXCTests: XCTestCase {
    @MainActor
    func testADeclinedCardIsAFailedSpanAndAMessage() async throws {
        let collector = TelemetryCollector()
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        let model = OrderModel(telemetry: telemetry) { _ in throw CardDeclined() }

        await model.placeOrder(total: 57.08)
        await telemetry.flush()

        XCTAssertEqual(model.message, "The card was declined.")
        try collector.requireSpan(.named("place order").attribute("demo.order.amount", 57.08).failed())
    }

    @MainActor
    func testTheCartIsOneTrace() async throws {
        let collector = TelemetryCollector()
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        let screen = CartScreen(items: ["Telescope"]).environment(\.viewTracer, telemetry.views)

        let window = TestWindow(screen)
        try await collector.waitForSpan("Cart.onAppear", flushing: telemetry)
        window.close()
        try await collector.waitForSpan("Cart", flushing: telemetry)

        try collector.requireSpan(.named("Cart.onDisappear").child(of: .named("Cart").root()))
    }
}
// snippet: end
