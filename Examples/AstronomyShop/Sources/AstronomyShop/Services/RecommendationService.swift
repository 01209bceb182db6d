import Astrolabe
import ShopAPI

/// What else a person might like.
struct RecommendationService: Sendable {
    let client: HTTPClient
    let telemetry: ShopTelemetry

    /// Up to four products, none of those given.
    func fetchRecommendations(productIds: [String], sessionId: String, currencyCode: String) async throws -> [Product] {
        let attributes: Attributes = [DemoAttribute.currencyCode: .string(currencyCode)]
        return try await telemetry.span("RecommendationService.fetchRecommendations", attributes: attributes) { span in
            let products: [Product] = try await client.value(
                of: .recommendations(productIds: productIds, sessionId: sessionId, currencyCode: currencyCode))
            span.setAttribute(key: DemoAttribute.productCount, value: products.count)
            return products
        }
    }
}
