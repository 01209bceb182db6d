import Astrolabe
import Combine
import Foundation
import ShopAPI

/// The model of a product's screen: the product, recommendations, and advertisements.
@MainActor
final class ProductDetailViewModel: ObservableObject {
    @Published private(set) var product: Product?
    @Published private(set) var recommendations: [Product] = []
    @Published private(set) var advertisements: [Advertisement] = []
    @Published private(set) var isLoading = false
    /// A message for the user. Missing recommendations or advertisements are not reported.
    @Published private(set) var errorMessage: String?
    /// The quantity to add, within ``quantities``.
    @Published var quantity = 1

    /// The quantities that the screen offers.
    static let quantities = 1...10

    let productID: String
    private let services: AppServices
    private let currency: CurrencyViewModel
    private let session: SessionManager
    private let telemetry: ShopTelemetry
    private var latest = LatestLoad()
    private var wasViewed = false

    /// - Parameter product: The product from a list, shown until the shop has responded.
    init(
        productID: String, product: Product? = nil, services: AppServices, currency: CurrencyViewModel,
        session: SessionManager, telemetry: ShopTelemetry,
    ) {
        self.productID = productID
        self.product = product
        self.services = services
        self.currency = currency
        self.session = session
        self.telemetry = telemetry
        currency.notify(self)
    }

    func loadProduct() async {
        let load = latest.begin()
        isLoading = true
        defer { if latest.isNewest(load) { isLoading = false } }
        let attributes: Attributes = [
            DemoAttribute.productId: productID, DemoAttribute.currencyCode: currency.code,
        ]
        do {
            try await telemetry.span("ProductDetailViewModel.loadProduct", attributes: attributes) { span in
                let loaded = try await services.products.fetchProduct(id: productID, currencyCode: currency.code)
                span.setAttribute(DemoAttribute.productName, loaded.name)
                span.setAttribute(DemoAttribute.productPrice, loaded.priceUsd.approximateValue)
                guard latest.isNewest(load) else { return }
                product = loaded
                errorMessage = nil
                announceView(of: loaded)
                await loadSurroundings(of: loaded, load: load)
            }
        } catch {
            guard !error.isCancellation, latest.isNewest(load) else { return }
            if error is NoSuchProduct { product = nil }
            errorMessage = error.messageForPerson
        }
    }

    /// Counts a visit once, and not again for a change of the currency or a return to the screen.
    private func announceView(of product: Product) {
        guard !wasViewed else { return }
        wasViewed = true
        telemetry.events.emit(
            ShopEvent.productViewed,
            attributes: [
                DemoAttribute.productId: product.id, DemoAttribute.productName: product.name,
                DemoAttribute.productPrice: product.priceUsd.approximateValue,
                DemoAttribute.currencyCode: product.priceUsd.currencyCode,
            ],
        )
    }

    func pictureURL(of product: Product) -> URL? { services.products.pictureURL(of: product) }

    /// Loads both concurrently. The spans of the services record failures.
    private func loadSurroundings(of product: Product, load: Int) async {
        let (services, code, sessionID) = (services, currency.code, session.sessionID)
        async let recommended = services.recommendations.fetchRecommendations(
            productIds: [product.id], sessionId: sessionID, currencyCode: code,
        )
        async let advertised = services.ads.fetchAds(contextKeys: product.categories)
        let (newRecommendations, newAdvertisements) = (try? await recommended, try? await advertised)
        guard latest.isNewest(load) else { return }
        recommendations = newRecommendations ?? []
        advertisements = newAdvertisements ?? []
    }
}

extension ProductDetailViewModel: CurrencyDependent {
    func currencyDidChange() async {
        if product != nil || isLoading { await loadProduct() }
    }
}
