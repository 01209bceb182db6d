import Astrolabe
import ShopAPI

/// The service for advertisements.
struct AdService: Sendable {
    let client: HTTPClient
    let telemetry: ShopTelemetry

    /// - Parameter contextKeys: The categories of the product on the screen.
    func fetchAds(contextKeys: [String]) async throws -> [Advertisement] {
        let attributes: Attributes = [DemoAttribute.adContextKeys: contextKeys.joined(separator: ",")]
        return try await telemetry.span("AdService.fetchAds", attributes: attributes) { span in
            let ads: [Advertisement] = try await client.value(of: .advertisements(contextKeys: contextKeys))
            span.setAttribute(DemoAttribute.adCount, ads.count)
            return ads
        }
    }
}
