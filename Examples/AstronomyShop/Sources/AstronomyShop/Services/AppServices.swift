/// All services, with a shared client.
struct AppServices: Sendable {
    let products: ProductAPIService
    let cart: CartAPIService
    let checkout: CheckoutAPIService
    let currencies: CurrencyAPIService
    let shipping: ShippingAPIService
    let recommendations: RecommendationService
    let ads: AdService

    init(client: HTTPClient, telemetry: ShopTelemetry) {
        products = ProductAPIService(client: client, telemetry: telemetry)
        cart = CartAPIService(client: client, telemetry: telemetry)
        checkout = CheckoutAPIService(client: client, telemetry: telemetry)
        currencies = CurrencyAPIService(client: client, telemetry: telemetry)
        shipping = ShippingAPIService(client: client, telemetry: telemetry)
        recommendations = RecommendationService(client: client, telemetry: telemetry)
        ads = AdService(client: client, telemetry: telemetry)
    }
}
