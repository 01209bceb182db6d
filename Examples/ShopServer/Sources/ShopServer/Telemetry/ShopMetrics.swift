import Metrics
import ShopAPI

/// The shop's own metrics, beside those of every request that Hummingbird's `MetricsMiddleware` records.
///
/// Handlers are asked of the metrics system at every use, which keeps them, so a backend that is installed later than
/// the shop still gets them all.
enum ShopMetrics {
    /// Orders placed; dimension: currency.
    static let orders = "demo.orders"

    /// What orders cost with shipping, in their own currency; dimension: currency.
    static let orderValue = "demo.order.value"

    /// Pieces put into carts; dimension: product.
    static let cartAdds = "demo.cart.adds"

    /// Payments that failed; dimension: reason, one of invalid, network, expired, declined, unreachable.
    static let paymentFailures = "demo.payment.failures"

    /// How long checkouts take from a valid request to the stored order or the refusal; dimension: outcome.
    static let checkoutDuration = "demo.checkout.duration"

    static func recordOrder(total: Money) {
        let currency = [(DemoAttribute.currencyCode, total.currencyCode)]
        Counter(label: orders, dimensions: currency).increment()
        Recorder(label: orderValue, dimensions: currency).record(total.approximateValue)
    }

    static func recordCartAdd(_ item: CartItem) {
        guard item.quantity > 0 else { return }
        Counter(label: cartAdds, dimensions: [(DemoAttribute.productId, item.productId)]).increment(by: item.quantity)
    }

    static func recordPaymentFailure(reason: String) {
        Counter(label: paymentFailures, dimensions: [(DemoAttribute.paymentFailureReason, reason)]).increment()
    }

    static func recordCheckout(duration: Duration, outcome: String) {
        Timer(label: checkoutDuration, dimensions: [("outcome", outcome)], preferredDisplayUnit: .seconds)
            .record(duration: duration)
    }
}
