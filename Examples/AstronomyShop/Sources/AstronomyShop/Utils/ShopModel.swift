import Foundation
import ShopAPI

/// The view models and services of the app.
///
///     let shop = ShopModel(baseURL: base, telemetry: telemetry)
///     await shop.productList.loadProducts()
@MainActor
final class ShopModel {
    let telemetry: ShopTelemetry
    let services: AppServices
    let session: SessionManager
    let currency: CurrencyViewModel
    let productList: ProductListViewModel
    let cart: CartViewModel
    let checkout: CheckoutViewModel
    /// The current time, for the expiry of cards.
    let now: @Sendable () -> Date

    /// - Parameters:
    ///   - demo: The actions of demonstrations. Default: the real ones.
    ///   - quoteDelay: See ``CheckoutViewModel``.
    init(
        baseURL: URL, telemetry: ShopTelemetry, preferences: Preferences = .none, demo: DemoPerformer? = nil,
        network: HTTPClient.Settings = HTTPClient.Settings(), now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock(), quoteDelay: Duration = .milliseconds(400),
    ) {
        self.telemetry = telemetry
        self.now = now
        let client = HTTPClient(baseURL: baseURL, telemetry: telemetry, settings: network)
        services = AppServices(client: client, telemetry: telemetry)
        session = SessionManager(telemetry)
        currency = CurrencyViewModel(service: services.currencies, preferences: preferences, telemetry: telemetry)
        productList = ProductListViewModel(service: services.products, currency: currency, telemetry: telemetry)
        cart = CartViewModel(
            services: services, currency: currency, session: session, telemetry: telemetry,
            demo: demo ?? .live(telemetry),
        )
        checkout = CheckoutViewModel(
            cart: cart, services: services, currency: currency, session: session, telemetry: telemetry, now: now,
            clock: clock, quoteDelay: quoteDelay,
        )
    }

    /// Returns the model of a product's screen.
    ///
    /// - Parameter product: The product from a list, shown until the shop has responded.
    func productDetail(id: String, product: Product? = nil) -> ProductDetailViewModel {
        ProductDetailViewModel(
            productID: id, product: product, services: services, currency: currency, session: session,
            telemetry: telemetry,
        )
    }
}
