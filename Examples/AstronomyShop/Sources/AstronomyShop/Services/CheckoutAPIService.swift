import Astrolabe
import ShopAPI

/// The service for orders.
struct CheckoutAPIService: Sendable {
    let client: HTTPClient
    let telemetry: ShopTelemetry

    /// Orders the content of the session's cart. The request itself contains no items.
    ///
    /// - Throws: ``CheckoutRefusal`` if the shop refuses the order (4xx), otherwise ``HTTPError``.
    func placeOrder(_ order: CheckoutRequest) async throws -> CheckoutResponse {
        let attributes: Attributes = [DemoAttribute.currencyCode: order.userCurrency]
        return try await telemetry.span("CheckoutAPIService.placeOrder", attributes: attributes) { span in
            let route = ShopRoute.checkout(order, sessionId: order.userId, currencyCode: order.userCurrency)
            let sensitive = SensitiveValues(address: order.address, email: order.email, card: order.creditCard)
            do {
                let answer: CheckoutResponse = try await client.value(of: route, sensitive: sensitive)
                span.setAttribute(DemoAttribute.orderId, answer.orderId)
                span.setAttribute(DemoAttribute.shippingTrackingId, answer.shippingTrackingId)
                span.setAttribute(DemoAttribute.orderItemCount, answer.itemCount)
                return answer
            } catch let error as HTTPError {
                throw CheckoutRefusal(error) ?? error
            }
        }
    }
}
