import Astrolabe
import ShopAPI

/// The service for the list of currencies. The server converts prices, so the other services name a currency.
struct CurrencyAPIService: Sendable {
    let client: HTTPClient
    let telemetry: ShopTelemetry

    /// ISO 4217 codes.
    func fetchCurrencies() async throws -> [String] {
        try await telemetry.span("CurrencyAPIService.fetchCurrencies") { span in
            let codes: [String] = try await client.value(of: .currencies)
            span.setAttribute("demo.currencies.count", codes.count)
            return codes
        }
    }
}
