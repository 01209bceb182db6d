import Astrolabe
import Combine
import Foundation
import ShopAPI

/// The model of the list of products.
@MainActor
final class ProductListViewModel: ObservableObject {
    @Published private(set) var products: [Product] = []
    @Published private(set) var isLoading = false
    /// A message for the user. The products that were shown before stay.
    @Published private(set) var errorMessage: String?

    private let service: ProductAPIService
    private let currency: CurrencyViewModel
    private let telemetry: ShopTelemetry
    private var latest = LatestLoad()

    init(service: ProductAPIService, currency: CurrencyViewModel, telemetry: ShopTelemetry) {
        self.service = service
        self.currency = currency
        self.telemetry = telemetry
        currency.notify(self)
    }

    /// - Parameter isRefresh: Whether the user refreshed the list.
    func loadProducts(isRefresh: Bool = false) async {
        let load = latest.begin()
        isLoading = true
        defer { if latest.isNewest(load) { isLoading = false } }
        do {
            let attributes: Attributes = [
                "demo.refresh": isRefresh, DemoAttribute.currencyCode: currency.code,
            ]
            let loaded = try await telemetry.span("ProductListViewModel.loadProducts", attributes: attributes) { span in
                let products = try await service.fetchProducts(currencyCode: currency.code)
                span.setAttribute(DemoAttribute.productCount, products.count)
                return products
            }
            guard latest.isNewest(load) else { return }
            products = loaded
            errorMessage = nil
        } catch {
            if !error.isCancellation, latest.isNewest(load) { errorMessage = error.messageForPerson }
        }
    }

    /// Returns the URL of a product's image.
    func pictureURL(of product: Product) -> URL? { service.pictureURL(of: product) }
}

extension ProductListViewModel: CurrencyDependent {
    /// Loads nothing if no screen has loaded products yet.
    func currencyDidChange() async {
        if !products.isEmpty || isLoading { await loadProducts(isRefresh: true) }
    }
}
