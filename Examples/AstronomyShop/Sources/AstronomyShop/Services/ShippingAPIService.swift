import Astrolabe
import ShopAPI

/// The service for shipping costs.
struct ShippingAPIService: Sendable {
    let client: HTTPClient
    let telemetry: ShopTelemetry

    /// Returns the cost of shipping the items to the address, in the currency.
    func fetchShippingCost(items: [CartItem], address: Address, currencyCode: String) async throws -> Money {
        let attributes: Attributes = [
            DemoAttribute.shippingItemCount: AttributeValue(items.reduce(0) { $0 + $1.quantity }),
            DemoAttribute.currencyCode: currencyCode,
        ]
        return try await telemetry.span("ShippingAPIService.fetchShippingCost", attributes: attributes) { span in
            let cost: Money = try await client.value(
                of: .shipping(items: items, address: address, currencyCode: currencyCode),
                sensitive: SensitiveValues(address: address),
            )
            span.setAttribute(DemoAttribute.shippingAmount, cost.approximateValue)
            return cost
        }
    }
}
