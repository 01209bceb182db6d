import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import FleetSimulator
import ShopAPI

// The checkout, which some leave and some cannot complete.
extension Visit {
    mutating func checkOut() {
        showForm()
        think(15...70)
        // Some want to see the cart again, and some of these do not come back.
        if chance.happens(0.09) {
            openCart()
            guard chance.happens(0.6) else { return }
            showForm()
            think(10...40)
        }
        guard chance.happens(0.88) else { return }
        order()
    }

    private mutating func showForm() {
        tap("Checkout", id: "checkout") { visit, tap in
            visit.show("Checkout", id: "checkout", heaviness: 1.2)
            visit.loadCart(under: tap)
            visit.event("demo.checkout.started", visit.cartAttributes, in: tap)
            visit.call(
                "CheckoutViewModel.updateShippingCost", "ShippingAPIService.fetchShippingCost",
                ShopCall(
                    method: "GET", template: "/api/shipping",
                    work: [("quote shipping", 0.5, [:]), ("convert currency", 0.3, [:])], time: 11),
                under: tap,
                [
                    DemoAttribute.shippingAmount: visit.shippingAmount,
                    DemoAttribute.currencyCode: visit.phone.currency,
                ],
            )
        }
    }

    /// Tries to order, up to three times.
    private mutating func order() {
        for _ in 0..<3 {
            let outcome = attempt()
            guard let error = outcome else { return confirm() }
            wasLetDown = error.status >= 500
            think(3...15)
            guard chance.happens(error.status >= 500 ? 0.6 : 0.85) else { return }
        }
    }

    /// Why the shop does not take an order.
    private struct Refusal {
        let status: Int
        let reason: String
        let message: String
        /// Why the card was not charged, in the backend's word; `nil` if the order failed before.
        var payment: String?
    }

    /// Cards that the shop does not take, with their share of the orders.
    private static let refusedCards: [(reason: String, share: Double)] = [
        ("network", 0.03), ("expired", 0.015), ("invalid", 0.008),
    ]

    private mutating func refusal() -> Refusal? {
        if phone.breaksCheckout {
            return Refusal(
                status: 500, reason: "shop_failed",
                message:
                    "cannot convert the total: expected a number, found \"1\u{2019}\(chance.count(100...999)).00\"",
            )
        }
        for (reason, share) in Self.refusedCards where chance.happens(share) {
            return Refusal(
                status: 400, reason: "payment_refused", message: "payment refused: \(reason)", payment: reason)
        }
        if chance.happens(0.008) {
            return Refusal(
                status: 503, reason: "shop_failed",
                message: "the payment service cannot be reached; nothing was charged", payment: "unreachable")
        }
        return nil
    }

    private mutating func attempt() -> Refusal? {
        let refusal = refusal()
        var attributes = cartAttributes
        attributes[DemoAttribute.paymentCardType] =
            refusal?.payment == "network" ? "American Express" : chance.happens(0.6) ? "VISA" : "MasterCard"
        let orderID = recorder.backend.ids.nextUUID()
        tap("Place Order", id: "place-order") { visit, tap in
            visit.call(
                "CheckoutViewModel.placeOrder", "CheckoutAPIService.placeOrder",
                visit.checkoutCall(refusal, attributes, orderID), under: tap, attributes,
            ) { visit, span, failure in
                visit.announce(failure, refusal, attributes, orderID, in: span)
            }
        }
        return refusal
    }

    private func checkoutCall(_ refusal: Refusal?, _ attributes: Attributes, _ orderID: String) -> ShopCall {
        let currency: Attributes = [DemoAttribute.currencyCode: phone.currency]
        var work: [(name: String, share: Double, attributes: Attributes)] = [
            ("read cart", 0.1, [:]), ("price items", 0.12, currency), ("quote shipping", 0.05, [:]),
            ("convert currency", 0.06, currency),
        ]
        if refusal == nil || refusal?.payment != nil {
            work.append(
                ("charge card", 0.3, [DemoAttribute.paymentCardType: attributes[DemoAttribute.paymentCardType] ?? ""]))
        }
        if refusal == nil {
            work.append(("ship order", 0.08, [:]))
            work.append(
                (
                    "confirm order", 0.12,
                    [
                        DemoAttribute.orderId: orderID, DemoAttribute.orderAmount: orderAmount,
                        DemoAttribute.currencyCode: phone.currency,
                    ],
                ))
        }
        return ShopCall(
            method: "POST", template: "/api/checkout", query: "?currencyCode=\(phone.currency)", work: work, time: 70,
            status: refusal?.status ?? 200, error: refusal?.message, paymentRefusal: refusal?.payment,
            isImportant: true)
    }

    private mutating func announce(
        _ failure: String?, _ refusal: Refusal?, _ attributes: Attributes, _ orderID: String, in span: Tracer.Span,
    ) {
        var attributes = attributes
        if let failure {
            let reason = refusal?.reason ?? "unreachable"
            span.setAttribute(DemoAttribute.orderFailureReason, reason)
            attributes[DemoAttribute.orderFailureReason] = .string(reason)
            attributes[AttributeKey.errorType] = .string(failure)
            event("demo.order.failed", severity: .warn, attributes, in: span)
            return
        }
        let order: Attributes = [
            DemoAttribute.orderId: orderID, DemoAttribute.orderItemCount: AttributeValue(pieces),
            DemoAttribute.orderAmount: orderAmount, DemoAttribute.shippingAmount: shippingAmount,
            DemoAttribute.currencyCode: phone.currency,
        ]
        span.setAttributes(order)
        event("demo.order.placed", order, in: span)
        recorder.backend.meter().counter("demo.orders", unit: "{order}")
            .add(1, attributes: [DemoAttribute.currencyCode: phone.currency])
    }

    /// The order is placed: the app begins a new session and shows the confirmation.
    private mutating func confirm() {
        cart = []
        wasLetDown = false
        closeScreen()
        guard renewSession(on: "Confirmation", id: "checkout-confirmation") else { return }
        show("Confirmation", id: "checkout-confirmation")
        think(4...20)
        guard chance.happens(0.3) else { return }
        showList()
        if chance.happens(0.5), let item = chance.pick(ShelfItem.all) { view(item) }
    }

    private var shippingAmount: Double {
        guard let currency = Currency(code: phone.currency),
            let cost = try? ShelfItem.shipping.multiplied(by: pieces).converted(to: currency)
        else { return 0 }
        return cost.approximateValue
    }

    private var orderAmount: Double { ((cartAmount + shippingAmount) * 100).rounded() / 100 }
}
