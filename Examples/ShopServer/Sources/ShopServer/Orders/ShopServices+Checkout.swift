import HTTPTypes
import Hummingbird
import Logging
import ShopAPI
import Tracing

extension ShopServices {
    /// Orders what is in the session's cart: cart, prices, shipping quote, conversion, charge, shipping, and last the
    /// order is stored and the cart emptied. Until that last step nothing is changed.
    ///
    /// - Parameter displayCurrency: the currency of the products in the answer; the order's own where it is nil or
    /// empty.
    func place(
        _ checkout: CheckoutRequest, displayCurrency: String?, context: ShopRequestContext,
    ) async throws -> CheckoutResponse {
        let userId = try userId(checkout.userId, "userId")
        let currency = try currency(checkout.userCurrency, field: "userCurrency")
        let shown = displayCurrency?.isEmpty == false ? try self.currency(displayCurrency) : currency
        try check(checkout.address, prefix: "address")
        try check(email: checkout.email)
        let start = ContinuousClock.now
        do {
            let placed = try await checkouts.take(userId) {
                try await order(checkout, userId: userId, currency: currency, shown: shown, context: context)
            }
            ShopMetrics.recordCheckout(duration: .now - start, outcome: "placed")
            return placed
        } catch {
            ShopMetrics.recordCheckout(duration: .now - start, outcome: "refused")
            throw error
        }
    }

    private func order(
        _ checkout: CheckoutRequest, userId: String, currency: Currency, shown: Currency, context: ShopRequestContext,
    ) async throws -> CheckoutResponse {
        let cart = try await readCart(of: userId)
        guard !cart.isEmpty else {
            throw ShopFailure.badRequest("cart", "is empty; add a product before checking out")
        }
        let lines = try await price(cart, in: currency, shown: shown)
        let quote = try await quote(pieces: cart.reduce(0) { $0 + $1.quantity }, to: checkout.address)
        let shippingCost = try convert(quote, to: currency)
        let total = try Money.sum(lines.map { line in try line.total }, currencyCode: currency.code)
            .adding(shippingCost)
        let isCharged = try await charge(checkout.creditCard, total, context: context)
        let order = CheckoutResponse(
            orderId: chance.uuid(), shippingTrackingId: ship(cart), shippingCost: shippingCost,
            shippingAddress: checkout.address, items: lines,
        )
        try await confirm(order, total: total, charged: isCharged, for: userId, context: context)
        return order
    }

    private func price(_ cart: [CartItem], in currency: Currency, shown: Currency) async throws -> [OrderItem] {
        try await withSpan(ShopSpan.priceItems) { span in
            span.attributes[DemoAttribute.currencyCode] = currency.code
            span.attributes[DemoAttribute.productCount] = cart.count
            var lines: [OrderItem] = []
            for item in cart {
                guard let product = try await lookUp(item.productId) else {
                    throw ShopFailure(
                        status: .conflict, message: "cart: holds a product this shop no longer sells; remove it",
                    )
                }
                let detail = OrderItemDetail(
                    productId: item.productId, quantity: item.quantity, product: try product.priced(in: shown),
                )
                lines.append(OrderItem(cost: try product.priceUsd.converted(to: currency), item: detail))
            }
            return lines
        }
    }

    /// Hands the shipment over, and returns its tracking id.
    private func ship(_ cart: [CartItem]) -> String {
        withSpan(ShopSpan.shipOrder) { span in
            let trackingId = chance.uuid()
            span.attributes[DemoAttribute.shippingItemCount] = cart.reduce(0) { $0 + $1.quantity }
            span.attributes[DemoAttribute.shippingTrackingId] = trackingId
            return trackingId
        }
    }

    private func confirm(
        _ order: CheckoutResponse, total: Money, charged: Bool, for userId: String, context: ShopRequestContext,
    ) async throws {
        try await withSpan(ShopSpan.confirmOrder) { span in
            span.attributes[DemoAttribute.orderId] = order.orderId
            span.attributes[DemoAttribute.orderAmount] = total.approximateValue
            span.attributes[DemoAttribute.orderItemCount] = order.itemCount
            span.attributes[DemoAttribute.shippingAmount] = order.shippingCost.approximateValue
            span.attributes[DemoAttribute.currencyCode] = total.currencyCode
            try await orders.place(order, total: total, charged: charged, for: userId)
        }
        ShopMetrics.recordOrder(total: total)
        context.logger.info(
            "order placed",
            metadata: [
                DemoAttribute.orderId: .string(order.orderId),
                DemoAttribute.orderAmount: .stringConvertible(total.approximateValue),
                DemoAttribute.currencyCode: .string(total.currencyCode),
                DemoAttribute.orderItemCount: .stringConvertible(order.itemCount),
                DemoAttribute.paymentCharged: .stringConvertible(charged),
            ],
        )
    }

    private func check(email: String) throws(ShopFailure) {
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        let isPlausible = parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty
        guard isPlausible, email.utf8.count <= 254, !email.contains(where: \.isWhitespace) else {
            throw .badRequest("email", "expected an e-mail address")
        }
    }
}
