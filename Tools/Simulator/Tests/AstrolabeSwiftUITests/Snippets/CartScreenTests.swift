// snippet: testing-traced-view
import Astrolabe
import AstrolabeSwiftUI
import AstrolabeTesting
import SwiftUI
import Testing

@MainActor
struct CartScreenTests {
    private let collector = TelemetryCollector()

    @Test func `the cart is one trace from its first frame until it is closed`() async throws {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        let screen = CartScreen(items: ["Telescope"]).environment(\.viewTracer, telemetry.views)

        let window = TestWindow(screen)
        try await collector.waitForSpan("Cart.onAppear", flushing: telemetry)
        window.close()
        try await collector.waitForSpan("Cart", flushing: telemetry)

        try collector.requireSpans(.named("Cart.body").child(of: "Cart"))
        try collector.requireSpan(.named("Cart.onDisappear").child(of: .named("Cart").root()))
    }
}
// snippet: end
