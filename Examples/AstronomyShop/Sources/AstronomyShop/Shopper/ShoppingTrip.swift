package import Astrolabe
package import Foundation

/// A user's whole visit to the shop, made with the app's view models over a real connection.
///
///     let summary = try await ShoppingTrip.run(baseURL: base, telemetry: telemetry)
///     print(summary.orderID, summary.checkoutTraceID)
package enum ShoppingTrip {
    /// The time for which a person looks at a screen before acting.
    package static let humanThinkTime: ClosedRange<Duration> = .milliseconds(300)...Duration.seconds(2)

    /// Browses, changes the currency, fills the cart, tries a refused card, and orders with an accepted one.
    ///
    /// Every request carries the baggage of the caller's context, as `synthetic_request` of a load generator does.
    ///
    /// - Parameters:
    ///   - baseURL: The shop's address, such as "http://127.0.0.1:8080".
    ///   - telemetry: The app's telemetry. Its session is the trip's.
    ///   - seed: Determines the products, the currency and the address. Default: random.
    ///   - thinkTime: The pause before each step. Default: ``humanThinkTime``; `.zero ... .zero` for none.
    ///   - clock: The clock for the pauses.
    /// - Throws: ``TripError`` if the trip does not end with an order after one refusal, or `CancellationError`.
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
