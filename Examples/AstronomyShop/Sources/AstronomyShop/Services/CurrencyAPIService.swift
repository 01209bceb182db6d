import Astrolabe
import ShopAPI

/// The currencies that the shop can answer in. It converts by itself: every other service names the currency it wants.
struct CurrencyAPIService: Sendable {
    let client: HTTPClient
    let telemetry: ShopTelemetry

    /// ISO 4217 codes.
    func fetchCurrencies() async throws -> [String] {
        try await telemetry.span("CurrencyAPIService.fetchCurrencies") { span in
            let codes: [String] = try await client.value(of: .currencies)
            span.setAttribute(key: "demo.currencies.count", value: codes.count)
            return codes
        }
    }
}
