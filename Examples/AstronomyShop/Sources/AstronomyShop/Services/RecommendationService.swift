import Astrolabe
import ShopAPI

/// The service for recommendations.
struct RecommendationService: Sendable {
    let client: HTTPClient
    let telemetry: ShopTelemetry

    /// Returns up to four products, none of them among those given.
    func fetchRecommendations(productIds: [String], sessionId: String, currencyCode: String) async throws -> [Product] {
        let attributes: Attributes = [DemoAttribute.currencyCode: currencyCode]
        return try await telemetry.span("RecommendationService.fetchRecommendations", attributes: attributes) { span in
            let products: [Product] = try await client.value(
                of: .recommendations(productIds: productIds, sessionId: sessionId, currencyCode: currencyCode))
            span.setAttribute(DemoAttribute.productCount, products.count)
            return products
        }
    }
}
