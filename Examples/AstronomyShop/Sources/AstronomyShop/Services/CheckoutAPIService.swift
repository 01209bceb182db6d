import Astrolabe
import ShopAPI

/// Orders.
struct CheckoutAPIService: Sendable {
    let client: HTTPClient
    let telemetry: ShopTelemetry

    /// Orders what is in the session's cart; the request itself names no items.
    ///
    /// - Throws: ``CheckoutRefusal`` where the shop will not take this order as it is (a 4xx), ``HTTPError``.
    func placeOrder(_ order: CheckoutRequest) async throws -> CheckoutResponse {
        let attributes: Attributes = [DemoAttribute.currencyCode: .string(order.userCurrency)]
        return try await telemetry.span("CheckoutAPIService.placeOrder", attributes: attributes) { span in
            let route = ShopRoute.checkout(order, sessionId: order.userId, currencyCode: order.userCurrency)
            let sensitive = SensitiveValues(address: order.address, email: order.email, card: order.creditCard)
            do {
                let answer: CheckoutResponse = try await client.value(of: route, sensitive: sensitive)
                span.setAttribute(key: DemoAttribute.orderId, value: answer.orderId)
                span.setAttribute(key: DemoAttribute.shippingTrackingId, value: answer.shippingTrackingId)
                span.setAttribute(key: DemoAttribute.orderItemCount, value: answer.itemCount)
                return answer
            } catch let error as HTTPError {
                throw CheckoutRefusal(error) ?? error
            }
        }
    }
}
