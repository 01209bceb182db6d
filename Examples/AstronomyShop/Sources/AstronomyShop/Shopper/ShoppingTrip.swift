package import Astrolabe
package import Foundation

/// A person's whole trip through the shop, taken by the app's own view models over a real connection.
///
///     let summary = try await ShoppingTrip.run(baseURL: base, telemetry: telemetry)
///     print(summary.orderID, summary.checkoutTraceID)
package enum ShoppingTrip {
    /// How long a person looks at a screen before touching something.
    package static let humanThinkTime: ClosedRange<Duration> = .milliseconds(300)...Duration.seconds(2)

    /// Looks around, changes the currency, fills the cart, is refused with one card and orders with another.
    ///
    /// Baggage of the caller's context goes along with every request, as `synthetic_request` of a load generator.
    ///
    /// - Parameters:
    ///   - baseURL: The shop's address: "http://127.0.0.1:8080".
    ///   - telemetry: What the app records with; its session is the trip's.
    ///   - seed: Decides what is bought, in which currency, and where it goes. Default random.
    ///   - thinkTime: How long each step is thought about. Default ``humanThinkTime``; `.zero ... .zero` for none.
    ///   - clock: What that time is measured with.
    /// - Throws: ``TripError`` where the trip does not end with an order after one refusal; `CancellationError`.
    @MainActor
    package static func run(
        baseURL: URL, telemetry: Telemetry, seed: UInt64 = .random(in: .min ... .max),
        thinkTime: ClosedRange<Duration> = humanThinkTime, clock: any Clock<Duration> = ContinuousClock(),
    ) async throws -> TripSummary {
        let shop = ShopModel(baseURL: baseURL, telemetry: ShopTelemetry(telemetry), quoteDelay: .zero)
        let shopper = Shopper(shop: shop, clock: clock, thinkTime: thinkTime, seed: seed)
        return try await shopper.take(TripPlan(seed: seed))
    }
}
