import Metrics
import ShopAPI

/// The shop's own metrics, beside the duration of every request that ``ServerMetricsMiddleware`` measures.
///
/// Handlers are asked of the metrics system at every use, which keeps them, so a backend that is installed later than
/// the shop still gets them all.
package enum ShopMetrics {
    /// Requests under way; dimensions: method and scheme.
    static let activeRequests = "http.server.active_requests"

    /// Orders placed; dimension: currency.
    static let orders = "demo.orders"

    /// The amounts of orders with shipping, in their own currency; dimension: currency.
    static let orderAmount = DemoAttribute.orderAmount

    /// Payments that failed; dimension: reason, one of invalid, network, expired, declined, unreachable.
    static let paymentFailures = "demo.payment.failures"

    /// The duration of checkouts from a valid request to the stored order or the refusal; dimension: outcome.
    static let checkoutDuration = "demo.checkout.duration"

    /// The facts about an instrument that swift-metrics does not carry.
    package struct Instrument: Sendable {
        /// In UCUM.
        package var unit: String
        /// True for a meter whose values add up over its dimensions.
        package var isUpDownCounter = false
    }

    /// The instruments that are no timers, by their labels. Timers are in seconds.
    package static let instruments = [
        activeRequests: Instrument(unit: "{request}", isUpDownCounter: true), orders: Instrument(unit: "{order}"),
        orderAmount: Instrument(unit: "{currency}"), paymentFailures: Instrument(unit: "{payment}"),
    ]

    static func recordOrder(total: Money) {
        let currency = [(DemoAttribute.currencyCode, total.currencyCode)]
        Counter(label: orders, dimensions: currency).increment()
        Recorder(label: orderAmount, dimensions: currency).record(total.approximateValue)
    }

    static func recordPaymentFailure(reason: String) {
        Counter(label: paymentFailures, dimensions: [(DemoAttribute.paymentFailureReason, reason)]).increment()
    }

    static func recordCheckout(duration: Duration, outcome: String) {
        let dimensions = [(DemoAttribute.checkoutOutcome, outcome)]
        Timer(label: checkoutDuration, dimensions: dimensions, preferredDisplayUnit: .seconds)
            .record(duration: duration)
    }
}
